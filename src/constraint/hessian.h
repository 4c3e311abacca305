/*
 * Second derivatives of constraint functions, for Newton's method: h[3 n + k][3 m + l] is the
 * derivative by component k of node n and component l of node m, of four constraints.
 */
#ifndef MO_CONSTRAINT_HESSIAN_H
#define MO_CONSTRAINT_HESSIAN_H

#include "constraint/constraint.h"

void mo_hessian_clear(mo_hessian h);

/* Rows and columns of node 0 of a function of the differences x_n - x_0: minus the sums of the
 * others, which are filled. */
void mo_hessian_balance(mo_hessian h, int nodes);

/* Of a function of F = Ds Dm^-1 of a tetrahedron with its derivatives d[3 i + k][3 j + l] by
 * component k of column i and component l of column j; `shape` is Dm^-1 (element.h), by lane. */
void mo_hessian_of_columns(const double *shape, mo_d4 d[9][9], mo_hessian h);

/* Adds s times the derivatives of a . (b x c) by the pairs of three vectors, whose components begin
 * at `first`, of `width` columns. */
void mo_hessian_add_triple(mo_d4 s, const mo_d4 v[3][3], mo_d4 *d, int width, int first);

#endif
