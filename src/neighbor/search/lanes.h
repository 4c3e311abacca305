/* Tests of four slots at once, with left-packing of the results. */
#ifndef MO_NEIGHBOR_SEARCH_LANES_H
#define MO_NEIGHBOR_SEARCH_LANES_H

#include "math/wide.h"

/* Bit k for lane k. */
MO_INLINE unsigned mo_lane_bits(mo_l4 m)
{
#if defined(__AVX__)
    return (unsigned)_mm256_movemask_pd((mo_d4)m);
#else
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

/* Packs those of four rows whose bits are set. Always writes four; returns the number of valid
 * ones. */
MO_INLINE int mo_pack_rows(int32_t *to, const int32_t *row, unsigned bits)
{
    const int32_t *which = mo_wide_set_bits[bits];
#if defined(__AVX__)
    __m128 rows = _mm_loadu_ps((const float *)row);
    _mm_storeu_ps((float *)to, _mm_permutevar_ps(rows, _mm_loadu_si128((const __m128i *)which)));
#else
    for (int k = 0; k < 4; ++k) {
        to[k] = row[which[k]];
    }
#endif
    return __builtin_popcount(bits);
}

/* The same for four values, as floats. */
MO_INLINE void mo_pack_floats(float *to, mo_d4 a, unsigned bits)
{
    const int32_t *which = mo_wide_set_bits[bits];
#if defined(__AVX__)
    _mm_storeu_ps(to,
                  _mm_permutevar_ps(_mm256_cvtpd_ps(a), _mm_loadu_si128((const __m128i *)which)));
#else
    for (int k = 0; k < 4; ++k) {
        to[k] = (float)a[which[k]];
    }
#endif
}

#endif
