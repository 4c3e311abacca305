/*
 * Which primitives of two hierarchies, or of one with itself, may intersect: the layered test. All
 * pairs of nodes of one layer that may overlap are known; their 64 pairs of children are tested at
 * once, and the survivors are the pairs of the next layer. Layer by layer, not pair by pair, so
 * that threads share the work of a layer and the result does not depend on them; the memory is
 * that of the widest layer, and it is kept.
 *
 * The pairs found last are candidates: their volumes overlap. A test of primitives decides (for
 * triangles mo_triangles_intersect), given as a function.
 */
#ifndef MO_GEOMETRY_HIERARCHY_PAIRS_H
#define MO_GEOMETRY_HIERARCHY_PAIRS_H

#include "geometry/hierarchy/hierarchy.h"

typedef struct mo_index_pair {
    int32_t a, b;
} mo_index_pair;

typedef struct mo_pair_search {
    mo_memory *memory;
    int64_t count;
    mo_index_pair *pairs; /* of primitives, as found: sort them where the order matters */
    /* of the last search, layer by layer from the top: overlap tests, and how many said yes */
    int layers;
    int64_t tests[MO_LAYERS_MAX], passed[MO_LAYERS_MAX];
    int64_t candidates; /* pairs of primitives whose volumes overlap: primitive tests */
    /* inside */
    int64_t pair_capacity, front_capacity, bits_capacity, start_capacity;
    mo_index_pair *front; /* pairs of blocks of the current layer */
    uint64_t *bits;       /* of a pair: which children overlap */
    int64_t *start;       /* of a pair: its first pair in the next layer */
} mo_pair_search;

void mo_pair_search_init(mo_pair_search *search, mo_memory *memory);
void mo_pair_search_release(mo_pair_search *search);

/* Reserves memory for this many pairs in a layer. */
mote_status mo_pair_search_reserve(mo_pair_search *search, int64_t pairs, mote_error *error);

/* A rigid motion x -> R x + t. */
typedef struct mo_placement {
    mo_mat3 R;
    mo_vec3 t;
} mo_placement;

/* Whether primitive `a` of the first and `b` of the second hierarchy intersect. Called from any
 * thread. */
typedef bool mo_pair_test(const void *context, int32_t a, int32_t b);

/* All pairs (a of `first`, b of `second`) that pass the test (NULL: all whose volumes overlap).
 * `placement` moves the second into the frame of the first; NULL: they share it. With second ==
 * first the hierarchy is searched for pairs of different primitives of its own, a before b in its
 * order. */
mote_status mo_pair_search_run(mo_pair_search *search, const mo_hierarchy *first,
                               const mo_hierarchy *second, const mo_placement *placement,
                               mo_pair_test *test, const void *context, mo_pool *pool,
                               mote_error *error);

/* Keeps the pairs that pass a test. */
mote_status mo_pair_search_keep(mo_pair_search *search, mo_pair_test *test, const void *context,
                                mo_pool *pool, mote_error *error);

/* Orders pairs by a, then b; `swap` makes a the smaller one first, for pairs of one set. */
mote_status mo_pair_search_sort(mo_pair_search *search, bool swap, mote_error *error);

#endif
