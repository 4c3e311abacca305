/*
 * Input of pair forces: neighbour lists and positions.
 *
 * Local particles are the rows, wrapped in a periodic domain, so a force reads them instead of
 * args->x; ghosts follow (halo.h). The neighbours of row i are index[start[i]], count[i] of them,
 * padded to a multiple of eight with i itself. Lists contain every pair within the requested range
 * and some beyond: a force tests the distance.
 */
#ifndef MO_NEIGHBOR_PAIRS_H
#define MO_NEIGHBOR_PAIRS_H

#include <stdint.h>

typedef struct mo_pairs {
    int64_t rows;
    const double *x;      /* of local and ghost particles, three components each */
    const int32_t *owner; /* ghost j >= rows is a copy of row owner[j - rows] */
    const int64_t *start;
    const int32_t *count, *index;
    int64_t particles; /* local and ghost */
} mo_pairs;

static inline int32_t mo_pairs_row(const mo_pairs *pairs, int32_t particle)
{
    return particle < pairs->rows ? particle : pairs->owner[particle - pairs->rows];
}

#endif
