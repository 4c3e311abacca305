/*
 * The k nearest so far, as a heap with the farthest on top, in the caller's arrays. Farther means a
 * larger squared distance, or for equal ones the larger row: a strict order, so the result does not
 * depend on the order of candidates.
 */
#ifndef MO_NEIGHBOR_SEARCH_NEAREST_H
#define MO_NEIGHBOR_SEARCH_NEAREST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct mo_nearest {
    int64_t k, count;
    int32_t *row;
    double *square;
} mo_nearest;

void mo_nearest_put(mo_nearest *n, int32_t row, double square);

/* Upper bound of the squared distances among the k nearest. */
static inline double mo_nearest_limit(const mo_nearest *n)
{
    return n->count < n->k ? (double)INFINITY : n->square[0];
}

/* Sorted by distance. Returns their number. */
int64_t mo_nearest_finish(mo_nearest *n);

#endif
