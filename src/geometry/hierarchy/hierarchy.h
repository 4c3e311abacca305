/*
 * Bounding volume hierarchies over triangles, tetrahedra, points, edges or boxes, of any bounding
 * volume (geometry/bound/bound.h).
 *
 * One tree for all: eight children a node, implicit (order.h), layer by layer in one array of
 * blocks. Layer 0 are the nodes whose children are primitives; the top layer is one node with one
 * child, the volume of everything. So a deforming mesh is refitted by one sweep over each layer,
 * in parallel, and two trees are tested against each other layer by layer (pairs.h). Binary trees
 * with pointers were rejected: a node of eight is tested at once, and needs no stack in memory.
 *
 * Volumes are floats relative to `origin`, rounded outward.
 */
#ifndef MO_GEOMETRY_HIERARCHY_HIERARCHY_H
#define MO_GEOMETRY_HIERARCHY_HIERARCHY_H

#include "geometry/bound/bound.h"
#include "geometry/hierarchy/order.h"
#include "geometry/simplex/simplices.h"

enum { MO_LAYERS_MAX = 13 }; /* 8^11 > 2^31, and the top */

typedef struct mo_hierarchy {
    mo_memory *memory;
    const mo_bound_type *bound;
    mo_simplices set; /* what it was built or refitted with last */
    int64_t count;    /* primitives in it */
    int layers;
    int64_t first[MO_LAYERS_MAX + 1]; /* block of each layer; the end of the last */
    float *block;
    int32_t *order; /* the primitive of lane k of block b of layer 0 is order[8 b + k] */
    mo_vec3 origin;
    bool keep_origin; /* unchanged by builds: trees with one origin are compared faster */
    int64_t block_capacity, order_capacity, middle_capacity, size_capacity, point_capacity;
    mo_vec3 *middle; /* scratch: of the primitives' boxes */
    double *size;    /* scratch: extents of these boxes */
    double *point;   /* scratch: of all primitives, in order */
    mo_radix radix;
} mo_hierarchy;

typedef enum mo_hierarchy_order {
    MO_HIERARCHY_MEDIAN, /* cut at medians: better trees, for static sets */
    MO_HIERARCHY_MORTON, /* along a space-filling curve: fast, for rebuilds in every step */
    MO_HIERARCHY_GIVEN   /* `order` is set by the caller, after mo_hierarchy_reserve */
} mo_hierarchy_order;

void mo_hierarchy_init(mo_hierarchy *h, const mo_bound_type *bound, mo_memory *memory);
void mo_hierarchy_release(mo_hierarchy *h);

/* Positions are finite; at most INT32_MAX / 8 primitives. The arrays of the set are used until the
 * next build or refit. */
mote_status mo_hierarchy_build(mo_hierarchy *h, const mo_simplices *set, mo_hierarchy_order order,
                               mo_pool *pool, mote_error *error);

/* Room for `count` primitives of a set; fewer than it has if some are left out of a given order. */
mote_status mo_hierarchy_reserve(mo_hierarchy *h, int64_t count, mote_error *error);

/* The same primitives at other positions: volumes from the leaves up. Trees stay correct and
 * become looser as a body deforms. */
void mo_hierarchy_refit(mo_hierarchy *h, const mo_simplices *set, mo_pool *pool);

/* The same for the one primitive at order[slot], whose position in the set's array has changed. */
void mo_hierarchy_refit_one(mo_hierarchy *h, int64_t slot);

static inline const float *mo_hierarchy_block(const mo_hierarchy *h, int layer, int64_t block)
{
    return h->block + (h->first[layer] + block) * h->bound->scalars * MO_BOUND_LANES;
}

static inline int64_t mo_hierarchy_blocks(const mo_hierarchy *h, int layer)
{
    return h->first[layer + 1] - h->first[layer];
}

/* Lanes in use: of the last block of a layer there may be fewer. */
static inline int mo_hierarchy_lanes(const mo_hierarchy *h, int layer, int64_t block)
{
    int64_t items = layer == 0 ? h->count : mo_hierarchy_blocks(h, layer - 1);
    int64_t rest = items - MO_BOUND_LANES * block;
    return rest < MO_BOUND_LANES ? (int)rest : MO_BOUND_LANES;
}

/* How good a tree is. */
typedef struct mo_hierarchy_quality {
    int layers;
    int depth_min, depth_max; /* of leaves: equal, since the tree is balanced */
    double fill;              /* lanes in use of all lanes */
    double redundancy;        /* volumes above the leaves per primitive */
    double volume;            /* of everything [m^3] */
    double overlap; /* mean over inner nodes: sum of the children's volumes by the node's own */
} mo_hierarchy_quality;

mo_hierarchy_quality mo_hierarchy_examine(const mo_hierarchy *h);

#endif
