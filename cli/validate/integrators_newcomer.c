/*
 * Restart of single rows: a particle is added beside one in motion, so that it has no history while
 * the world has, and is followed as in the order tests. Multistep schemes start such a row with
 * fewer terms. A few steps of order q have errors of h^(q+1) each, which is the remaining order: 3
 * if the first of them is Heun's, 2 if it is Euler's.
 *
 * Also with the other particle removed after a step: then no row has the full history, and the
 * history at the new particle's row must not be taken for its own.
 */
#include "base/error.h"
#include "validate/integrators.h"

#include <math.h>
#include <string.h>

enum { BEFORE = 16, SAMPLES = 8 };

/* A scheme that supports variable steps has no history to lose. */
static int order_left(const trial_scheme *s)
{
    int left = strcmp(s->changed, "corrections=0") == 0 ? 2 : 3;
    bool forgets = s->type->base.capabilities & MO_VARIABLE_STEP;
    return forgets || s->order < left ? s->order : left;
}

/* The other particle, which stays or is removed after a step. */
typedef enum company { IT_STAYS, IT_LEAVES } company;

/* The largest distance of the new particle from the closed form. */
static mote_status follow(trial *t, const trial_problem *p, int64_t steps, company other,
                          double *distance, mote_error *error)
{
    const uint8_t gone[] = {1, 0};
    const double x[3] = {1, 0, 0}, v[3] = {0, 1, 0}; /* initial conditions of the first one */
    mote_particles newcomer = {.count = 1, .x = x, .v = v};
    MO_TRY(trial_steps(t, BEFORE, error));
    MO_TRY(mote_world_add(t->world, &newcomer, NULL, error));
    MO_TRY(trial_steps(t, 1, error));
    if (other == IT_LEAVES) {
        MO_TRY(mote_world_remove(t->world, 0, gone, error));
    }
    MO_TRY(trial_find_columns(t, error));
    trial second = *t;
    second.x += 3 * (t->rows - 1);
    second.v += 3 * (t->rows - 1);
    *distance = 0;
    for (int k = 1; k <= SAMPLES; ++k) {
        MO_TRY(trial_steps(t, steps / SAMPLES - (k == 1), error));
        *distance = trial_larger(p->distance(&second, p->end * k / SAMPLES), *distance);
    }
    return MOTE_OK;
}

static mote_status measure(const trial_problem *p, const trial_scheme *s, int64_t steps,
                           company other, double *distance, mote_error *error)
{
    trial t;
    MO_TRY(trial_start(&t, p->scene, s, p->end / (double)steps, p->force, error));
    mote_status status = follow(&t, p, steps, other, distance, error);
    trial_stop(&t);
    return status;
}

static mote_status check(validation *v, const trial_problem *p, const trial_scheme *s,
                         company other, mote_error *error)
{
    double coarse, fine;
    int64_t steps = s->type->order <= 1 ? 1 << 13 : 1 << 10;
    char quantity[64];
    MO_TRY(measure(p, s, steps / 2, other, &coarse, error));
    MO_TRY(measure(p, s, steps, other, &fine, error));
    snprintf(quantity, sizeof quantity, "order, %s%s", p->name,
             other == IT_LEAVES ? ", left alone" : "");
    trial_row row = trial_row_of("newcomer", s, quantity);
    validate_at_least(v, row.name, row.quantity, log2(coarse / fine), order_left(s), 0.1);
    return MOTE_OK;
}

mote_status integrators_run_newcomer(void *context, mote_error *error)
{
    trial_scheme s;
    for (int k = 0; trial_scheme_at(k, &s); ++k) {
        for (int j = 0; j < TRIAL_PROBLEMS; ++j) {
            const trial_problem *p = &trial_problems[j];
            if (s.problems & p->kind & (TRIAL_OSCILLATOR | TRIAL_DAMPED)) {
                MO_TRY(check(context, p, &s, IT_STAYS, error));
                MO_TRY(check(context, p, &s, IT_LEAVES, error));
            }
        }
    }
    return MOTE_OK;
}
