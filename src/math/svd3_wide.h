/*
 * Signed singular values and polar decompositions of four 3 x 3 (or 2 x 2) matrices at once; see
 * svd3.h. Matrices are row-major, one mo_d4 per entry.
 *
 * The singular values come from one-sided Jacobi rotations (M. R. Hestenes 1958): the columns of B
 * = F V are rotated in pairs until they are orthogonal, |b_p . b_q| <= TOLERANCE |b_p| |b_q|; then
 * B = U S. It avoids F^T F, which would lose half of the digits of small singular values, and
 * converges quadratically, also for equal and zero ones. Orthogonal pairs are not rotated, so that
 * a lane's result does not depend on the other lanes. Only + - * / and sqrt.
 */
#ifndef MO_MATH_SVD3_WIDE_H
#define MO_MATH_SVD3_WIDE_H

#include "math/wide.h"

typedef struct mo_svd3_d4 {
    mo_d4 u[9], s[3], v[9];
} mo_svd3_d4;

enum { MO_SVD3_SWEEPS = 14, MO_POLAR3_STEPS = 12 };

MO_INLINE mo_d4 mo_svd3_dot(const mo_d4 b[9], int p, int q)
{
    return b[p] * b[q] + b[3 + p] * b[3 + q] + b[6 + p] * b[6 + q];
}

MO_INLINE void mo_svd3_turn(mo_d4 b[9], int p, int q, mo_d4 c, mo_d4 s)
{
    for (int k = 0; k < 9; k += 3) {
        mo_d4 x = b[k + p], y = b[k + q];
        b[k + p] = c * x - s * y;
        b[k + q] = s * x + c * y;
    }
}

/* The rotation (c, s) that makes two columns with the products pp, qq, pq orthogonal; none where
 * `still`. */
MO_INLINE void mo_svd3_angle(mo_d4 pp, mo_d4 qq, mo_d4 pq, mo_l4 still, mo_d4 *c, mo_d4 *s)
{
    const mo_d4 one = mo_d4_set(1), zero = mo_d4_set(0);
    mo_d4 d = 0.5 * (qq - pp), root = mo_d4_sqrt(d * d + pq * pq);
    mo_d4 below = d + mo_d4_select(d < zero, -root, root);
    mo_d4 t = mo_d4_select(still, zero, pq) / mo_d4_select(still, one, below);
    *c = one / mo_d4_sqrt(one + t * t);
    *s = t * *c;
}

/* An approximate angle with one root and one division: tan = pq/(2 (qq - pp)), and 22.5 degrees
 * where that is too large (A. McAdams et al. 2011, "Computing the singular value decomposition
 * of 3x3 matrices", section 2.1). The rotation is exact, its angle has a third-order error: at
 * most one sweep more. */
MO_INLINE void mo_svd3_quick_angle(mo_d4 pp, mo_d4 qq, mo_d4 pq, mo_l4 still, mo_d4 *c, mo_d4 *s)
{
    const mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1);
    const mo_d4 cosine = mo_d4_set(0.92387953251128674), sine = mo_d4_set(0.38268343236508978);
    mo_d4 d = qq - pp, along = mo_d4_abs(d), across = mo_d4_select(d < zero, -pq, pq);
    mo_l4 small = mo_d4_set(1.4571067811865475) * pq * pq < d * d; /* (3 + 2 sqrt(2))/4 */
    mo_d4 h = mo_d4_select(small, along + along, cosine);
    mo_d4 g = mo_d4_select(small, across, mo_d4_select(across < zero, -sine, sine));
    h = mo_d4_select(still, one, h);
    g = mo_d4_select(still, zero, g);
    mo_d4 inverse = one / (h * h + g * g);
    *c = (h * h - g * g) * inverse;
    *s = 2 * h * g * inverse;
}

/* Orthogonalises the columns p and q of B and updates V. Returns the lanes that were rotated. */
MO_INLINE mo_l4 mo_svd3_rotate(mo_d4 b[9], mo_d4 v[9], int p, int q)
{
    const mo_d4 tolerance2 = mo_d4_set(25e-32), least = mo_d4_set(1e-270);
    mo_d4 pp = mo_svd3_dot(b, p, p), qq = mo_svd3_dot(b, q, q), pq = mo_svd3_dot(b, p, q), c, s;
    mo_l4 moves = pq * pq > mo_d4_max(tolerance2 * (pp * qq), least);
    if (mo_l4_any(moves)) {
        mo_svd3_quick_angle(pp, qq, pq, ~moves, &c, &s);
        mo_svd3_turn(b, p, q, c, s);
        mo_svd3_turn(v, p, q, c, s);
    }
    return moves;
}

/* Where column q is the longer one, (p, q) become (q, -p), which is also a rotation. */
MO_INLINE void mo_svd3_order(mo_d4 b[9], mo_d4 v[9], mo_d4 n[3], int p, int q)
{
    mo_l4 swap = n[p] < n[q];
    mo_d4 longer = mo_d4_select(swap, n[q], n[p]), shorter = mo_d4_select(swap, n[p], n[q]);
    n[p] = longer;
    n[q] = shorter;
    for (int k = 0; k < 9; k += 3) {
        mo_d4 x = b[k + p], y = b[k + q];
        b[k + p] = mo_d4_select(swap, y, x);
        b[k + q] = mo_d4_select(swap, -x, y);
        x = v[k + p], y = v[k + q];
        v[k + p] = mo_d4_select(swap, y, x);
        v[k + q] = mo_d4_select(swap, -x, y);
    }
}

MO_INLINE void mo_svd3_identity(mo_d4 a[9])
{
    for (int k = 0; k < 9; ++k) {
        a[k] = mo_d4_set(k % 4 == 0);
    }
}

/* Column 0 of U along column 0 of B; along that of V where it is zero. */
MO_INLINE void mo_svd3_first(const mo_d4 b[9], const mo_d4 v[9], mo_d4 u[9])
{
    mo_d4 square = mo_svd3_dot(b, 0, 0);
    mo_l4 there = square > mo_d4_set(0);
    mo_d4 inverse = 1 / mo_d4_sqrt(mo_d4_select(there, square, mo_d4_set(1)));
    for (int k = 0; k < 9; k += 3) {
        u[k] = mo_d4_select(there, b[k] * inverse, v[k]);
    }
}

/* The component of column 1 of a orthogonal to column 0 of u, into out; returns its squared
 * length. */
MO_INLINE mo_d4 mo_svd3_beside(const mo_d4 a[9], const mo_d4 u[9], mo_d4 out[3])
{
    mo_d4 along = u[0] * a[1] + u[3] * a[4] + u[6] * a[7];
    for (int k = 0; k < 3; ++k) {
        out[k] = a[3 * k + 1] - along * u[3 * k];
    }
    return out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
}

/* Column 1 of U along the component of column 1 of B orthogonal to column 0. Where that is zero,
 * as close to V's as possible, so that an element collapsed to a point or a line recovers
 * without rotation; otherwise arbitrary. */
MO_INLINE void mo_svd3_second(const mo_d4 b[9], const mo_d4 v[9], mo_d4 u[9])
{
    const mo_d4 zero = mo_d4_set(0);
    mo_d4 w[3], like[3];
    mo_l4 there = mo_svd3_beside(b, u, w) > mo_d4_set(1e-280);
    mo_l4 turns = mo_svd3_beside(v, u, like) < mo_d4_set(0.01),
          by_x = mo_d4_abs(u[0]) < mo_d4_set(0.6);
    /* u0 x e_x = (0, z, -y), u0 x e_y = (-z, 0, x) */
    const mo_d4 any[3] = {mo_d4_select(by_x, zero, -u[6]), mo_d4_select(by_x, u[6], zero),
                          mo_d4_select(by_x, -u[3], u[0])};
    for (int k = 0; k < 3; ++k) {
        w[k] = mo_d4_select(there, w[k], mo_d4_select(turns, any[k], like[k]));
    }
    mo_d4 inverse = 1 / mo_d4_sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int k = 0; k < 3; ++k) {
        u[3 * k + 1] = w[k] * inverse;
    }
}

MO_INLINE void mo_svd3_third(mo_d4 u[9])
{
    u[2] = u[3] * u[7] - u[6] * u[4];
    u[5] = u[6] * u[1] - u[0] * u[7];
    u[8] = u[0] * u[4] - u[3] * u[1];
}

/* F = U diag(s) V^T with rotations U and V, s0 >= s1 >= |s2|; s2 has the sign of det F. */
static inline void mo_svd3_d4_of(const mo_d4 f[9], mo_svd3_d4 *out)
{
    mo_d4 b[9], n[3], largest = mo_d4_abs(f[0]);
    for (int k = 1; k < 9; ++k) {
        largest = mo_d4_max(largest, mo_d4_abs(f[k]));
    }
    /* scaled to 1, to avoid underflow and overflow of squares */
    largest = mo_d4_min(mo_d4_max(largest, mo_d4_set(1e-290)), mo_d4_set(1e290));
    mo_d4 inverse = 1 / largest;
    for (int k = 0; k < 9; ++k) {
        b[k] = f[k] * inverse;
    }
    mo_svd3_identity(out->v);
    for (int sweep = 0; sweep < MO_SVD3_SWEEPS; ++sweep) {
        mo_l4 moves = mo_svd3_rotate(b, out->v, 0, 1);
        moves |= mo_svd3_rotate(b, out->v, 0, 2);
        moves |= mo_svd3_rotate(b, out->v, 1, 2);
        if (!mo_l4_any(moves)) {
            break;
        }
    }
    for (int k = 0; k < 3; ++k) {
        n[k] = mo_svd3_dot(b, k, k);
    }
    mo_svd3_order(b, out->v, n, 0, 1);
    mo_svd3_order(b, out->v, n, 0, 2);
    mo_svd3_order(b, out->v, n, 1, 2);
    mo_svd3_first(b, out->v, out->u);
    mo_svd3_second(b, out->v, out->u);
    mo_svd3_third(out->u);
    for (int k = 0; k < 3; ++k) {
        out->s[k] =
            largest * (out->u[k] * b[k] + out->u[3 + k] * b[3 + k] + out->u[6 + k] * b[6 + k]);
    }
}

/* The same in the plane: only f[0], f[1], f[3], f[4] are used; the third axes of U and V are z,
 * s[2] is 0, and s[1] is signed. From the polar decomposition: F = R S with the angle of R from
 * (f00 + f11, f10 - f01). */
static inline void mo_svd2_d4_of(const mo_d4 f[9], mo_svd3_d4 *out)
{
    const mo_d4 zero = mo_d4_set(0), one = mo_d4_set(1);
    mo_d4 largest = mo_d4_max(mo_d4_max(mo_d4_abs(f[0]), mo_d4_abs(f[1])),
                              mo_d4_max(mo_d4_abs(f[3]), mo_d4_abs(f[4])));
    largest = mo_d4_min(mo_d4_max(largest, mo_d4_set(1e-290)), mo_d4_set(1e290));
    mo_d4 inverse = 1 / largest;
    mo_d4 a = f[0] * inverse, b = f[1] * inverse, c = f[3] * inverse, d = f[4] * inverse;
    mo_d4 x = a + d, y = c - b, square = x * x + y * y;
    mo_l4 turned = square > mo_d4_set(1e-280);
    mo_d4 by = 1 / mo_d4_sqrt(mo_d4_select(turned, square, one));
    mo_d4 cosine = mo_d4_select(turned, x * by, one), sine = mo_d4_select(turned, y * by, zero);
    /* S = R^T F, symmetric; its eigenvectors by one rotation */
    mo_d4 p = cosine * a + sine * c, r = cosine * d - sine * b;
    mo_d4 q = 0.5 * (cosine * b + sine * d + cosine * c - sine * a), k, s;
    mo_svd3_angle(p, r, q, q == zero, &k, &s);
    mo_d4 t = s / k, s0 = p - t * q, s1 = r + t * q;
    mo_l4 swap = s0 < s1; /* s0 + s1 >= 0, so s0 also has the larger magnitude */
    out->s[0] = largest * mo_d4_select(swap, s1, s0);
    out->s[1] = largest * mo_d4_select(swap, s0, s1);
    out->s[2] = zero;
    mo_svd3_identity(out->v);
    mo_svd3_identity(out->u);
    /* the columns (k, -s), (s, k) of the rotation, or the second and the negated first */
    mo_d4 v0 = mo_d4_select(swap, s, k), v1 = mo_d4_select(swap, k, -s);
    out->v[0] = v0;
    out->v[3] = v1;
    out->v[1] = -v1;
    out->v[4] = v0;
    out->u[0] = cosine * v0 - sine * v1;
    out->u[3] = sine * v0 + cosine * v1;
    out->u[1] = -out->u[3];
    out->u[4] = out->u[0];
}

/* a b^T */
MO_INLINE void mo_d4_times_transposed(const mo_d4 a[9], const mo_d4 b[9], mo_d4 out[9])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] =
                a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
        }
    }
}

/* The matrix of cofactors, det(a) a^-T. */
MO_INLINE void mo_d4_cofactors(const mo_d4 a[9], mo_d4 out[9])
{
    for (int i = 0; i < 3; ++i) {
        int p = (i + 1) % 3, q = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int s = (j + 1) % 3, t = (j + 2) % 3;
            out[3 * i + j] = a[3 * p + s] * a[3 * q + t] - a[3 * p + t] * a[3 * q + s];
        }
    }
}

/* The rotation nearest to F, U V^T, for det F > 0 and well-conditioned F: Newton's iteration R
 * <- (R + R^-T)/2 (N. J. Higham 1986), which converges quadratically. Returns the converged
 * lanes. */
static inline mo_l4 mo_polar3_newton(const mo_d4 f[9], mo_d4 r[9])
{
    const mo_d4 tolerance2 = mo_d4_set(1e-17), one = mo_d4_set(1);
    mo_d4 cofactors[9];
    mo_l4 going = one > mo_d4_set(0), good = going;
    memcpy(r, f, 9 * sizeof *r);
    for (int step = 0; step < MO_POLAR3_STEPS && mo_l4_any(going); ++step) {
        mo_d4_cofactors(r, cofactors);
        mo_d4 j = r[0] * cofactors[0] + r[1] * cofactors[1] + r[2] * cofactors[2],
              size = mo_d4_set(0);
        mo_d4 change = size;
        for (int k = 0; k < 9; ++k) {
            size += r[k] * r[k];
        }
        good &= j * j * mo_d4_set(1e4) > size * size * size; /* s0 s1 s2 against |F|^3 */
        good &= j > mo_d4_set(0);
        going &= good;
        mo_d4 inverse = 1 / mo_d4_select(going, j, one);
        for (int k = 0; k < 9; ++k) {
            mo_d4 next = 0.5 * (r[k] + cofactors[k] * inverse), d = next - r[k];
            change += mo_d4_select(going, d * d, mo_d4_set(0));
            r[k] = mo_d4_select(going, next, r[k]);
        }
        /* quadratic convergence: the next error is the square of this change */
        going &= change > tolerance2;
    }
    return good & ~going;
}

/* F = R S, R the rotation U V^T, S symmetric (and indefinite where det F < 0). */
static inline void mo_polar3_d4_of(const mo_d4 f[9], mo_d4 r[9])
{
    mo_l4 done = mo_polar3_newton(f, r);
    if (mo_l4_any(~done)) {
        mo_svd3_d4 svd;
        mo_d4 slow[9];
        mo_svd3_d4_of(f, &svd);
        mo_d4_times_transposed(svd.u, svd.v, slow);
        for (int k = 0; k < 9; ++k) {
            r[k] = mo_d4_select(done, r[k], slow[k]);
        }
    }
}

#endif
