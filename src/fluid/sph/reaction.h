/*
 * Reactions of a fluid's boundary. The force of a solid on a row is
 *     m_i a_i = -V_i k_i g,    g the gradient of the solid's part of L_i    (sph/walls.h),
 * with the opposite on the solid, at the row's position: L depends on the position in the frame of
 * the solid alone, so that force and torque balance. Friction likewise. Reactions are summed for
 * every acceleration, at the positions where it acts: with gravity they are the total change of
 * momentum of a step. Evaluation afterwards, from the pressures at the new positions, had errors of
 * 4 to 7 % in an impact.
 *
 * Gradients are those of the fluid in single precision, so reactions and the momentum of the fluid
 * balance to the rounding of its sums (1e-7 of the sum of magnitudes).
 *
 * Reactions are summed on request, over entries of rows and solids.
 */
#ifndef MO_FLUID_SPH_REACTION_H
#define MO_FLUID_SPH_REACTION_H

#include "fluid/sph/wall_entries.h"

/* From the next step on; repeated calls are cheap. */
mote_status mo_fluid_want_reactions(mo_fluid *fluid, mote_error *error);

/* At the start of a step from `time` to `end`: resets the reactions; torques about the
 * colliders' origins at `time`. */
void mo_fluid_begin_reactions(mo_fluid *fluid, double time, double end);

/* After mo_fluid_accelerate of k, which acts on velocities for the whole step h. Free bodies
 * receive the impulse at once (response.h). */
mote_status mo_fluid_react(mo_fluid *fluid, const float *k, double h, mote_error *error);

/* Other forces on solids: that of an entry. */
typedef mo_vec3 mo_boundary_force(const void *context, const mo_fluid *fluid, int64_t row,
                                  const mo_wall_entry *entry);
mote_status mo_fluid_react_forces(mo_fluid *fluid, mo_boundary_force *force, const void *context,
                                  double h, mote_error *error);

#endif
