/*
 * The rate of compression, exact on linear flows.
 *
 * In a lattice that is sheared or stretched and keeps its volume, sums over neighbours change by
 * percents: the plain rate sum_j V_j (u_i - u_j) . grad W_ij takes these flows for compression. The
 * matrix
 *     B_i = M_i^-1,    M_i = sum_j V_j grad W_ij (x_j - x_i)^T
 * removes that (P. W. Randles, L. D. Libersky 1996, Comput. Methods Appl. Mech. Eng. 139, 375):
 *     rate_i = sum_j V_j (u_i - u_j) . B_i grad W_ij = -div u
 * for every linear u, however particles are arranged. Beside a wall and at a free surface neighbours
 * are missing and M has eigenvalues far below 1; there the plain rate, which counts what walls do,
 * is right and robust. The matrix is 1 + t (B - 1), with t from 0 to 1 as the least eigenvalue of M
 * goes from 0.6 to 0.8.
 */
#ifndef MO_FLUID_SPH_CORRECTED_H
#define MO_FLUID_SPH_CORRECTED_H

#include "fluid/sph/fluid.h"

/* M of a row as xx yy zz xy xz yz, with a unit for the missing direction of a flat fluid. */
void mo_fluid_moments(const mo_fluid *fluid, int64_t row, double m[6]);

/* As mo_fluid_rates, corrected where a row is surrounded by fluid, or nowhere. `share` is the trace
 * of M over the dimension: how much of a row's surroundings is fluid, 1 inside. */
void mo_fluid_corrected_rates(mo_fluid *fluid, const float *u, bool walls_move, bool corrected,
                              float *rate, float *share);

#endif
