/*
 * The cases of the group, the schemes tested, and their worlds.
 */
#include "validate/integrators.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "scene/reader.h"
#include "system/forces/state.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double trial_larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

/* A change of a parameter, for all methods that have it. */
typedef struct change {
    const char *parameter, *value;
    int order_max; /* of the changed method */
    unsigned problems;
} change;

static const change CHANGES[] = {
    {"rotation", "\"exponential\"", 9, TRIAL_TOP}, /* orientations only */
    {"start", "\"backward\"", 4, TRIAL_ALL},       /* the extrapolated past, see adams.c */
    {"start", "\"zero\"", 2, TRIAL_ALL},           /* see gear.c */
    {"corrections", "0", 9, TRIAL_ALL},
    {"corrections", "2", 9, TRIAL_ALL},
    {"velocity_dependent", "false", 9, TRIAL_OSCILLATOR | TRIAL_KEPLER}, /* without damping */
};

static trial_scheme plain_scheme(const mo_integrator_type *type)
{
    trial_scheme s = {.type = type, .order = type->order, .problems = TRIAL_ALL};
    snprintf(s.value, sizeof s.value, "\"%s\"", type->base.name);
    return s;
}

static trial_scheme changed_scheme(const mo_integrator_type *type, const change *c)
{
    trial_scheme s = {.type = type, .problems = c->problems};
    s.order = type->order < c->order_max ? type->order : c->order_max;
    /* without the quotes of a string */
    int quotes = c->value[0] == '"', length = (int)strlen(c->value) - 2 * quotes;
    snprintf(s.changed, sizeof s.changed, "%s=%.*s", c->parameter, length, c->value + quotes);
    snprintf(s.value, sizeof s.value, "{\"type\": \"%s\", \"%s\": %s}", type->base.name,
             c->parameter, c->value);
    return s;
}

/* Whether the method has the parameter, and the value is one of its choices. */
static bool takes(const mo_integrator_type *type, const change *c)
{
    const mo_param *p = mo_read_param_find(type->base.params, c->parameter);
    char choice[32];
    snprintf(choice, sizeof choice, "%.*s", (int)strlen(c->value) - 2, c->value + 1);
    return p && (!p->choices || strstr(p->choices, choice));
}

bool trial_scheme_at(int index, trial_scheme *scheme)
{
    if (index < mo_integrators.count) {
        *scheme = plain_scheme((const mo_integrator_type *)mo_integrators.methods[index]);
        return true;
    }
    int left = index - mo_integrators.count;
    for (size_t c = 0; c < sizeof CHANGES / sizeof *CHANGES; ++c) {
        for (int k = 0; k < mo_integrators.count; ++k) {
            const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[k];
            if (takes(type, &CHANGES[c]) && left-- == 0) {
                *scheme = changed_scheme(type, &CHANGES[c]);
                return true;
            }
        }
    }
    return false;
}

trial_row trial_row_of(const char *test, const trial_scheme *scheme, const char *quantity)
{
    trial_row row;
    const char *changed = scheme->changed;
    snprintf(row.name, sizeof row.name, "integrators/%s/%s", test, scheme->type->base.name);
    snprintf(row.quantity, sizeof row.quantity, "%s%s%s", quantity, changed[0] ? ", " : "",
             changed);
    return row;
}

static double *column_data(const mote_world *world, const char *name)
{
    mote_column column;
    return mote_world_column_find(world, 0, name, &column) ? column.data : NULL;
}

mote_status trial_find_columns(trial *t, mote_error *error)
{
    t->rows = mote_world_rows(t->world, 0);
    t->x = column_data(t->world, "x");
    t->v = column_data(t->world, "v");
    t->q = column_data(t->world, "q");
    t->w = column_data(t->world, "w");
    return t->x && t->v ? MOTE_OK
                        : mo_fail(error, MOTE_ERROR_USAGE, "the world has no columns x and v");
}

static mote_status create_world(const char *text, const trial_scheme *scheme, double step,
                                mote_world **world, mote_error *error)
{
    char size[40];
    case_change changes[] = {{"integrator", scheme->value}, {"time.step", size}, {0}};
    snprintf(size, sizeof size, "%.17g", step);
    return case_world_create(text, changes, 1, world, error);
}

mote_status trial_start(trial *t, const char *scene, const trial_scheme *scheme, double step,
                        mote_force_fn *force, mote_error *error)
{
    *t = (trial){0};
    MO_TRY(create_world(scene, scheme, step, &t->world, error));
    const mo_force *exact =
        scheme->type->base.capabilities & MO_IMPLICIT ? trial_exact_force(force) : NULL;
    mote_status status = MOTE_OK;
    if (exact) {
        status = mo_forces_add(t->world->systems[0].state, exact, error);
    } else if (force) {
        status = mote_world_add_force(t->world, force, NULL, error);
    }
    if (status == MOTE_OK) {
        status = trial_find_columns(t, error);
    }
    if (status != MOTE_OK) {
        trial_stop(t);
    }
    return status;
}

mote_status trial_steps(trial *t, int64_t steps, mote_error *error)
{
    for (int64_t k = 0; k < steps; ++k) {
        MO_TRY(mote_world_step(t->world, NULL, error));
    }
    return MOTE_OK;
}

void trial_stop(trial *t)
{
    mote_world_destroy(t->world);
    *t = (trial){0};
}

mote_status trial_record_energy(trial *t, int64_t steps, trial_energy *energy, mote_error *error)
{
    const double turn = 6.28318530717958647692 / (double)steps;
    double sum = 0, largest = 0;
    for (int64_t k = 0; k < steps; ++k) {
        MO_TRY(mote_world_step(t->world, NULL, error));
        double x = t->x[0], v = t->v[0] / trial_omega, now = x * x + v * v;
        sum += (1 - cos(turn * ((double)k + 0.5))) * now;
        largest = trial_larger(fabs(now - 1), largest);
    }
    *energy = (trial_energy){sum / (double)steps, largest};
    return MOTE_OK;
}

mote_status trial_write_figure(const validation *v, const plot_figure *figure, const char *name,
                               mote_error *error)
{
    char path[4096];
    if (!v->directory) {
        return MOTE_OK;
    }
    snprintf(path, sizeof path, "%s/%s.svg", v->directory, name);
    MO_TRY(plot_write(figure, path, error));
    snprintf(path, sizeof path, "%s/%s.csv", v->directory, name);
    return plot_write_csv(figure, path, error);
}

static const suite_case CASES[] = {
    {"integrators/order", "Measured orders: oscillators, Kepler's problem, a free top.",
     integrators_run_order},
    {"integrators/energy", "Symplectic schemes over 100,000 oscillations.", integrators_run_energy},
    {"integrators/reversal", "Time reversal of leapfrog.", integrators_run_reversal},
    {"integrators/stability", "The largest stable steps, and growth rates of unstable schemes.",
     integrators_run_stability},
    {"integrators/changes", "Particles that bounce, are removed and added beside others.",
     integrators_run_changes},
    {"integrators/newcomer", "Order of convergence for a particle added during a run.",
     integrators_run_newcomer},
    {"integrators/contact", "The contact laws bounce and penalty: order, and error of an impact.",
     integrators_run_contact},
    {"integrators/cost", "Force evaluations per step, and stored arrays.", integrators_run_cost},
    {0}};

const suite_group validate_integrators = {"integrators", "All time integrators.", CASES};
