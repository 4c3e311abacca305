/*
 * Reactions of a fluid's boundary. A row feels of the boundary
 *     m_i a_i = -V_i k_i wall_i,    wall_i = sum_b V_b grad F_ib    (sph/walls.h),
 * and each collider the opposite of the share of its boundary particles; wall viscosity likewise.
 * Reactions are summed push by push, at the positions where a push acts: with gravity they are the
 * whole change of momentum of a step. Evaluated afterwards, from the pressures at the new
 * positions, they were 4 to 7 % off in an impact.
 *
 * What is exact. The reactions of a row to pressure add up to m_i k_i wall_i/rho0 in double, with k
 * and wall_i as the push had them. The push itself is a sum in single precision, of pairs of fluid
 * and of the boundary in one: the momentum of the fluid and the reactions balance to that rounding
 * (1e-7 of the sum of magnitudes), not better. Wall viscosity is evaluated for reactions in double,
 * from the same floats.
 *
 * Cost. Pressure is central, so a row with boundary particles of one collider only contributes
 * (R, (x_i - c) x R) without a look at pairs. Only rows between colliders, and periodic domains (an
 * image acts where its owner stands), go over pairs. Reactions are summed when somebody wants them.
 */
#ifndef MO_FLUID_SPH_REACTION_H
#define MO_FLUID_SPH_REACTION_H

#include "fluid/sph/fluid.h"

/* From the next step on; cheap to call again. */
mote_status mo_fluid_want_reactions(mo_fluid *fluid, mote_error *error);

/* At the start of a step from `time` to `end`: none yet; torques about the colliders' origins at
   `time`. */
void mo_fluid_begin_reactions(mo_fluid *fluid, double time, double end);

/* After mo_fluid_push of k, which acts on velocities for the whole step h. Bodies that are free to
   move get the impulse at once (response.h). */
mote_status mo_fluid_react(mo_fluid *fluid, const float *k, double h, mote_error *error);

/* Other forces on boundary particles: that of pair `at` of the boundary's lists, with x = x_row -
   x_j. */
typedef mo_vec3 mo_boundary_force(const void *context, const mo_fluid *fluid, int64_t row, int64_t at,
                                  int64_t j, mo_vec3 x);
mote_status mo_fluid_react_forces(mo_fluid *fluid, mo_boundary_force *force, const void *context, double h,
                                  mote_error *error);

#endif
