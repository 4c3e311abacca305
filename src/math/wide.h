/*
 * Eight numbers at once. One body per loop: it is written with these types and compiles to AVX2 in the
 * x86-64-v3 library and to pairs of SSE2 registers in the baseline one.
 *
 * mo_f8 is one 32-byte vector. mo_d8 is two of them: gcc sends a 64-byte vector type through memory when the
 * machine has no 512-bit registers, a pair of 32-byte ones it keeps in registers.
 *
 * Everything here rounds as IEEE 754 says (no reciprocal estimates, no fused multiply-add: the build sets
 * -ffp-contract=off), so both libraries give the same bits.
 */
#ifndef MO_MATH_WIDE_H
#define MO_MATH_WIDE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { MO_WIDE = 8 };

typedef float mo_f8 __attribute__((vector_size(32)));
typedef int32_t mo_i8 __attribute__((vector_size(32)));
typedef double mo_d4 __attribute__((vector_size(32)));

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

/* Four interleaved vectors at 3 * row[k] become their x, y and z. Scalar loads: gathers are slower. */
MO_INLINE void mo_d4_load3(const double *p, const int32_t row[4], mo_d4 *x, mo_d4 *y, mo_d4 *z)
{
    const double *a = p + 3 * (int64_t)row[0], *b = p + 3 * (int64_t)row[1];
    const double *c = p + 3 * (int64_t)row[2], *d = p + 3 * (int64_t)row[3];
    *x = (mo_d4){a[0], b[0], c[0], d[0]};
    *y = (mo_d4){a[1], b[1], c[1], d[1]};
    *z = (mo_d4){a[2], b[2], c[2], d[2]};
}

/* Eight of them. */
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

/* mask ? a : b, lane by lane; a mask is what a comparison of two mo_f8 gives. */
MO_INLINE mo_f8 mo_f8_select(mo_i8 mask, mo_f8 a, mo_f8 b)
{
    return (mo_f8)((mask & (mo_i8)a) | (~mask & (mo_i8)b));
}

/* The sum of the eight lanes, in a fixed order. */
MO_INLINE float mo_f8_sum(mo_f8 a)
{
    return ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]));
}

#endif
