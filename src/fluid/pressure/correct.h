/*
 * Outer iterations of Newton's method. A solve makes the densities right as far as they are linear
 * in the positions; what is left at the new positions is of second order, and in the steps of an
 * impact above small tolerances. So the system is solved again there, with the boundary where it is
 * then and the lists as they were, for the density error against the target of the first solve,
 *     s_i = target_i - delta_i,    target_i = delta_i + the part of s_i that recovery.h gives, at
 *                                  the start of the step,
 * and its accelerations change positions and velocities once more. The target is not 1: density
 * error from before the step, which recovery.h relaxes slowly, would be undone at once here and its
 * speed kept. In a closed domain it can never be undone, and each step would add its energy.
 *
 * Particles of a spray meet a boundary within one step, where the linear prediction sees nothing of
 * it, and are too few to show in an average: so a round is made for a single particle too, if its
 * error is above 20 tolerances and 1 %.
 *
 * To know the new densities costs an iteration or two, so they are found only if the first solve
 * began with an average residual of half the tolerance, or had to prevent 30 tolerances at one
 * particle. Contacts of geometric boundaries move particles after the step: nothing is corrected
 * there.
 *
 * A step leads from x to x + h v, so its accelerations must act along the pairs at x for angular
 * momentum to be conserved: sum m (x + h v) x v - sum m x x v0 = sum m x x (v - v0). Fluids without
 * a boundary are corrected so. Near a boundary the old gradients are no guide: F is much steeper at
 * a position that was led into it, and accelerations that make up for a weak gradient sent other
 * particles through a thin plate. Momentum is exchanged with the boundary anyway, so the gradients
 * there are those of the new positions.
 */
#ifndef MO_FLUID_PRESSURE_CORRECT_H
#define MO_FLUID_PRESSURE_CORRECT_H

#include "fluid/pressure/pressure.h"
#include "fluid/pressure/solve.h"

typedef struct mo_correction_def {
    mo_solve_def solve;
    double tolerance; /* of the average density error at the new positions */
    int64_t most;     /* rounds */
} mo_correction_def;

/* After the drift of a step, whose solve was `first` and aimed at the densities `target`; `more` is
 * scratch space. Both are a number a row. Adds to the report. */
mote_status mo_correct_places(mo_fluid *fluid, const mo_correction_def *def,
                              const mo_fluid_step *now, const mo_solve_result *first,
                              const float *target, float *more, mote_error *error);

#endif
