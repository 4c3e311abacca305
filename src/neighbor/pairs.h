/*
 * What a pair force reads: who may be near whom, and where they are.
 *
 * A place is a row or the image of one beyond a periodic border. Places have four numbers, so that a vector
 * load never straddles a cache line: x, y, z, and a spare one. In a periodic domain they are wrapped into the
 * box, which is why a force reads places and not args->x. Those near row i are index[start[i]], count[i] of
 * them, filled up to a multiple of eight with i itself. A list holds every pair within the range that was
 * asked for, and some beyond: a force looks at the distance.
 */
#ifndef MO_NEIGHBOR_PAIRS_H
#define MO_NEIGHBOR_PAIRS_H

#include <stdint.h>

typedef struct mo_pairs {
    int64_t rows, places;
    const double *place;
    const int32_t *owner; /* the row of a place */
    const int64_t *start;
    const int32_t *count, *index;
} mo_pairs;

#endif
