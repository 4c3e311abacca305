/*
 * Range search: which points lie within a radius of a place, by any of the structures that methods.def lists.
 * All of them find the same pairs as brute_force, on any points.
 *
 * A structure is one file that knows one set of points and one radius, in free space. What every user wants
 * beside that is written once, around the structures, in neighbor/search.c: several sets, periodic domains
 * (by images of the points near a border), lists for all points, and generic fallbacks for what a structure
 * cannot do itself. A structure with a faster way to all pairs offers `lists`.
 *
 * Distances are compared as |x_i - p|^2 <= r^2 in double precision, each term rounded as written: that is the
 * definition of "within", and every structure decides by it in the end. So a structure may prune with
 * anything that errs on the safe side (cells, floats with a margin), and the result is exact.
 */
#ifndef MO_NEIGHBOR_SEARCH_SEARCH_H
#define MO_NEIGHBOR_SEARCH_SEARCH_H

#include "base/param.h"
#include "base/pool.h"
#include "math/vec3.h"

/* What a structure is built from. Rows are at most 2^31 - 1; positions are finite (the caller has checked)
   and below 1e150. `flat` says that all z are 0 (2D): a structure may then use four children, not eight. */
typedef struct mo_search_points {
    int64_t rows;
    const double *x; /* three a row; stays valid and unchanged until the next build or update */
    double radius;   /* the largest that is asked for */
    bool flat;
} mo_search_points;

/* All others of every row within the radius: those of row i are index[start[i] .. start[i] + count[i]),
   followed by copies of i itself up to a multiple of 8, so that loops of eight need no remainder (a pair with
   itself has distance 0). start[i] is a multiple of 8. The order within a list follows from the points alone,
   not from threads. */
typedef struct mo_lists {
    mo_memory *memory;
    int64_t rows, pairs; /* pairs: the sum of the counts */
    int64_t *start;      /* rows + 1 */
    int32_t *count;
    int32_t *index;
    int64_t start_capacity, count_capacity, index_capacity;
} mo_lists;

typedef enum mo_search_ability {
    MO_SEARCH_INSERTS = 1u << 0,
    MO_SEARCH_DELETES = 1u << 1,
    MO_SEARCH_NEAREST = 1u << 2,
    MO_SEARCH_UPDATES = 1u << 3, /* cheaper after small moves than a build */
    MO_SEARCH_PARALLEL = 1u << 4 /* builds on all threads */
} mo_search_ability;

typedef struct mo_search_type {
    mo_descriptor base; /* abilities are base.capabilities */
    mote_status (*create)(const void *params, mo_memory *memory, void **instance, mote_error *error);
    void (*destroy)(void *instance, mo_memory *memory);
    mote_status (*build)(void *instance, const mo_search_points *points, mo_pool *pool, mote_error *error);
    /* The same rows at new places. NULL: build again. */
    mote_status (*update)(void *instance, const mo_search_points *points, mo_pool *pool, mote_error *error);
    /* The rows within `radius` (any up to points.radius) of `place`, in any order that follows from the
       points alone. Writes the first `capacity` and returns how many there are. Called from many threads. */
    int64_t (*near)(const void *instance, mo_vec3 place, double radius, int32_t *out, int64_t capacity);
    /* All lists at once; NULL: `near` for every row. */
    mote_status (*lists)(void *instance, mo_pool *pool, mo_lists *lists, mote_error *error);
    /* The k rows nearest to `place`, by distance, equal ones by row; returns how many there are (fewer only
       if there are fewer rows). NULL: the fallback by growing radii. */
    int64_t (*nearest)(const void *instance, mo_vec3 place, int64_t k, int32_t *out, double *square);
    /* One row more (its number is points.rows before the call; x has it) or one less (the last row takes its
       number, as everywhere in a packed array; x has not changed yet). NULL: build again. */
    mote_status (*insert)(void *instance, const mo_search_points *points, mote_error *error);
    mote_status (*remove)(void *instance, const mo_search_points *points, int64_t row, mote_error *error);
    int64_t (*bytes)(const void *instance); /* memory it holds */
} mo_search_type;

extern const mo_family mo_searches;

#endif
