/*
 * What a pair force reads: who may be near whom, and where they are.
 *
 * The local particles are the rows, moved into the box in a periodic domain, which is why a force
 * reads them and not args->x; behind them stand the ghosts (halo.h). Those near row i are
 * index[start[i]], count[i] of them, filled up to a multiple of eight with i itself. Lists hold
 * every pair within the range that was asked for, and some beyond: a force looks at the distance.
 */
#ifndef MO_NEIGHBOR_PAIRS_H
#define MO_NEIGHBOR_PAIRS_H

#include <stdint.h>

typedef struct mo_pairs {
    int64_t rows;
    const double *x;      /* of local and ghost particles, three numbers each */
    const int32_t *owner; /* ghost j >= rows is a copy of row owner[j - rows] */
    const int64_t *start;
    const int32_t *count, *index;
} mo_pairs;

static inline int32_t mo_pairs_row(const mo_pairs *pairs, int32_t particle)
{
    return particle < pairs->rows ? particle : pairs->owner[particle - pairs->rows];
}

#endif
