/*
 * The response of free bodies in a pressure solve (collide/responder.h). For each row i and body B
 * the fluid has one 6-vector
 *     J_iB = (g, (x_i - c_B) x g),    g the gradient of B's part of L_i    (sph/walls.h),
 * so that iterations do not loop over the boundary:
 *     wrench_B = sum_i V_i k_i J_iB               the pressures of all rows on the body,
 *     L_i      = ... - sum_B J_iB . a_B           the part of the body's acceleration,
 *     diagonal_i += m_i sum_B J_iB M_B^-1 J_iB    beside -diagonal_i/rho0 = dL_i/dk_i of the fluid.
 * The second is the exact transpose of the first in the inner product sum_i V_i k_i L_i, so that
 * the system is symmetric for any symmetric response. Wrenches are summed in a fixed tree.
 *
 * Limits. A body couples all adjacent rows, which slows Jacobi iterations: a solve with 27
 * iterations with a heavy body takes 30 with one of a quarter of the density of the fluid, 104 with
 * a sixteenth, and more than 200 with a hundredth (unit/fluid_responder.c).
 *
 * Solvers. The system of pressure/solve.h (dfsph, iisph) uses the response in every iteration. pbf
 * has the diagonal and kicks the bodies after each correction; wcsph and isph kick them once.
 */
#ifndef MO_FLUID_SPH_RESPONSE_H
#define MO_FLUID_SPH_RESPONSE_H

#include "fluid/sph/fluid.h"

/* From the next mo_fluid_update on; NULL: all colliders are prescribed. The responder is owned
 * by the caller and must not move. */
mote_status mo_fluid_set_responder(mo_fluid *fluid, const mo_responder *responder,
                                   mote_error *error);

/* Parts of mo_fluid_update and mo_fluid_refresh: pairs of rows and bodies; J, and the diagonal. */
mote_status mo_response_layout(mo_fluid *fluid, mote_error *error);
void mo_response_refresh(mo_fluid *fluid);
void mo_response_release(mo_fluid *fluid);

/* wrench_B of pressures k. */
void mo_response_wrench(mo_fluid *fluid, const float *k, mo_wrench *wrench);

/* rate_i -= sum_B J_iB . a_B */
void mo_response_rates(mo_fluid *fluid, const mo_twist *acceleration, float *rate);

/* In an iteration, after mo_fluid_rates of the pressure acceleration of k: the response of all
 * bodies to k. No effect without a responder. */
void mo_fluid_respond(mo_fluid *fluid, const float *k, float *rate);

/* Applies forces with these wrenches for h: changes the velocities of bodies and their boundary
 * particles. */
void mo_response_kick(mo_fluid *fluid, const mo_wrench *wrench, double h);

#endif
