/*
 * Automatic step: the smallest of
 *   courant     h |v| + h^2 |a| <= factor d, as in cfl.c
 *   stability   safety times the stability limit of the integrator, damping included
 *   accuracy    omega h <= c_p tolerance^(1/p) for the frequency omega of the current motion and an
 *               integrator of order p; with an implicit integrator at least 1/16 of a frame
 *   sound, viscosity, contact, forces: limits of systems and couplings
 *   frame       a quarter of the time between frames
 * Fluids use it in every step. Multistep integrators, and symplectic ones, whose energy error is
 * bounded for constant steps only (J. Sanz-Serna 1992, Acta Numerica 1, 243), take equal steps,
 * frame/n with n = 1, 2, 3, 4, 6, 8, 12, ...: the step is reduced as soon as one of the conditions
 * requires it, and increased where they allow more than twice of it. With a symplectic integrator
 * and without damping it is never increased.
 */
#include "integrate/step/step.h"
#include "math/portable.h"

#include <math.h>

/* The largest fraction of a frame; the smallest for accuracy with an implicit integrator, which
 * is stable for unresolved motions; the fraction of the limit to which a constant step is
 * reduced or increased; the ratio at which it is increased. */
static const double FRAME_PART = 0.25, FINEST_PART = 1.0 / 16, MARGIN = 0.85, RELAX = 2.4,
                    ROUNDING = 1 + 1e-9;

typedef struct automatic {
    double factor, safety, tolerance, min, max;
} automatic;

static const mo_param PARAMS[] = {
    {"factor", MO_REAL, MO_FIELD(automatic, factor), .initial = "0.4", .range = "(0, inf)",
     .doc = "Courant number: the fraction of its diameter a particle may travel in a step."},
    {"safety", MO_REAL, MO_FIELD(automatic, safety), .initial = "0.5", .range = "(0, 1]",
     .doc =
         "Fraction of the integrator's stability limit, damping and contact stiffness included."},
    {"tolerance", MO_REAL, MO_FIELD(automatic, tolerance), .initial = "0.01", .range = "(0, 1]",
     .doc =
         "Relative energy error per period that the step aims at; an integrator of order p takes "
         "steps proportional to tolerance^(1/p)."},
    {"min", MO_REAL, MO_FIELD(automatic, min), .unit = "s", .range = "(0, inf)",
     .doc = "Smallest step, by default 1e-6 of a frame; a warning reports when less is needed."},
    {"max", MO_REAL, MO_FIELD(automatic, max), .unit = "s", .range = "(0, inf)",
     .doc = "Largest step, by default a quarter of the time between frames."},
    {0}};

static mote_status auto_check(const void *params, mote_error *error)
{
    const automatic *p = params;
    if (p->min > p->max) {
        return mo_fail(error, MOTE_ERROR_INPUT, "min: %g is above max = %g", p->min, p->max);
    }
    return MOTE_OK;
}

static void take(mo_step_bound *least, double size, const char *name)
{
    if (size > 0 && size < least->size) {
        *least = (mo_step_bound){.size = size, .name = name};
    }
}

/* x^(1/n) of x in (0, 1], by Newton's method from above. */
static double root_of(double x, int n)
{
    double r = 1;
    for (int k = 0; k < 80; ++k) {
        r -= (r - x / mo_power(r, n - 1)) / n;
    }
    return r;
}

/* omega h of an integrator: c_p tolerance^(1/p). Of first order, symplectic Euler has an energy
 * error of omega h/2 and implicit Euler loses 2 pi omega h of it per period; of second order the
 * error is (omega h)^2/8. For integrators unstable at any step all frequencies count. */
static double radians_a_step(const mo_step_state *state, double tolerance)
{
    double first = state->implicit ? 1.5 : 5;
    double c = state->grows ? 0.5 : state->order == 1 ? first : state->order == 2 ? 2 : 1;
    return c * root_of(tolerance, state->order);
}

/* The smallest of all conditions. */
static mo_step_bound condition(const automatic *p, const mo_step_state *state)
{
    mo_step_bound least = {.size = FRAME_PART * state->frame, .name = "frame"};
    if (!isnan(p->max)) {
        least = (mo_step_bound){.size = fmin(p->max, state->frame), .name = "max"};
    }
    double root = sqrt(state->speed * state->speed + 4 * p->factor * state->acceleration);
    take(&least, 2 * p->factor / (state->speed + root), "courant");
    take(&least, p->safety * state->stable.size, state->stable.name);
    if (state->order > 0) {
        double size = radians_a_step(state, p->tolerance) / state->motion;
        take(&least, state->implicit ? fmax(size, FINEST_PART * state->frame) : size, "accuracy");
    }
    take(&least, state->bound.size, state->bound.name);
    return least;
}

/* The largest frame/n not above `size`, n = 2^k or 3 2^k. */
static double level(double frame, double size)
{
    double n = ceil(frame / size / ROUNDING), power = 1;
    while (power < n) {
        power *= 2;
    }
    return frame / (n > 2 && 0.75 * power >= n ? 0.75 * power : power);
}

static mo_step_choice auto_choose(const void *params, const mo_step_state *state)
{
    const automatic *p = params;
    mo_step_bound least = condition(p, state);
    double min = isnan(p->min) ? 1e-6 * state->frame : p->min;
    mo_step_choice choice = {least.size, least.name, NULL};
    if (choice.size < min) {
        return (mo_step_choice){min, "min",
                                "a step below time.step.min is asked for: something is very fast, "
                                "very stiff, or about to explode; soften the forces, use an "
                                "implicit integrator, or lower min"};
    }
    bool relaxes = state->may_relax && least.size > RELAX * state->current;
    if (state->constant && state->current > 0 && state->current <= least.size * ROUNDING &&
        !relaxes) {
        return (mo_step_choice){state->current, state->current_limit, NULL};
    }
    if (state->constant) {
        choice.size = level(state->frame, state->current > 0 ? MARGIN * least.size : least.size);
        choice.size = fmax(choice.size, min);
    }
    return choice;
}

const mo_step_type mo_step_auto = {
    .base = {.name = "auto",
             .summary = "Chosen by itself: the smallest of Courant, stability of the integrator, "
                        "accuracy, sound, viscosity, contact and a quarter of a frame.",
             .capabilities = MO_STEP_VARIES | MO_STEP_ADVISED | MO_PORTABLE,
             .param_size = sizeof(automatic),
             .params = PARAMS,
             .check = auto_check},
    .choose = auto_choose,
};
