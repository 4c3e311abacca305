/*
 * Reactions of a fluid's boundary. A row feels of a solid
 *     m_i a_i = -V_i k_i g,    g the gradient of the solid's part of L_i    (sph/walls.h),
 * and the solid the opposite, at the row's own position: L depends on the position in the frame of
 * the solid alone, so that force and torque of both balance. Friction likewise. Reactions are
 * summed for every acceleration, at the positions where it acts: with gravity they are the whole
 * change of momentum of a step. Evaluated afterwards, from the pressures at the new positions, they
 * were 4 to 7 % off in an impact.
 *
 * Gradients are those in single precision that the fluid feels, so reactions and the momentum of
 * the fluid balance to the rounding of its sums (1e-7 of the sum of magnitudes).
 *
 * Reactions are summed when somebody wants them, over entries of rows and solids alone.
 */
#ifndef MO_FLUID_SPH_REACTION_H
#define MO_FLUID_SPH_REACTION_H

#include "fluid/sph/wall_entries.h"

/* From the next step on; cheap to call again. */
mote_status mo_fluid_want_reactions(mo_fluid *fluid, mote_error *error);

/* At the start of a step from `time` to `end`: none yet; torques about the colliders' origins at
   `time`. */
void mo_fluid_begin_reactions(mo_fluid *fluid, double time, double end);

/* After mo_fluid_push of k, which acts on velocities for the whole step h. Bodies that are free to
   move get the impulse at once (response.h). */
mote_status mo_fluid_react(mo_fluid *fluid, const float *k, double h, mote_error *error);

/* Other forces on solids: that of an entry. */
typedef mo_vec3 mo_boundary_force(const void *context, const mo_fluid *fluid, int64_t row,
                                  const mo_wall_entry *entry);
mote_status mo_fluid_react_forces(mo_fluid *fluid, mo_boundary_force *force, const void *context,
                                  double h, mote_error *error);

#endif
