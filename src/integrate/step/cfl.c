/*
 * The Courant-Friedrichs-Lewy condition for particles: no particle moves more than `factor`
 * diameters d in a step,
 *     h |v| + h^2 |a| <= factor d,
 * solved for h with the largest |v|/d and |a|/d, clamped to [min, max]. The acceleration limits the
 * first step of particles falling from rest. Limits of systems (such as the acoustic time between
 * particles) apply too. R. Courant, K. Friedrichs, H. Lewy 1928, Math. Ann. 100, 32.
 */
#include "integrate/step/step.h"

#include <math.h>

typedef struct cfl {
    double factor, min, max;
} cfl;

static const mo_param PARAMS[] = {
    {"factor", MO_REAL, MO_FIELD(cfl, factor), .initial = "0.4", .range = "(0, inf)",
     .doc = "Courant number: maximum displacement per step relative to the particle diameter."},
    {"min", MO_REAL, MO_FIELD(cfl, min), .unit = "s", .range = "(0, inf)",
     .doc = "Smallest step; default: a millionth of max. A warning is issued when the condition "
            "requires a smaller one."},
    {"max", MO_REAL, MO_FIELD(cfl, max), .unit = "s", .required = true, .range = "(0, inf)",
     .doc = "The largest step."},
    {0}};

static mote_status check(const void *params, mote_error *error)
{
    const cfl *c = params;
    if (c->min > c->max) {
        return mo_fail(error, MOTE_ERROR_INPUT, "min: %g is above max = %g", c->min, c->max);
    }
    return MOTE_OK;
}

static mo_step_choice choose(const void *params, const mo_step_state *state)
{
    const cfl *c = params;
    double least = isnan(c->min) ? 1e-6 * c->max : c->min;
    double root = sqrt(state->speed * state->speed + 4 * c->factor * state->acceleration);
    double size = 2 * c->factor / (state->speed + root); /* infinite without motion */
    const char *limited_by = "courant";
    if (state->bound.size > 0 && state->bound.size < size) {
        size = state->bound.size;
        limited_by = state->bound.name;
    }
    if (size >= c->max) {
        return (mo_step_choice){c->max, "max", NULL};
    }
    if (size < least) {
        return (mo_step_choice){
            least, "min",
            "the Courant condition requires a step below time.step.min: velocities are very large "
            "or diverging; soften the forces, add damping, or lower min"};
    }
    return (mo_step_choice){size, limited_by, NULL};
}

const mo_step_type mo_step_cfl = {
    .base = {.name = "cfl",
             .summary = "Courant condition of the fastest particle; steps end exactly on frames.",
             .citation = "Courant, Friedrichs, Lewy 1928, Math. Ann. 100, 32",
             .capabilities = MO_STEP_VARIES | MO_PORTABLE,
             .param_size = sizeof(cfl),
             .params = PARAMS,
             .check = check},
    .choose = choose,
};
