/*
 * Searches over primitives: which points, edges, triangles or tetrahedra of a set may intersect a
 * given one. Space subdivision (hashing, uniform grid, kd-tree, BSP tree), and for comparison a
 * bounding volume hierarchy and no structure at all. All of them find the same pairs.
 *
 * A structure is one file: it is built over the boxes of primitives and calls back once for every
 * box that overlaps a query's. Subdivisions enter a primitive into every cell that its box
 * overlaps, so a pair may meet in several cells; it is reported in the cell that holds the lowest
 * corner of the two boxes' intersection, and in no other. The loop over queries, threads, and the
 * tests of primitives are the same for all (mo_subdivision_find).
 */
#ifndef MO_GEOMETRY_SUBDIVIDE_SUBDIVIDE_H
#define MO_GEOMETRY_SUBDIVIDE_SUBDIVIDE_H

#include "geometry/hierarchy/pairs.h"

/* The primitives of a structure. */
typedef struct mo_subdivided {
    mo_simplices set;
    const mo_box *box; /* of each primitive, margin included */
    mo_box all;        /* around all of them */
    double size;       /* mean extent of a box: the edge of a cube of their mean sum of edges */
} mo_subdivided;

/* Receives a primitive whose box overlaps the query's. */
typedef void mo_overlapping_fn(void *context, int32_t primitive);

typedef struct mo_subdivision_type {
    mo_descriptor base;
    size_t size; /* of an instance, zero at first */
    void (*release)(void *instance, mo_memory *memory);
    mote_status (*build)(void *instance, const void *params, const mo_subdivided *over,
                         mo_memory *memory, mo_pool *pool, mote_error *error);
    /* Calls `found` once for every primitive whose box overlaps. From many threads. */
    void (*near)(const void *instance, const mo_box *box, mo_overlapping_fn *found, void *context);
    /* Finds candidates for all queries at once; NULL: `near` for each. own: they are the set. */
    mote_status (*pairs)(void *instance, const mo_simplices *queries, bool own,
                         mo_pair_search *search, mo_pool *pool, mote_error *error);
} mo_subdivision_type;

extern const mo_family mo_subdivisions;
#define MO_SUBDIVISION_DEFAULT_JSON "\"hashing\""

typedef struct mo_subdivision {
    mo_memory *memory;
    mo_method method;
    void *instance;
    mo_subdivided over;
    mo_box *box, *query_box;
    int64_t *found; /* candidates of each block of queries */
    int64_t box_capacity, query_capacity, found_capacity, block_capacity;
} mo_subdivision;

/* method.params NULL: the defaults. */
mote_status mo_subdivision_init(mo_subdivision *s, mo_method method, mo_memory *memory,
                                mote_error *error);
void mo_subdivision_release(mo_subdivision *s);

/* The arrays of the set are used until the next build. */
mote_status mo_subdivision_build(mo_subdivision *s, const mo_simplices *set, mo_pool *pool,
                                 mote_error *error);

/* All pairs (a of the queries, b of the set) whose boxes (volumes, of a hierarchy) overlap and that
 * pass the test (NULL: all), into search->pairs; queries NULL: pairs of different primitives of the
 * set, a < b. The order depends on neither threads nor earlier searches. */
mote_status mo_subdivision_find(mo_subdivision *s, const mo_simplices *queries, mo_pair_test *test,
                                const void *context, mo_pair_search *search, mo_pool *pool,
                                mote_error *error);

/* ---- for structures ---- */

/* The lowest corner of the intersection of two boxes. */
static inline mo_vec3 mo_boxes_corner(const mo_box *a, const mo_box *b)
{
    return mo_vec3_make(fmax(a->low[0], b->low[0]), fmax(a->low[1], b->low[1]),
                        fmax(a->low[2], b->low[2]));
}

#endif
