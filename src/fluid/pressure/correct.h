/*
 * The second half of a Newton's method. A solve makes the densities right as they change linearly with the places; when
 * particles have moved as it says, what is left is of second order, and in the steps of an impact above small tolerances. So
 * the system is solved again at the new places, s_i = 1 - delta_i, with walls where they are then and the lists as they were, and what comes out moves places
 * and velocities once more.
 *
 * To know the densities there costs as much as an iteration or two, so it is looked at only if the first solve had much to do: if
 * it began with a residual of half the tolerance or more. With walls that are contacts these come later and move particles
 * anyway, so there nothing is corrected.
 *
 * A step leads from x to x + h v, so what it changes velocities by must act along the pairs as they are at x for
 * angular momentum to be kept: sum m (x + h v) x v - sum m x x v0 = sum m x x (v - v0). Fluids without walls are corrected so, by
 * gradients of the step's start. Near walls these are no guide: F is much steeper at a place that was led into it, and what was needed of
 * a weak gradient sent other particles through a thin plate. There momentum is the walls' anyway, and gradients are those of
 * the new places.
 */
#ifndef MO_FLUID_PRESSURE_CORRECT_H
#define MO_FLUID_PRESSURE_CORRECT_H

#include "fluid/pressure/pressure.h"
#include "fluid/pressure/solve.h"

typedef struct mo_correction_def {
    mo_solve_def solve;
    double tolerance; /* of the mean compression at the new places */
    int64_t most;     /* rounds */
} mo_correction_def;

/* After the drift of a step, whose solve was `first`; `more` is room for a number a row. Adds to the report. */
mote_status mo_correct_places(mo_fluid *fluid, const mo_correction_def *def, const mo_fluid_step *now,
                              const mo_solve_result *first, float *more, mote_error *error);

#endif
