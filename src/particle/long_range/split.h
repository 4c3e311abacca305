/*
 * Positions as sums of two single-precision numbers, and sums over point charges with them, eight
 * sources at a time in single precision.
 *
 * x = hi + lo has 48 bits. In (hi_i - hi_j) + (lo_i - lo_j) the first difference is exact for close
 * particles, so the relative error of the distance is that of single precision, about 1e-7, at any
 * distance. The sums over a tile are added in double precision.
 *
 * Coordinates are those of scaled.h, in [-1, 1]; charges are scaled by a power of two likewise.
 * r^2 is at least MO_SPLIT_LEAST, by the softening, so that 1/r^3 is finite; a particle exerts no
 * force on itself because its difference is zero.
 */
#ifndef MO_PARTICLE_LONG_RANGE_SPLIT_H
#define MO_PARTICLE_LONG_RANGE_SPLIT_H

#include "math/wide.h"
#include "particle/long_range/scaled.h"

#define MO_SPLIT_LEAST 1e-24f

typedef struct mo_split {
    mo_memory *memory;
    int64_t padded; /* a multiple of MO_WIDE, with charges 0 */
    double charge;  /* charge by scaled charge */
    float *hi[3], *lo[3], *q;
    float *block; /* of all seven */
    int64_t capacity;
} mo_split;

void mo_split_release(mo_split *split);

mote_status mo_split_fill(mo_split *split, const mo_scaled *points, mo_pool *pool,
                          mote_error *error);

MO_INLINE double mo_f8_total(mo_f8 a)
{
    double sum = 0;
    for (int k = 0; k < MO_WIDE; ++k) {
        sum += (double)a[k];
    }
    return sum;
}

/* Adds sum_j q_j (x_i - x_j)/(r^2 + soft_square)^(3/2) of the sources [first, last) to `sum`. */
MO_INLINE void mo_split_add(const mo_split *s, int64_t first, int64_t last, int64_t row,
                            float soft_square, double sum[3])
{
    mo_f8 hi[3], lo[3], t[3] = {{0}, {0}, {0}}, d[3], soft = mo_f8_set(soft_square);
    for (int k = 0; k < 3; ++k) {
        hi[k] = mo_f8_set(s->hi[k][row]);
        lo[k] = mo_f8_set(s->lo[k][row]);
    }
    for (int64_t j = first; j < last; j += MO_WIDE) {
        for (int k = 0; k < 3; ++k) {
            d[k] = (hi[k] - mo_f8_load(s->hi[k] + j)) + (lo[k] - mo_f8_load(s->lo[k] + j));
        }
        mo_f8 square = (d[0] * d[0] + soft) + (d[1] * d[1] + d[2] * d[2]);
        mo_f8 weight = mo_f8_load(s->q + j) / (square * mo_f8_sqrt(square));
        for (int k = 0; k < 3; ++k) {
            t[k] += weight * d[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        sum[k] += mo_f8_total(t[k]);
    }
}

#endif
