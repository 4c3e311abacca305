/*
 * Sums over the lanes of several vectors at once, with one transposition.
 */
#ifndef MO_MATH_LANE_SUMS_H
#define MO_MATH_LANE_SUMS_H

#include "math/wide.h"

/* The sums of the lanes of four vectors, each in the order of mo_f8_sum. */
MO_INLINE mo_f4 mo_f8_sum4(mo_f8 a, mo_f8 b, mo_f8 c, mo_f8 d)
{
    const mo_f8 of[4] = {a, b, c, d};
    mo_f4 half[4];
    for (int k = 0; k < 4; ++k) {
        half[k] = __builtin_shufflevector(of[k], of[k], 0, 1, 2, 3) +
                  __builtin_shufflevector(of[k], of[k], 4, 5, 6, 7);
    }
    mo_f4 ab = __builtin_shufflevector(half[0], half[1], 0, 2, 4, 6) +
               __builtin_shufflevector(half[0], half[1], 1, 3, 5, 7);
    mo_f4 cd = __builtin_shufflevector(half[2], half[3], 0, 2, 4, 6) +
               __builtin_shufflevector(half[2], half[3], 1, 3, 5, 7);
    return __builtin_shufflevector(ab, cd, 0, 2, 4, 6) +
           __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
}

#endif
