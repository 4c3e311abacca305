/*
 * Positions as separate arrays, scaled by a power of two into [-1, 1] about the centre of their
 * bounding box, and charges; padded for sources.h.
 */
#ifndef MO_PARTICLE_LONG_RANGE_SCALED_H
#define MO_PARTICLE_LONG_RANGE_SCALED_H

#include "base/pool.h"

typedef struct mo_scaled {
    mo_memory *memory;
    int64_t rows, padded; /* a multiple of MO_WIDE */
    double scale;         /* scaled length by length [1/m] */
    double center[3];
    double *x, *y, *z, *q;
    double *block; /* of all four */
    int64_t capacity;
} mo_scaled;

void mo_scaled_release(mo_scaled *scaled);

/* `order` (NULL: that of the rows): row order[k] becomes k. The caller fits first. */
mote_status mo_scaled_fit(mo_scaled *scaled, int64_t rows, const double *x, mo_pool *pool,
                          mote_error *error);
mote_status mo_scaled_fill(mo_scaled *scaled, const double *x, const double *charge,
                           const int32_t *order, mo_pool *pool, mote_error *error);

#endif
