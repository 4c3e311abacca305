/*
 * What becomes of compression that is there already when a step begins: a block that was filled too densely, a tank with more
 * fluid than room, what the last step left over. To undo it within one step takes a speed of (compression x size)/h,
 * however small h is: that is how implicit solvers explode. What v* is about to compress must be prevented all the same, that is
 * as fast as the flow itself. So of
 *     s_i = 1 - delta_i - h D delta*_i/Dt
 * only the first part is limited: a compression c = delta_i - 1 counts as
 *     min(c - surplus, most).
 * Where that is negative it is room: what is below its density, or less compressed than the rest, may become denser.
 *
 * most = 0.3 h w + 0.05 C^2 with w = sqrt(g/spacing), the pace at which particles fall past each other (without gravity a tenth
 * of v/spacing, and 1/s at least), and C = v h/spacing, the Courant number with the fastest v: what is predicted linearly is
 * wrong by the order of C^2, and that much must be taken back in the next step.
 *
 * surplus is the mean compression less 0.01 h w, if it is more than twice the tolerance and
 * nine tenths of all particles are compressed, else 0. Compression that is
 * everywhere cannot go away where a tank is closed, whatever the pressure; where there is a surface it goes away at that rate. In
 * a fluid that is within its tolerance it is 0.
 *
 * With walls that are contacts nothing is limited: contacts stop particles that the prediction takes to go on, so what they compress
 * is there already when it is first seen.
 */
#ifndef MO_FLUID_PRESSURE_RECOVERY_H
#define MO_FLUID_PRESSURE_RECOVERY_H

#include "fluid/pressure/pressure.h"

typedef struct mo_recovery {
    float surplus, most;
    double
        tolerance; /* the solver's; then what its solve may leave so that the fluid still recovers, infinite: anything */
} mo_recovery;

/* From densities (a number a row, in those at rest), their mean compression, and velocities as they are packed. */
mote_status mo_recovery_find(mo_fluid *fluid, const mo_fluid_step *now, const float *density, double mean,
                             mo_recovery *recovery, mote_error *error);

/* s_i without the flow's part. */
MO_INLINE float mo_recovery_source(const mo_recovery *r, float density)
{
    float over = density - 1 - r->surplus;
    return over < r->most ? -over : -r->most;
}

#endif
