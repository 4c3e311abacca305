/*
 * Vectors of eight lanes: loops written once with these types compile to AVX2 in the x86-64-v3
 * library and to pairs of SSE2 registers in the baseline one.
 *
 * mo_f8 is one 32-byte vector. mo_d8 is two of them: gcc spills a 64-byte vector type to memory on
 * machines without 512-bit registers, but keeps a pair of 32-byte ones in registers.
 *
 * All operations are rounded by IEEE 754 (no reciprocal estimates, no fused multiply-add: the build
 * sets -ffp-contract=off), so both libraries are bitwise identical.
 */
#ifndef MO_MATH_WIDE_H
#define MO_MATH_WIDE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { MO_WIDE = 8 };

typedef float mo_f8 __attribute__((vector_size(32)));
typedef int32_t mo_i8 __attribute__((vector_size(32)));
typedef double mo_d4 __attribute__((vector_size(32)));
typedef int64_t mo_l4 __attribute__((vector_size(32)));
typedef double mo_d2 __attribute__((vector_size(16)));
typedef float mo_f4 __attribute__((vector_size(16)));
typedef int32_t mo_i4 __attribute__((vector_size(16)));

typedef struct mo_d8 {
    mo_d4 lo, hi;
} mo_d8;

#define MO_INLINE static inline __attribute__((always_inline))

MO_INLINE mo_d4 mo_d4_load(const double *p)
{
    mo_d4 a;
    memcpy(&a, p, sizeof a);
    return a;
}

MO_INLINE void mo_d4_store(double *p, mo_d4 a)
{
    memcpy(p, &a, sizeof a);
}

MO_INLINE mo_f4 mo_f4_load(const float *p)
{
    mo_f4 a;
    memcpy(&a, p, sizeof a);
    return a;
}

MO_INLINE void mo_f4_store(float *p, mo_f4 a)
{
    memcpy(p, &a, sizeof a);
}

MO_INLINE mo_d4 mo_d4_set(double s)
{
    return (mo_d4){s, s, s, s};
}

/* Four single-precision numbers. Not by __builtin_convertvector, which gcc 12 splits into two
 * halves. */
MO_INLINE mo_d4 mo_d4_load_narrow(const float *p)
{
#if defined(__AVX__)
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
#else
    return (mo_d4){(double)p[0], (double)p[1], (double)p[2], (double)p[3]};
#endif
}

/* The maximum (minimum) of each pair; b where either is NaN. By a mask, since gcc 12 does not
 * vectorise a loop over the lanes. */
MO_INLINE mo_d4 mo_d4_max(mo_d4 a, mo_d4 b)
{
#if defined(__AVX__)
    return _mm256_max_pd(a, b);
#else
    mo_l4 larger = a > b;
    return (mo_d4)((larger & (mo_l4)a) | (~larger & (mo_l4)b));
#endif
}

MO_INLINE mo_d4 mo_d4_min(mo_d4 a, mo_d4 b)
{
#if defined(__AVX__)
    return _mm256_min_pd(a, b);
#else
    mo_l4 smaller = a < b;
    return (mo_d4)((smaller & (mo_l4)a) | (~smaller & (mo_l4)b));
#endif
}

/* mask ? a : b per lane; a mask is the result of a comparison of two mo_d4. */
MO_INLINE mo_d4 mo_d4_select(mo_l4 mask, mo_d4 a, mo_d4 b)
{
#if defined(__AVX__)
    return _mm256_blendv_pd(b, a, (mo_d4)mask);
#else
    return (mo_d4)((mask & (mo_l4)a) | (~mask & (mo_l4)b));
#endif
}

/* Whether any lane of a mask is set. */
MO_INLINE bool mo_l4_any(mo_l4 mask)
{
#if defined(__AVX__)
    return _mm256_movemask_pd((mo_d4)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

MO_INLINE mo_d4 mo_d4_abs(mo_d4 a)
{
    return (mo_d4)((mo_l4)a & (mo_l4){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX});
}

MO_INLINE mo_d8 mo_d8_load(const double *p)
{
    return (mo_d8){mo_d4_load(p), mo_d4_load(p + 4)};
}

MO_INLINE void mo_d8_store(double *p, mo_d8 a)
{
    mo_d4_store(p, a.lo);
    mo_d4_store(p + 4, a.hi);
}

MO_INLINE mo_d8 mo_d8_set(double s)
{
    mo_d4 a = {s, s, s, s};
    return (mo_d8){a, a};
}

MO_INLINE mo_d8 mo_d8_add(mo_d8 a, mo_d8 b)
{
    return (mo_d8){a.lo + b.lo, a.hi + b.hi};
}

MO_INLINE mo_d8 mo_d8_sub(mo_d8 a, mo_d8 b)
{
    return (mo_d8){a.lo - b.lo, a.hi - b.hi};
}

MO_INLINE mo_d8 mo_d8_mul(mo_d8 a, mo_d8 b)
{
    return (mo_d8){a.lo * b.lo, a.hi * b.hi};
}

MO_INLINE mo_d8 mo_d8_div(mo_d8 a, mo_d8 b)
{
    return (mo_d8){a.lo / b.lo, a.hi / b.hi};
}

MO_INLINE mo_d4 mo_d4_sqrt(mo_d4 a)
{
#if defined(__AVX__)
    return _mm256_sqrt_pd(a);
#else
    for (int k = 0; k < 4; ++k) {
        a[k] = sqrt(a[k]);
    }
    return a;
#endif
}

MO_INLINE mo_d8 mo_d8_sqrt(mo_d8 a)
{
    return (mo_d8){mo_d4_sqrt(a.lo), mo_d4_sqrt(a.hi)};
}

/* Rows of three components are loaded four at a time and transposed, which is faster than
 * gathers and scalar loads. Arrays read this way need one value of padding after the last row;
 * every column of a store has it. */

/* Transposes four interleaved vectors at 3 * row[k] to x, y and z. */
MO_INLINE void mo_d4_load3(const double *p, const int32_t row[4], mo_d4 *x, mo_d4 *y, mo_d4 *z)
{
    mo_d4 a = mo_d4_load(p + 3 * (int64_t)row[0]), b = mo_d4_load(p + 3 * (int64_t)row[1]);
    mo_d4 c = mo_d4_load(p + 3 * (int64_t)row[2]), d = mo_d4_load(p + 3 * (int64_t)row[3]);
    mo_d4 xz = __builtin_shufflevector(a, b, 0, 4, 2, 6),
          y_ = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    mo_d4 xz2 = __builtin_shufflevector(c, d, 0, 4, 2, 6),
          y2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *x = __builtin_shufflevector(xz, xz2, 0, 1, 4, 5);
    *y = __builtin_shufflevector(y_, y2, 0, 1, 4, 5);
    *z = __builtin_shufflevector(xz, xz2, 2, 3, 6, 7);
}

/* Four consecutive rows: transposes p[0..11] to x, y and z, without reading beyond. */
MO_INLINE void mo_d4_load3_next(const double *p, mo_d4 *x, mo_d4 *y, mo_d4 *z)
{
    /* x0y0z0x1 y1z1x2y2 z2x3y3z3 */
    mo_d4 a = mo_d4_load(p), b = mo_d4_load(p + 4), c = mo_d4_load(p + 8);
    mo_d4 xx = __builtin_shufflevector(a, b, 0, 3, 6, 6),
          yy = __builtin_shufflevector(a, b, 1, 4, 7, 7);
    mo_d4 zz = __builtin_shufflevector(a, b, 2, 5, 5, 5);
    *x = __builtin_shufflevector(xx, c, 0, 1, 2, 5);
    *y = __builtin_shufflevector(yy, c, 0, 1, 2, 6);
    *z = __builtin_shufflevector(zz, c, 0, 1, 4, 7);
}

/* One value per row, repeated for its three components: s0s0s0s1 s1s1s2s2 s2s3s3s3, for four
 * consecutive rows. */
MO_INLINE void mo_d4_spread3(mo_d4 s, mo_d4 out[3])
{
    out[0] = __builtin_shufflevector(s, s, 0, 0, 0, 1);
    out[1] = __builtin_shufflevector(s, s, 1, 1, 2, 2);
    out[2] = __builtin_shufflevector(s, s, 2, 3, 3, 3);
}

/* The inverse: row[k] = (x[k], y[k], z[k], 0). */
MO_INLINE void mo_d4_rows3(mo_d4 x, mo_d4 y, mo_d4 z, mo_d4 row[4])
{
    mo_d4 zero = {0, 0, 0, 0};
    mo_d4 xy = __builtin_shufflevector(x, y, 0, 4, 2, 6),
          xy2 = __builtin_shufflevector(x, y, 1, 5, 3, 7);
    mo_d4 z0 = __builtin_shufflevector(z, zero, 0, 4, 2, 6),
          z1 = __builtin_shufflevector(z, zero, 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(xy, z0, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(xy2, z1, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(xy, z0, 2, 3, 6, 7);
    row[3] = __builtin_shufflevector(xy2, z1, 2, 3, 6, 7);
}

/* Transposition of a 4 x 4 matrix. */
MO_INLINE void mo_d4_transpose(mo_d4 a, mo_d4 b, mo_d4 c, mo_d4 d, mo_d4 out[4])
{
    mo_d4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6),
          ab2 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    mo_d4 cd = __builtin_shufflevector(c, d, 0, 4, 2, 6),
          cd2 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7);
}

/* p[0..2] += (a[0], a[1], a[2]), without access beyond. */
MO_INLINE void mo_d4_add3(double *p, mo_d4 a)
{
    mo_d2 xy, more = __builtin_shufflevector(a, a, 0, 1);
    memcpy(&xy, p, sizeof xy);
    xy += more;
    memcpy(p, &xy, sizeof xy);
    p[2] += a[2];
}

/* Eight rows. */
MO_INLINE void mo_d8_load3(const double *p, const int32_t row[8], mo_d8 *x, mo_d8 *y, mo_d8 *z)
{
    mo_d4_load3(p, row, &x->lo, &y->lo, &z->lo);
    mo_d4_load3(p, row + 4, &x->hi, &y->hi, &z->hi);
}

MO_INLINE mo_f8 mo_f8_load(const float *p)
{
    mo_f8 a;
    memcpy(&a, p, sizeof a);
    return a;
}

MO_INLINE void mo_f8_store(float *p, mo_f8 a)
{
    memcpy(p, &a, sizeof a);
}

MO_INLINE mo_f8 mo_f8_set(float s)
{
    return (mo_f8){s, s, s, s, s, s, s, s};
}

MO_INLINE mo_f8 mo_f8_sqrt(mo_f8 a)
{
#if defined(__AVX__)
    return _mm256_sqrt_ps(a);
#else
    for (int k = 0; k < 8; ++k) {
        a[k] = sqrtf(a[k]);
    }
    return a;
#endif
}

/* The maximum (minimum) of each pair; b where either is NaN. */
MO_INLINE mo_f8 mo_f8_max(mo_f8 a, mo_f8 b)
{
#if defined(__AVX__)
    return _mm256_max_ps(a, b);
#else
    mo_i8 larger = a > b;
    return (mo_f8)((larger & (mo_i8)a) | (~larger & (mo_i8)b));
#endif
}

MO_INLINE mo_f8 mo_f8_min(mo_f8 a, mo_f8 b)
{
#if defined(__AVX__)
    return _mm256_min_ps(a, b);
#else
    mo_i8 smaller = a < b;
    return (mo_f8)((smaller & (mo_i8)a) | (~smaller & (mo_i8)b));
#endif
}

/* Two rows of four components in one vector. */
MO_INLINE mo_f8 mo_f8_two4(const float *p, int32_t first, int32_t second)
{
    const float *lo = p + 4 * (int64_t)first, *hi = p + 4 * (int64_t)second;
#if defined(__AVX__)
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(lo)), _mm_loadu_ps(hi), 1);
#else
    return __builtin_shufflevector(mo_f4_load(lo), mo_f4_load(hi), 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/* Transposes eight rows of four components at 4 * row[k] to four vectors: 16-byte loads and a
 * transposition, faster than gathers. */
MO_INLINE void mo_f8_load4(const float *p, const int32_t row[8], mo_f8 out[4])
{
    mo_f8 r[4];
    for (int k = 0; k < 4; ++k) {
        r[k] = mo_f8_two4(p, row[k], row[k + 4]);
    }
    mo_f8 xy01 = __builtin_shufflevector(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13);
    mo_f8 zw01 = __builtin_shufflevector(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15);
    mo_f8 xy23 = __builtin_shufflevector(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
    mo_f8 zw23 = __builtin_shufflevector(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = __builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = __builtin_shufflevector(zw01, zw23, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = __builtin_shufflevector(zw01, zw23, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* Lanes 2 k and 2 k + 1, four times each: one value for each of two rows of four. */
MO_INLINE mo_f8 mo_f8_spread4(mo_f8 a, int k)
{
    switch (k) {
    case 0:
        return __builtin_shufflevector(a, a, 0, 0, 0, 0, 1, 1, 1, 1);
    case 1:
        return __builtin_shufflevector(a, a, 2, 2, 2, 2, 3, 3, 3, 3);
    case 2:
        return __builtin_shufflevector(a, a, 4, 4, 4, 4, 5, 5, 5, 5);
    default:
        return __builtin_shufflevector(a, a, 6, 6, 6, 6, 7, 7, 7, 7);
    }
}

MO_INLINE mo_f8 mo_f8_from_i8(mo_i8 a)
{
    return __builtin_convertvector(a, mo_f8);
}

/* Bit k is the sign of lane k. */
MO_INLINE unsigned mo_f8_signs(mo_f8 a)
{
#if defined(__AVX__)
    return (unsigned)_mm256_movemask_ps(a);
#elif defined(__SSE__)
    typedef float f4 __attribute__((vector_size(16)));
    f4 lo = __builtin_shufflevector(a, a, 0, 1, 2, 3),
       hi = __builtin_shufflevector(a, a, 4, 5, 6, 7);
    return (unsigned)(_mm_movemask_ps(lo) | _mm_movemask_ps(hi) << 4);
#else
    unsigned bits = 0;
    for (int k = 0; k < 8; ++k) {
        bits |= (unsigned)(((mo_i8)a)[k] < 0) << k;
    }
    return bits;
#endif
}

MO_INLINE mo_i8 mo_i8_load(const int32_t *p)
{
    mo_i8 a;
    memcpy(&a, p, sizeof a);
    return a;
}

MO_INLINE void mo_i8_store(int32_t *p, mo_i8 a)
{
    memcpy(p, &a, sizeof a);
}

MO_INLINE mo_i8 mo_i8_set(int32_t s)
{
    return (mo_i8){s, s, s, s, s, s, s, s};
}

/* a - b, modulo 2^32. */
MO_INLINE mo_i8 mo_i8_less(mo_i8 a, mo_i8 b)
{
    typedef uint32_t u8 __attribute__((vector_size(32)));
    return (mo_i8)((u8)a - (u8)b);
}

MO_INLINE mo_i8 mo_i8_min(mo_i8 a, mo_i8 b)
{
#if defined(__AVX2__)
    return (mo_i8)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    mo_i8 smaller = a < b;
    return (smaller & a) | (~smaller & b);
#endif
}

/* a b + c, fused where available: faster, but not portable. Only for sums compared with a margin
 * before an exact decision, and for methods that are not portable. */
MO_INLINE mo_f8 mo_f8_multiply_add_roughly(mo_f8 a, mo_f8 b, mo_f8 c)
{
#if defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}

MO_INLINE mo_d4 mo_d4_multiply_add_roughly(mo_d4 a, mo_d4 b, mo_d4 c)
{
#if defined(__FMA__)
    return _mm256_fmadd_pd(a, b, c);
#else
    return a * b + c;
#endif
}

/* For every set of eight bits the indices of the set bits, ascending, followed by zeros. As wide
 * as the lanes they select, since widening costs more than the cache they occupy. */
extern const int32_t mo_wide_set_bits[256][8];

/* Left-packing: the lanes of `a` whose bits are set go to p[0], p[1], ..., in order. Eight lanes
 * are written; returns the number of valid ones. Branch-free. */
MO_INLINE int mo_i8_pack(int32_t *p, mo_i8 a, unsigned bits)
{
#if defined(__AVX2__)
    __m256i which = _mm256_load_si256((const __m256i *)mo_wide_set_bits[bits]);
    mo_i8_store(p, (mo_i8)_mm256_permutevar8x32_epi32((__m256i)a, which));
#else
    int32_t lanes[8];
    mo_i8_store(lanes, a);
    for (int k = 0; k < 8; ++k) {
        p[k] = lanes[mo_wide_set_bits[bits][k]];
    }
#endif
    return __builtin_popcount(bits);
}

/* mask ? a : b per lane; a mask is the result of a comparison of two mo_f8. */
MO_INLINE mo_f8 mo_f8_select(mo_i8 mask, mo_f8 a, mo_f8 b)
{
#if defined(__AVX__)
    return _mm256_blendv_ps(b, a, (mo_f8)mask);
#else
    return (mo_f8)((mask & (mo_i8)a) | (~mask & (mo_i8)b));
#endif
}

/* The natural logarithm of positive normal numbers, with an error of four roundings: a = 2^e m
 * with m from sqrt(1/2) to sqrt(2), ln m = 2 atanh(z), z = (m - 1) / (m + 1), |z| < 0.172, by
 * the series up to z^9. */
MO_INLINE mo_f8 mo_f8_log(mo_f8 a)
{
    mo_i8 half = mo_i8_set(0x3f3504f3); /* sqrt(1/2) */
    mo_i8 exponent = ((mo_i8)a - half) >> 23;
    mo_f8 m = (mo_f8)((mo_i8)a - (exponent << 23));
    mo_f8 z = (m - 1.0f) / (m + 1.0f), z2 = z * z;
    mo_f8 series = 1.0f + z2 * (1.0f / 3 + z2 * (1.0f / 5 + z2 * (1.0f / 7 + z2 * (1.0f / 9))));
    return __builtin_convertvector(exponent, mo_f8) * 0.693147180559945309f + 2.0f * z * series;
}

/* The sum of the eight lanes, in a fixed order. */
MO_INLINE float mo_f8_sum(mo_f8 a)
{
    mo_f4 half =
        __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
    mo_f4 pairs = half + __builtin_shufflevector(half, half, 1, 0, 3, 2);
    return pairs[0] + pairs[2];
}

#endif
