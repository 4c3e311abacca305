/*
 * A kernel as a table, interpolated linearly between equal steps of r^2 (so that it needs no square
 * root): for comparison; `mote bench kernels` has both. A table costs the same for every kernel,
 * since eight lanes read it one by one. Direct evaluation of W is a third cheaper, of G with root
 * and division slightly more expensive. Pair loops evaluate directly: at float accuracy, without
 * pressure on the first-level cache.
 *
 * The error is an eighth of the second difference of the table. Beyond the support, and for NaN, it
 * is zero.
 */
#ifndef MO_FLUID_KERNEL_LOOKUP_H
#define MO_FLUID_KERNEL_LOOKUP_H

#include "fluid/kernel/kernel.h"
#include "math/wide.h"

enum { MO_LOOKUP_STEPS = 1024 };

/* The value at the beginning of an interval, and its change within it. */
typedef struct mo_lookup_entry {
    float value, change;
} mo_lookup_entry;

typedef struct mo_lookup {
    float scale; /* intervals per unit of r^2 */
    mo_lookup_entry w[MO_LOOKUP_STEPS + 1],
        g[MO_LOOKUP_STEPS + 1]; /* the last entry covers everything beyond the support */
} mo_lookup;

void mo_lookup_fill(mo_lookup *table, const mo_kernel *kernel);

MO_INLINE float mo_lookup_at(const mo_lookup_entry *entries, float scale, float r2)
{
    float at = r2 * scale;
    at = at < MO_LOOKUP_STEPS ? at : MO_LOOKUP_STEPS;
    int32_t step = (int32_t)at;
    return entries[step].value + (at - (float)step) * entries[step].change;
}

/* Eight at once, bitwise identical. */
MO_INLINE mo_f8 mo_lookup_at8(const mo_lookup_entry *entries, float scale, mo_f8 r2)
{
#if defined(__AVX2__)
    mo_f8 at = mo_f8_min(r2 * scale, mo_f8_set(MO_LOOKUP_STEPS));
    __m256i step = _mm256_cvttps_epi32(at);
    const double *pairs = (const double *)(const void *)entries; /* an entry at a time */
    mo_f8 lo = (mo_f8)_mm256_i32gather_pd(pairs, _mm256_castsi256_si128(step), 8);
    mo_f8 hi = (mo_f8)_mm256_i32gather_pd(pairs, _mm256_extracti128_si256(step, 1), 8);
    mo_f8 value = __builtin_shufflevector(lo, hi, 0, 2, 4, 6, 8, 10, 12, 14);
    mo_f8 change = __builtin_shufflevector(lo, hi, 1, 3, 5, 7, 9, 11, 13, 15);
    return value + (at - (mo_f8)_mm256_cvtepi32_ps(step)) * change;
#else
    for (int lane = 0; lane < MO_WIDE; ++lane) {
        r2[lane] = mo_lookup_at(entries, scale, r2[lane]);
    }
    return r2;
#endif
}

/* Arrays, as mo_kernel_rows_w; `wide` with eight lanes, else scalar. */
void mo_lookup_rows_w(const mo_lookup *table, bool wide, int64_t count, const float *r2,
                      float *out);
void mo_lookup_rows_g(const mo_lookup *table, bool wide, int64_t count, const float *r2,
                      float *out);

#endif
