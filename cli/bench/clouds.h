/*
 * Point clouds for neighbour search:
 *
 *   volume      a cubic lattice of spacing 1, jittered by up to 0.2 along each axis, radius 2:
 *               29.4 neighbours
 *   shuffled    the same with the rows in random order
 *   surface     uniformly distributed on a sphere, 1 point per unit area; 12.6 neighbours
 *   clustered   clusters of 1000 normally distributed points with a central density of 1, in a
 *               volume of 64 times the number of points
 *
 * Except for `shuffled`, rows are in the order of mo_search_order.
 */
#ifndef MOTE_CLI_BENCH_CLOUDS_H
#define MOTE_CLI_BENCH_CLOUDS_H

#include "neighbor/search.h"

typedef struct bench_cloud {
    int64_t rows;
    double *x; /* from malloc */
} bench_cloud;

typedef struct bench_distribution {
    const char *name;
    void (*fill)(bench_cloud *c);
    bool shuffled;
} bench_distribution;

enum { BENCH_VOLUME, BENCH_SHUFFLED, BENCH_SURFACE, BENCH_CLUSTERED, BENCH_DISTRIBUTION_COUNT };
extern const bench_distribution BENCH_DISTRIBUTIONS[BENCH_DISTRIBUTION_COUNT];

/* `width` of the cells of the order, as for mo_search_order. c->x must be freed, also after a
 * failure. */
mote_status bench_cloud_make(bench_cloud *c, const bench_distribution *d, int64_t rows,
                             double width, mo_memory *memory, mo_pool *pool, mote_error *error);

#endif
