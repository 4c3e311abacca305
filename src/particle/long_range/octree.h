/*
 * An octree over scaled positions in Morton order, with moments of the charges of each node about
 * its centre of |q|: monopole, dipole (0 for masses), and second moments sum q d d'.
 *
 * Nodes are in breadth-first order, the children of a node consecutive; it depends on the positions
 * alone.
 */
#ifndef MO_PARTICLE_LONG_RANGE_OCTREE_H
#define MO_PARTICLE_LONG_RANGE_OCTREE_H

#include "base/radix.h"
#include "particle/long_range/scaled.h"

enum { MO_OCTREE_LEAF = 32, MO_OCTREE_LEVELS = 21, MO_OCTREE_MOMENTS = 10 };

typedef struct mo_octree_node {
    int32_t first, count;             /* particles in Morton order */
    int32_t children, degree;         /* nodes; degree 0: a leaf */
    double center[3], radius;         /* of a ball about the centre that contains its particles */
    double size;                      /* sum of |q| */
    double moment[MO_OCTREE_MOMENTS]; /* q; x, y, z; xx, yy, zz, xy, xz, yz */
} mo_octree_node;

typedef struct mo_octree {
    mo_memory *memory;
    mo_scaled points; /* in Morton order */
    mo_radix radix;
    int32_t *order; /* rows in Morton order */
    mo_octree_node *nodes;
    int32_t *leaves, count, leaf_count;
    int64_t order_capacity, node_capacity, leaf_capacity;
} mo_octree;

void mo_octree_init(mo_octree *tree, mo_memory *memory);
void mo_octree_release(mo_octree *tree);
mote_status mo_octree_build(mo_octree *tree, int64_t rows, const double *x, const double *charge,
                            mo_pool *pool, mote_error *error);

#endif
