/*
 * Contacts, removals and additions of particles must not affect unrelated particles: those continue
 * bitwise identically. Each scheme is run in two worlds, with and without the other particles, and
 * the common particles are compared after every step.
 *
 * Twice: with a force that depends on positions alone, and with forces that also depend on
 * velocities and time, which reveals replaced history of an evaluation. (The converse does not
 * hold: a single bouncing particle restarts the whole world, which is more accurate than the
 * fallback of a single row.)
 */
#include "base/error.h"
#include "validate/integrators.h"

#include <math.h>
#include <stdio.h>

enum { OTHERS = 2, KEPT_MAX = 3, STEPS = 400, CHANGE_AT = 120 };
static const double STEP = 0.005;

#define SCENE(positions) \
    "{\"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 1}," \
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [" positions "]}," \
    "              \"velocity\": [0.5, 0.2, 0]}]," \
    " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"restitution\": 0.8}]}"

/* One particle that bounces and two without contacts; before and after them two that bounce
 * continuously. */
static const char ALONE[] = SCENE("[0.3, 0, 0.4], [-0.2, 0.1, 90], [0.1, -0.4, 80]"),
                  TOGETHER[] = SCENE(
                      "[1, 0, 0.2], [0.3, 0, 0.4], [-0.2, 0.1, 90], [0.1, -0.4, 80], [2, 0, 0.3]");

/* The event of the other particles in step CHANGE_AT. */
typedef enum event { THEY_STAY, THEY_LEAVE, THEY_ARRIVE } event;

/* Two worlds, and the number of particles of the second that the first has too: from its row 1
 * on, or 0 if the others are added later. */
typedef struct scenario {
    const char *with, *without;
    int kept;
    event event;
} scenario;

static const scenario BOUNCE = {TOGETHER, ALONE, 3, THEY_STAY},
                      LEAVE = {TOGETHER, ALONE, 3, THEY_LEAVE},
                      ARRIVE = {ALONE, ALONE, 3, THEY_ARRIVE};

static void pull_sideways(void *context, const mote_force_view *f)
{
    (void)context;
    for (int64_t k = 3 * f->first; k < 3 * f->last; ++k) {
        f->f[k] -= k % 3 == 2 ? 0 : 3 * f->x[k] * f->x[k] * f->x[k];
    }
}

static void pull_drag_and_push(void *context, const mote_force_view *f)
{
    pull_sideways(context, f);
    for (int64_t k = 3 * f->first; k < 3 * f->last; ++k) {
        f->f[k] += (k % 3 == 0 ? sin(7 * f->time) : 0) - 0.3 * f->v[k] * (1 + fabs(f->v[k]));
    }
}

/* The first row and the last. */
static mote_status remove_others(trial *t, mote_error *error)
{
    uint8_t gone[KEPT_MAX + OTHERS] = {1};
    gone[t->rows - 1] = 1;
    MO_TRY(mote_world_remove(t->world, 0, gone, error));
    return trial_find_columns(t, error);
}

static mote_status add_others(trial *t, mote_error *error)
{
    const double x[3 * OTHERS] = {1, 0, 0.2, 2, 0, 0.3}, v[3 * OTHERS] = {0};
    mote_particles particles = {.count = OTHERS, .x = x, .v = v};
    MO_TRY(mote_world_add(t->world, &particles, NULL, error));
    return trial_find_columns(t, error);
}

static mote_status apply(event e, trial *t, mote_error *error)
{
    return e == THEY_LEAVE    ? remove_others(t, error)
           : e == THEY_ARRIVE ? add_others(t, error)
                              : MOTE_OK;
}

/* The distance of `kept` rows of `a`, from row `first` on, from those of `b`; 0 means bitwise
 * equal except for the sign of zero. */
static double difference(const trial *a, int first, const trial *b, int kept)
{
    double largest = 0;
    for (int k = 0; k < 3 * kept; ++k) {
        largest = trial_larger(fabs(a->x[3 * first + k] - b->x[k]), largest);
        largest = trial_larger(fabs(a->v[3 * first + k] - b->v[k]), largest);
    }
    return largest;
}

static mote_status compare(trial *with, trial *without, const scenario *c, double *largest,
                           mote_error *error)
{
    int first = c->event == THEY_ARRIVE ? 0 : 1;
    for (int k = 0; k < STEPS; ++k) {
        if (k == CHANGE_AT) {
            MO_TRY(apply(c->event, with, error));
            first = c->event == THEY_LEAVE ? 0 : first;
        }
        MO_TRY(trial_steps(with, 1, error));
        MO_TRY(trial_steps(without, 1, error));
        *largest = trial_larger(difference(with, first, without, c->kept), *largest);
    }
    return MOTE_OK;
}

/* Updates *largest with the difference between the two worlds. */
static mote_status run_scenario(const trial_scheme *s, const scenario *c, mote_force_fn *force,
                                double *largest, mote_error *error)
{
    trial with, without;
    MO_TRY(trial_start(&with, c->with, s, STEP, force, error));
    mote_status status = trial_start(&without, c->without, s, STEP, force, error);
    if (status == MOTE_OK) {
        status = compare(&with, &without, c, largest, error);
        trial_stop(&without);
    }
    trial_stop(&with);
    return status;
}

/* One row for all events. */
static mote_status check_others(validation *v, const trial_scheme *s, mote_force_fn *force,
                                const char *quantity, mote_error *error)
{
    double largest = 0;
    MO_TRY(run_scenario(s, &BOUNCE, force, &largest, error));
    MO_TRY(run_scenario(s, &LEAVE, force, &largest, error));
    MO_TRY(run_scenario(s, &ARRIVE, force, &largest, error));
    trial_row row = trial_row_of("changes", s, quantity);
    /* implicit schemes solve all rows together with a common tolerance */
    bool together = s->type->base.capabilities & MO_IMPLICIT;
    validate_absolute(v, row.name, row.quantity, largest, 0, together ? 1e-6 : 0);
    return MOTE_OK;
}

/* Contacts, removals and additions together, for ten times as long. */
static mote_status run_through(trial *t, double *lowest, mote_error *error)
{
    MO_TRY(trial_steps(t, CHANGE_AT, error));
    MO_TRY(remove_others(t, error));
    MO_TRY(trial_steps(t, CHANGE_AT, error));
    MO_TRY(add_others(t, error));
    MO_TRY(trial_steps(t, 10 * STEPS, error));
    *lowest = INFINITY;
    for (int64_t row = 0; row < t->rows; ++row) {
        *lowest = -trial_larger(-t->x[3 * row + 2], -*lowest);
        bool finite =
            isfinite(t->x[3 * row]) && isfinite(t->x[3 * row + 1]) && isfinite(t->v[3 * row + 2]);
        *lowest = finite ? *lowest : NAN;
    }
    return MOTE_OK;
}

/* All particles exist above the ground, and the energy has decreased by drag and bounces. */
static mote_status check_finite(validation *v, const trial_scheme *s, mote_error *error)
{
    trial t;
    double lowest;
    mote_measures first, last;
    MO_TRY(trial_start(&t, TOGETHER, s, STEP, pull_drag_and_push, error));
    mote_status status = mote_world_measure(t.world, &first, error);
    if (status == MOTE_OK) {
        status = run_through(&t, &lowest, error);
    }
    if (status == MOTE_OK) {
        status = mote_world_measure(t.world, &last, error);
    }
    trial_stop(&t);
    MO_TRY(status);
    trial_row row = trial_row_of("changes", s, "lowest position [m]");
    validate_at_least(v, row.name, row.quantity, lowest, 0, 0);
    row = trial_row_of("changes", s, "energy left, share");
    validate_absolute(v, row.name, row.quantity,
                      (last.kinetic + last.potential) / (first.kinetic + first.potential), 0, 1);
    return MOTE_OK;
}

mote_status integrators_run_changes(void *context, mote_error *error)
{
    trial_scheme s;
    for (int k = 0; trial_scheme_at(k, &s); ++k) {
        if (s.problems == TRIAL_TOP) {
            continue; /* the variant concerns orientations only */
        }
        MO_TRY(check_others(context, &s, pull_sideways, "others change, f(x)", error));
        MO_TRY(check_others(context, &s, pull_drag_and_push, "others change, f(x, v, t)", error));
        MO_TRY(check_finite(context, &s, error));
    }
    return MOTE_OK;
}
