/*
 * First derivatives that are exact on linear flows, and a Laplacian that is consistent with them.
 *
 * In a lattice under isochoric strain density sums change by percents: the plain rate sum_j V_j
 * (u_i - u_j) . grad W_ij interprets such flows as compression. The matrix
 *     B_i = M_i^-1,    M_i = sum_j V_j grad W_ij (x_j - x_i)^T
 * removes that (P. W. Randles, L. D. Libersky 1996, Comput. Methods Appl. Mech. Eng. 139, 375):
 *     rate_i = sum_j V_j (u_i - u_j) . B_i grad W_ij = -div u
 * for every linear u and any arrangement. Near a wall and at a free surface M has eigenvalues far
 * below 1; there the plain rate, which includes the boundary, is accurate and robust. The matrix is
 * A = 1 + t (B - 1), with t from 0 to 1 as the smallest eigenvalue of M goes from 0.6 to 0.8, and
 * from 0.1 to 0.2 at interior rows, where a small one indicates a lattice stretched by the flow.
 *
 * On a quadratic p the compact sum 2 sum_j V_j (p_j - p_i) G_ij is M : grad grad p. A projection by
 * it and by corrected gradients scales the divergence of a mode by 1 - r with r up to 1/m, m the
 * least eigenvalue of M: below 1/2 modes grow. With each pair weighted by
 *     A_ij = n . (A_i + A_j) n/2,    n = x_ij/|x_ij|,
 * r is at most 1.04 on lattices stretched by any factor up to 2.6, at supports of 2 and 3 spacings,
 * along axes and diagonals, and the system stays symmetric. Pairs with a row next to a wall or air
 * keep the weight 1, consistent with their plain rates and completed sums.
 */
#ifndef MO_FLUID_SPH_CORRECTED_H
#define MO_FLUID_SPH_CORRECTED_H

#include "fluid/sph/fluid.h"
#include "fluid/sph/free_surface.h"

typedef struct mo_corrected {
    float *near, *far; /* particles x 4: A as xx yy zz xy, xz yz; `far` in three dimensions only */
    float *weight;     /* of each pair of the lists: V_j G_ij A_ij */
    float *inside;     /* rows: 1 where fluid surrounds a row, else 0 */
    int64_t near_capacity, far_capacity, weight_capacity, inside_capacity;
} mo_corrected;

/* M of a row as xx yy zz xy xz yz, with a unit for the missing direction of a flat fluid. */
void mo_fluid_moments(const mo_fluid *fluid, int64_t row, double m[6]);

/* The matrices of all rows, or unit matrices, and the weights of all pairs. `share` is the trace of
 * M over the dimension: the fluid fraction of the support, 1 in the interior. */
mote_status mo_corrected_find(mo_corrected *corrected, mo_fluid *fluid, const mo_air *air,
                              bool enabled, float *share, mote_error *error);

void mo_corrected_release(mo_corrected *corrected, mo_memory *memory);

/* As mo_fluid_rates, with the computed matrices. */
void mo_corrected_rates(const mo_corrected *corrected, mo_fluid *fluid, const float *u,
                        bool walls_move, float *rate);

#endif
