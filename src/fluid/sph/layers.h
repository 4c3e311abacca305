/*
 * Boundary particles with their own pressures (S. Band, C. Gissler, M. Ihmsen, J. Cornelis, A.
 * Peer, M. Teschner 2018, Pressure boundaries for implicit incompressible SPH, ACM Trans. Graph.
 * 37, 14).
 *
 * A sample b of a solid is a fluid particle without pressure acceleration. It has a density and a
 * pressure k_b,
 *     delta_b = sum_j V_j W_bj + base_b,    base_b = sum_b' V_b' W_bb',
 * rows are accelerated by both pressures of a pair,
 *     m_i a_i = -V_i (sum_j V_j (k_i + k_j) grad W_ij + sum_b V_b (k_i + k_b) grad W_ib),
 * and the density of a sample changes by L_b = sum_j V_j (u_b - u_j) . grad W_bj, the transpose of
 * the force of k_b: the system of pressure/solve.h is symmetric, and hydrostatic pressure is
 * extrapolated linearly behind the surface. base_b is that of a semi-infinite solid; samples
 * without adjacent rows have no pressure.
 *
 * Samples far from the fluid act on the same few rows in one direction, so the diagonal V_b sum_j
 * V_j |grad W|^2/rho0 is up to fifteen times too small. They are relaxed on the l1 norm of their
 * row (l1-Jacobi; A. Baker et al. 2011, SIAM J. Sci. Comput. 33, 2864), bounded by diagonal_b =
 * sum_j V_j |grad W_bj| M_j/rho0_j, M_j = sum_b V_b |grad W_jb|. Their pressures are not state:
 * each solve starts from the mean of the adjacent rows.
 */
#ifndef MO_FLUID_SPH_LAYERS_H
#define MO_FLUID_SPH_LAYERS_H

#include "fluid/sph/fluid.h"

/* Part of mo_fluid_update: allocates the arrays below. */
mote_status mo_layers_reserve(mo_fluid *fluid, mote_error *error);
void mo_layers_release(mo_fluid *fluid);

/* Part of mo_fluid_refresh, after the kernel gradient factors: densities and diagonals of
 * samples; pressures are zero initially. */
void mo_layers_refresh(mo_fluid *fluid);

/* Part of mo_fluid_accelerate: adds the pressures of samples. */
void mo_layers_accelerate(mo_fluid *fluid);

/* rate_b = L_b, of u (four components per particle) and the velocities of samples if walls_move. */
void mo_layers_rates(mo_fluid *fluid, const float *u, bool walls_move);

/* k_b from the adjacent rows: sum_j g_bj k_j/sum_j g_bj, for any value of rows. */
void mo_layers_start(mo_fluid *fluid, const float *k);

/* After a change of k_b: updates those of periodic images. */
void mo_layers_spread(mo_fluid *fluid);

#endif
