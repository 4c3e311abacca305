/*
 * Boundary particles with pressures of their own (S. Band, C. Gissler, M. Ihmsen, J. Cornelis, A.
 * Peer, M. Teschner 2018, Pressure boundaries for implicit incompressible SPH, ACM Trans. Graph.
 * 37, 14).
 *
 * A sample b of a solid is a fluid particle that does not move by pressure. It has a density and a
 * pressure k_b as rows have,
 *     delta_b = sum_j V_j W_bj + base_b,    base_b = sum_b' V_b' W_bb',
 * rows feel both pressures of a pair,
 *     m_i a_i = -V_i (sum_j V_j (k_i + k_j) grad W_ij + sum_b V_b (k_i + k_b) grad W_ib),
 * and the density of a sample changes with the rows that move,
 *     L_b = sum_j V_j (u_b - u_j) . grad W_bj.
 * That is the transpose of the force of k_b, sum_b V_b k_b L_b = -sum_i m_i a_i . u_i, so that the
 * system of pressure/solve.h stays symmetric, and hydrostatic pressure goes on linearly behind the
 * surface: there rows have as many neighbours with as right pressures as anywhere.
 *
 * base_b is that of a solid without end: samples lie only as deep as rows feel them, but are no
 * surface themselves. Samples that are near no row have no pressure.
 *
 * Jacobi steps. Samples that are far from the fluid act on the same few rows, all in one direction,
 * so their own diagonal V_b sum_j V_j |grad W|^2/rho0 is up to fifteen times too small. They are
 * relaxed on the sum of the magnitudes of their row among samples instead (l1-Jacobi; A. Baker et
 * al. 2011, SIAM J. Sci. Comput. 33, 2864), bounded by
 *     diagonal_b = sum_j V_j |grad W_bj| M_j/rho0_j,    M_j = sum_b V_b |grad W_jb|.
 *
 * Their pressures are no state: each solve starts from the mean of the rows around.
 */
#ifndef MO_FLUID_SPH_LAYERS_H
#define MO_FLUID_SPH_LAYERS_H

#include "fluid/sph/fluid.h"

/* Part of mo_fluid_update: room for everything below. */
mote_status mo_layers_room(mo_fluid *fluid, mote_error *error);
void mo_layers_release(mo_fluid *fluid);

/* Part of mo_fluid_refresh, after slopes: densities and diagonals of samples; they have no pressure
   until somebody gives them one. */
void mo_layers_refresh(mo_fluid *fluid);

/* Part of mo_fluid_push: adds the pressures of samples. */
void mo_layers_push(mo_fluid *fluid);

/* rate_b = L_b, of u (four numbers a place) and the samples' own velocities if walls_move. */
void mo_layers_rates(mo_fluid *fluid, const float *u, bool walls_move);

/* k_b from the rows around: sum_j slope_bj k_j/sum_j slope_bj, of any number of rows. */
void mo_layers_start(mo_fluid *fluid, const float *k);

/* After k_b of samples was changed: those of their periodic images. */
void mo_layers_spread(mo_fluid *fluid);

#endif
