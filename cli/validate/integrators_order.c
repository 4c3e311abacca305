/*
 * Measured orders: the step is halved, and the order is log2 of the ratio of errors. The error is
 * the largest distance from the closed form at eight equidistant times, so that no zero crossing
 * hides it; the order is that of the last halving.
 *
 * The finest step depends on the order: fine enough for the leading term to dominate (see the
 * plot), coarse enough for the error to stay above 7e-12; rounding is some 1e-12 on the orbit and
 * 1e-14 on the others. The orbit needs eight times as many steps because of its pericentre.
 */
#include "base/error.h"
#include "validate/integrators.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 8, HALVINGS = 5, RUNS = HALVINGS + 1, ORBIT_FACTOR = 8 };

/* Measurements at all steps; the last one is the finest. */
typedef struct curve {
    double step[RUNS];     /* [s] */
    double distance[RUNS]; /* from the closed form */
    double spin[RUNS];     /* change of the angular momentum; only of the top */
} curve;

static int64_t finest(const trial_problem *p, int order)
{
    int steps = order <= 1 ? 1 << 14 : order <= 3 ? 1 << 11 : order <= 4 ? 1 << 10 : 1 << 9;
    return p->kind == TRIAL_KEPLER ? ORBIT_FACTOR * steps : steps;
}

static mote_status spin_change(trial *t, const double start[3], double *change, mote_error *error)
{
    mote_measures now;
    MO_TRY(mote_world_measure(t->world, &now, error));
    const double *l = now.angular_momentum;
    *change = sqrt((l[0] - start[0]) * (l[0] - start[0]) + (l[1] - start[1]) * (l[1] - start[1]) +
                   (l[2] - start[2]) * (l[2] - start[2]));
    return MOTE_OK;
}

/* Advances through the samples and records the largest of both errors. */
static mote_status record(trial *t, const trial_problem *p, int64_t steps, double *distance,
                          double *spin, mote_error *error)
{
    mote_measures start;
    double change;
    *distance = *spin = 0;
    MO_TRY(mote_world_measure(t->world, &start, error));
    for (int k = 1; k <= SAMPLES; ++k) {
        MO_TRY(trial_steps(t, steps / SAMPLES, error));
        MO_TRY(spin_change(t, start.angular_momentum, &change, error));
        *distance = trial_larger(p->distance(t, p->end * k / SAMPLES), *distance);
        *spin = trial_larger(change, *spin);
    }
    return MOTE_OK;
}

static mote_status measure_curve(const trial_problem *p, const trial_scheme *s, curve *c,
                                 mote_error *error)
{
    for (int k = 0; k < RUNS; ++k) {
        int64_t steps = finest(p, s->type->order) >> (HALVINGS - k);
        trial t;
        c->step[k] = p->end / (double)steps;
        MO_TRY(trial_start(&t, p->scene, s, c->step[k], p->force, error));
        mote_status status = record(&t, p, steps, &c->distance[k], &c->spin[k], error);
        trial_stop(&t);
        /* a far too large step may overflow; only the last halving counts */
        if (status == MOTE_ERROR_NUMERIC && k < HALVINGS - 1) {
            c->distance[k] = c->spin[k] = INFINITY;
            status = MOTE_OK;
        }
        MO_TRY(status);
    }
    return MOTE_OK;
}

static double last_order(const double error[RUNS])
{
    return log2(error[RUNS - 2] / error[RUNS - 1]);
}

static void report(validation *v, const trial_problem *p, const trial_scheme *s, const curve *c)
{
    char quantity[64];
    snprintf(quantity, sizeof quantity, "order, %s", p->name);
    trial_row row = trial_row_of("order", s, quantity);
    validate_at_least(v, row.name, row.quantity, last_order(c->distance), s->order, 0.1);
    if (p->kind == TRIAL_TOP) {
        row = trial_row_of("order", s, "order, top's momentum");
        validate_at_least(v, row.name, row.quantity, last_order(c->spin), s->order, 0.1);
    }
}

static plot_figure *create_figure(void)
{
    plot_figure *figure = plot_create(2, 2, 1280, 1100);
    for (int k = 0; k < TRIAL_PROBLEMS; ++k) {
        plot_panel *panel = plot_panel_at(figure, k);
        plot_set_title(panel, trial_problems[k].title);
        plot_set_axis(panel, PLOT_X, (plot_axis){.label = "step", .unit = "s", .log = true});
        plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "error", .log = true});
    }
    return figure;
}

/* Variants are omitted in the figure, except those concerning the problem. */
static void plot_curve(plot_panel *panel, const trial_problem *p, const trial_scheme *s,
                       const curve *c)
{
    char name[96];
    /* the value alone is short and clear */
    const char *changed = strchr(s->changed, '=');
    snprintf(name, sizeof name, "%s%s%s", s->type->base.name, changed ? ", " : "",
             changed ? changed + 1 : "");
    if (!changed || s->problems == p->kind) {
        plot_add_series(panel, name, RUNS, c->step, c->distance, PLOT_LINE | PLOT_POINTS);
    }
}

/* `figure` may be NULL. */
static mote_status run_scheme(validation *v, const trial_scheme *s, plot_figure *figure,
                              mote_error *error)
{
    for (int k = 0; k < TRIAL_PROBLEMS; ++k) {
        curve c;
        if (!(s->problems & trial_problems[k].kind)) {
            continue;
        }
        MO_TRY(measure_curve(&trial_problems[k], s, &c, error));
        report(v, &trial_problems[k], s, &c);
        plot_curve(plot_panel_at(figure, k), &trial_problems[k], s, &c);
    }
    return MOTE_OK;
}

mote_status integrators_run_order(void *context, mote_error *error)
{
    validation *v = context;
    plot_figure *figure = v->directory ? create_figure() : NULL;
    trial_scheme s;
    mote_status status = MOTE_OK;
    for (int k = 0; status == MOTE_OK && trial_scheme_at(k, &s); ++k) {
        status = run_scheme(v, &s, figure, error);
    }
    if (status == MOTE_OK) {
        status = trial_write_figure(v, figure, "integrators_order", error);
    }
    plot_destroy(figure);
    return status;
}
