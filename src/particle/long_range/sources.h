/*
 * Sums over point charges for one target: sum_j q_j (x - x_j)/r^3 and its relatives, eight sources
 * at a time.
 *
 * 1/r is the bottleneck: a root and a division in double precision take longer than all the rest.
 * So both are done in single precision for eight lanes at once, y = 1/r (1 + 1.5e-7), and refined
 * in double precision with e = 1 - r^2 y^2:
 *     1/r   = y (1 + e/2 + 3/8 e^2)    of the energies, relative error below 1e-15;
 *     1/r^3 = y^3 (1 + 3/2 e)          of the forces, relative error 15/8 e^2 < 2e-13.
 * These are IEEE operations: portable. Coordinates are scaled by a power of two into [-1, 1], so
 * that r^2 is in the range of single precision; r is at least 1e-16 in forces, and particles that
 * coincide exert none on each other.
 */
#ifndef MO_PARTICLE_LONG_RANGE_SOURCES_H
#define MO_PARTICLE_LONG_RANGE_SOURCES_H

#include "math/wide.h"

/* r^2 below which particles coincide, in scaled units. */
#define MO_SOURCES_COINCIDENT 1e-32

/* `count` is a multiple of MO_WIDE; padded with charges 0. */
typedef struct mo_sources {
    const double *x, *y, *z, *q;
    int64_t count;
} mo_sources;

/* Sums with weights q_j: x, y, z of (x_i - x_j)/r^3, of 1/r, r^2/r_s^3 and |q_j|/r^3. */
typedef struct mo_source_sums {
    mo_d8 x, y, z, potential, virial, gradient;
} mo_source_sums;

MO_INLINE mo_d4 mo_widen(mo_f4 a)
{
#if defined(__AVX__)
    return _mm256_cvtps_pd((__m128)a);
#else
    return (mo_d4){(double)a[0], (double)a[1], (double)a[2], (double)a[3]};
#endif
}

MO_INLINE mo_f4 mo_narrow(mo_d4 a)
{
#if defined(__AVX__)
    return (mo_f4)_mm256_cvtpd_ps(a);
#else
    return (mo_f4){(float)a[0], (float)a[1], (float)a[2], (float)a[3]};
#endif
}

MO_INLINE mo_d4 mo_refine_root(mo_d4 square, mo_d4 y)
{
    mo_d4 e = 1 - square * y * y;
    return y + y * e * (0.5 + 0.375 * e);
}

/* 1/sqrt of numbers in the range of single precision. */
MO_INLINE mo_d8 mo_inverse_root(mo_d8 square)
{
    mo_f4 lo = mo_narrow(square.lo), hi = mo_narrow(square.hi);
    mo_f8 y = 1.0f / mo_f8_sqrt(__builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7));
    return (mo_d8){mo_refine_root(square.lo, mo_widen(__builtin_shufflevector(y, y, 0, 1, 2, 3))),
                   mo_refine_root(square.hi, mo_widen(__builtin_shufflevector(y, y, 4, 5, 6, 7)))};
}

MO_INLINE mo_d4 mo_sources_square(const mo_sources *s, int64_t k, const mo_d4 at[3], mo_d4 d[3])
{
    d[0] = at[0] - mo_d4_load(s->x + k);
    d[1] = at[1] - mo_d4_load(s->y + k);
    d[2] = at[2] - mo_d4_load(s->z + k);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

MO_INLINE void mo_sources_sum_four(const mo_d4 d[3], mo_d4 square, mo_d4 y, mo_d4 q, mo_d4 *x,
                                   mo_d4 *yy, mo_d4 *z, mo_d4 more[3])
{
    mo_d4 qy = q * y, weight = qy * y * y;
    *x += weight * d[0];
    *yy += weight * d[1];
    *z += weight * d[2];
    more[0] += qy;
    more[1] += weight * square;
    more[2] += mo_d4_abs(weight);
}

/* 2/3 q/r^3 from r^2 and y = 1/r in single precision. */
MO_INLINE mo_d4 mo_sources_weight(mo_d4 square, mo_d4 y, mo_d4 q)
{
    mo_d4 y2 = y * y;
    return (q * y) * y2 * (5.0 / 3 - square * y2);
}

/* The sums x, y and z alone. */
MO_INLINE void mo_sources_add_forces(const mo_sources *s, int64_t first, int64_t last,
                                     const double *at, double soft_square, mo_source_sums *sums)
{
    const mo_d4 here[3] = {mo_d4_set(at[0]), mo_d4_set(at[1]), mo_d4_set(at[2])};
    const mo_d4 soft = mo_d4_set(fmax(soft_square, MO_SOURCES_COINCIDENT));
    mo_d4 lo[3] = {{0}, {0}, {0}}, hi[3] = {{0}, {0}, {0}};
    for (int64_t k = first; k < last; k += MO_WIDE) {
        mo_d4 a[3], b[3];
        mo_d4 square_a = mo_sources_square(s, k, here, a) + soft,
              square_b = mo_sources_square(s, k + 4, here, b) + soft;
        mo_f4 narrow_a = mo_narrow(square_a), narrow_b = mo_narrow(square_b);
        mo_f8 y =
            1.0f / mo_f8_sqrt(__builtin_shufflevector(narrow_a, narrow_b, 0, 1, 2, 3, 4, 5, 6, 7));
        mo_d4 weight_a = mo_sources_weight(
            square_a, mo_widen(__builtin_shufflevector(y, y, 0, 1, 2, 3)), mo_d4_load(s->q + k));
        mo_d4 weight_b =
            mo_sources_weight(square_b, mo_widen(__builtin_shufflevector(y, y, 4, 5, 6, 7)),
                              mo_d4_load(s->q + k + 4));
        for (int c = 0; c < 3; ++c) {
            lo[c] += weight_a * a[c];
            hi[c] += weight_b * b[c];
        }
    }
    mo_d8 *const out[3] = {&sums->x, &sums->y, &sums->z};
    for (int c = 0; c < 3; ++c) {
        out[c]->lo += 1.5 * lo[c];
        out[c]->hi += 1.5 * hi[c];
    }
}

/* Adds the sources [first, last) to the sums for the target at `at` (three coordinates). */
MO_INLINE void mo_sources_add(const mo_sources *s, int64_t first, int64_t last, const double *at,
                              double soft_square, bool measure, mo_source_sums *sums)
{
    if (!measure) {
        mo_sources_add_forces(s, first, last, at, soft_square, sums);
        return;
    }
    const mo_d4 here[3] = {mo_d4_set(at[0]), mo_d4_set(at[1]), mo_d4_set(at[2])};
    const mo_d4 soft = mo_d4_set(soft_square), least = mo_d4_set(MO_SOURCES_COINCIDENT),
                zero = mo_d4_set(0), one = mo_d4_set(1);
    mo_source_sums t = *sums;
    mo_d4 lo[3] = {t.potential.lo, t.virial.lo, t.gradient.lo};
    mo_d4 hi[3] = {t.potential.hi, t.virial.hi, t.gradient.hi};
    for (int64_t k = first; k < last; k += MO_WIDE) {
        mo_d4 a[3], b[3];
        mo_d4 square_a = mo_sources_square(s, k, here, a),
              square_b = mo_sources_square(s, k + 4, here, b);
        mo_d8 r2 = {square_a + soft, square_b + soft};
        mo_l4 real_a = r2.lo > least, real_b = r2.hi > least;
        r2 = (mo_d8){mo_d4_select(real_a, r2.lo, one), mo_d4_select(real_b, r2.hi, one)};
        mo_d8 y = mo_inverse_root(r2);
        mo_d4 qa = mo_d4_select(real_a, mo_d4_load(s->q + k), zero);
        mo_d4 qb = mo_d4_select(real_b, mo_d4_load(s->q + k + 4), zero);
        mo_sources_sum_four(a, square_a, y.lo, qa, &t.x.lo, &t.y.lo, &t.z.lo, lo);
        mo_sources_sum_four(b, square_b, y.hi, qb, &t.x.hi, &t.y.hi, &t.z.hi, hi);
    }
    t.potential = (mo_d8){lo[0], hi[0]};
    t.virial = (mo_d8){lo[1], hi[1]};
    t.gradient = (mo_d8){lo[2], hi[2]};
    *sums = t;
}

MO_INLINE double mo_d8_total(mo_d8 a)
{
    mo_d4 s = a.lo + a.hi;
    return (s[0] + s[1]) + (s[2] + s[3]);
}

#endif
