/*
 * Signed singular value and polar decompositions of 3 x 3 and 2 x 2 matrices.
 *
 * F = U diag(s) V^T where U and V are rotations (no reflections) and the singular values are in
 * descending order; the smallest has the sign of det F (G. Irving, J. Teran, R. Fedkiw 2004,
 * section 4). F = R S with the rotation R = U V^T and the symmetric S = V diag(s) V^T. Zero, equal,
 * negative and tiny singular values are supported: U and V are orthonormal and U diag(s) V^T = F to
 * a few roundings of the largest. Undetermined directions (zero matrices, equal values) are chosen
 * deterministically.
 *
 * Matrices are processed four at a time (svd3_wide.h); one costs as much as four.
 */
#ifndef MO_MATH_SVD3_H
#define MO_MATH_SVD3_H

#include "math/mat3.h"

typedef struct mo_svd3 {
    mo_mat3 u, v;
    double s[3];
} mo_svd3;

mo_svd3 mo_svd3_of(mo_mat3 f);

/* In the x-y plane: the z row and column of F are ignored, s[2] is 0. */
mo_svd3 mo_svd2_of(mo_mat3 f);

/* R of F = R S; optionally S. */
mo_mat3 mo_polar3_of(mo_mat3 f, mo_mat3 *s);

/* Batched: row-major matrices f[9 k] into u, s[3 k] and v. */
void mo_svd3_all(int64_t count, const double *f, double *u, double *s, double *v);

#endif
