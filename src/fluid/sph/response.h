/*
 * The response of free bodies in a pressure solve (collide/responder.h). For each row i and body B
 * the fluid has one 6-vector
 *     J_iB = (g, (x_i - c_B) x g),    g the gradient of B's part of L_i    (sph/walls.h),
 * so that iterations do not loop over the boundary:
 *     wrench_B = sum_i V_i k_i J_iB               the pressures of all rows on the body,
 *     L_i      = ... - sum_B J_iB . a_B           the part of the body's acceleration.
 * The second is the exact transpose of the first in the inner product sum_i V_i k_i L_i, so that
 * the system is symmetric for any symmetric response. V_i is multiplied by `mirror` where the force
 * of a boundary is. Wrenches are summed in a fixed order.
 *
 * Light bodies. A body couples all adjacent rows: the matrix of the system is A + J M^-1 J^T V, and
 * Jacobi iterations diverge or crawl where the second part dominates. They use the preconditioner
 * D + J M^-1 J^T V instead of the diagonal D of A, inverted by the Woodbury identity:
 *     dk = (r - J a)/D,    (M + S) a = J^T (V/D) r,    S = J^T (V/D) J,
 * with sums over rows whose pressure changes. The condition number is no larger than that of the
 * fluid between fixed bodies, whatever the masses are (docs/coupling.md).
 */
#ifndef MO_FLUID_SPH_RESPONSE_H
#define MO_FLUID_SPH_RESPONSE_H

#include "fluid/sph/fluid.h"

/* From the next mo_fluid_update on; NULL: all colliders are prescribed. The responder is owned
 * by the caller and must not move. */
mote_status mo_fluid_set_responder(mo_fluid *fluid, const mo_responder *responder,
                                   mote_error *error);

/* Parts of mo_fluid_update and mo_fluid_refresh: memory; J. */
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

/* A projected Jacobi step k = max(0, guess + omega r/(span D)) from residuals r = span rate -
 * source - excess. */
typedef struct mo_jacobi_step {
    const float *rate, *source, *guess;
    float span, omega, excess;
    bool growing; /* k never decreases */
} mo_jacobi_step;

/* span J a of the preconditioner, to be subtracted from the residuals of a step; one number per
 * row of the fluid, NULL: none is close to a body. */
const float *mo_response_precondition(mo_fluid *fluid, const mo_jacobi_step *step);

/* Applies forces with these wrenches for h: changes the velocities of bodies and their boundary
 * particles. */
void mo_response_kick(mo_fluid *fluid, const mo_wrench *wrench, double h);

/* The same with the bodies' own accelerations, where the fluid's external ones act. */
void mo_response_accelerate(mo_fluid *fluid, double h);

#endif
