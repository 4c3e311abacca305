/*
 * Relaxation of the initial density error: of the compression that is there already when a step
 * begins, in a block that was filled too densely, an over-filled closed domain, or after a solve
 * that left some. To undo it within one step takes a speed of (compression x size)/h, however small
 * h is: that is how implicit solvers explode. What v* is about to compress must be prevented all
 * the same, that is as fast as the flow itself. So of
 *     s_i = 1 - delta_i - h D delta*_i/Dt
 * only the first part is limited: a compression c = delta_i - 1 counts as
 *     min(c - surplus, most).
 * Where that is negative particles below their density, or less compressed than the average, may
 * become denser.
 *
 * most = 0.3 h w + 0.02 C^2 with w = sqrt(g/spacing), the pace at which particles fall past each
 * other (without gravity 0.03 v/spacing, and 1/s at least), and C = v h/spacing, the Courant number
 * of the fastest v: the linear prediction is wrong by the order of C^2. Without gravity both parts
 * grow with v, and the speed at which compression is undone with them: at 0.1 v/spacing and 0.05
 * C^2 eddies in a periodic box gained 2 % of their energy from a jitter of 0.1, and 74 of 250 J
 * came back within 20 ms when their strained lattice broke up.
 *
 * surplus is the average compression less 0.01 h w, if it is more than twice the tolerance and six
 * tenths of all particles are compressed, else 0. Compression that is everywhere cannot be undone
 * in a closed domain, whatever the pressure; under a free surface it is undone at that rate. Six
 * tenths and not all of them: in disordered fluid densities scatter about their average. In a fluid
 * that is within its tolerance it is 0.
 *
 * With boundaries that are contacts nothing is limited: contacts stop particles that the prediction
 * takes to go on, so what they compress is there already when it is first seen.
 */
#ifndef MO_FLUID_PRESSURE_RECOVERY_H
#define MO_FLUID_PRESSURE_RECOVERY_H

#include "fluid/pressure/pressure.h"

typedef struct mo_recovery {
    float surplus, most;
    double
        /* the solver's; then what its solve may leave so that the fluid still recovers, infinite:
         * anything */
        tolerance;
} mo_recovery;

/* From densities (a number a row, in those at rest), their mean compression, and velocities as they
 * are packed. */
mote_status mo_recovery_find(mo_fluid *fluid, const mo_fluid_step *now, const float *density,
                             double mean, mo_recovery *recovery, mote_error *error);

/* The pace w above [1/s], and the largest speed. */
mote_status mo_recovery_pace(mo_fluid *fluid, double time, double *pace, double *speed,
                             mote_error *error);

/* s_i without the flow's part. */
MO_INLINE float mo_recovery_source(const mo_recovery *r, float density)
{
    float over = density - 1 - r->surplus;
    return over < r->most ? -over : -r->most;
}

#endif
