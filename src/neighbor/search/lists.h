/*
 * Lists of neighbours: for every row all others within the radius. Those of row i are
 * index[start[i] .. start[i] + count[i]), padded with i to a multiple of 8, so that loops of eight
 * need no remainder (a pair with itself has distance 0). start[i] is a multiple of 8. Lists from
 * one set to another are padded with row 0 of the other, to be masked.
 *
 * The order within a list follows from the points alone. The location of a list in `index` does
 * not: start is not ascending, since several threads append to `index` concurrently. A list is
 * written to a small buffer in the first-level cache and copied: without a counting pass, which
 * would double the distance tests, and without a bound on lengths.
 */
#ifndef MO_NEIGHBOR_SEARCH_LISTS_H
#define MO_NEIGHBOR_SEARCH_LISTS_H

#include "base/pool.h"
#include "math/vec3.h"

#include <stdatomic.h>

typedef struct mo_lists {
    mo_memory *memory;
    int64_t rows, pairs; /* pairs: the sum of the counts */
    int64_t *start;      /* rows + 1; the last is the number of indices, padding included */
    int32_t *count;
    int32_t *index;
    int64_t start_capacity, count_capacity, index_capacity;
} mo_lists;

void mo_lists_init(mo_lists *lists, mo_memory *memory);
void mo_lists_release(mo_lists *lists);
int64_t mo_lists_bytes(const mo_lists *lists);

/* Reserves this many indices, so that growing lists do not allocate. */
mote_status mo_lists_reserve(mo_lists *lists, int64_t indices, mote_error *error);

/* The destination of the lists of blocks. */
typedef struct mo_lists_sink {
    mo_lists *lists;
    _Atomic int64_t used; /* indices claimed, even beyond the capacity */
} mo_lists_sink;

/* Claims `size` indices (a multiple of 8). Returns their start; *room is NULL if the capacity is
 * exceeded, which is handled at the end. */
int64_t mo_lists_take(mo_lists_sink *sink, int64_t size, int32_t **target);

/* Calls `fill` (which fills a sink from many threads, and sets start and count of all rows) until
 * all lists fit: once, or twice if the capacity is exceeded. */
typedef void mo_lists_fill_fn(void *context, mo_lists_sink *sink, mo_pool *pool);
mote_status mo_lists_make(mo_lists *lists, int64_t rows, mo_pool *pool, mo_lists_fill_fn *fill,
                          void *context, mote_error *error);

/* Lists by queries, the fallback of structures. near(context, position, ...) is as in
 * mo_search_type; `self`: row i of x is row i of the searched set and is excluded from its own
 * list. */
typedef int64_t mo_near_fn(const void *instance, mo_vec3 position, double radius, int32_t *out,
                           int64_t capacity);
mote_status mo_lists_by_queries(mo_lists *lists, mo_pool *pool, mo_near_fn *near,
                                const void *instance, int64_t rows, const double *x, double radius,
                                bool self, mote_error *error);

/* Drops the pairs (i, j) with j < i, where j is owner[index - rows] if index >= rows (owner may be
 * NULL if there is none). */
void mo_lists_halve(mo_lists *lists, mo_pool *pool, const int32_t *owner);

#endif
