/*
 * Region trees with buckets: space is bisected along some axes until no region exceeds the bucket
 * capacity. octree.c halves along all axes at once, region_kdtree.c along one at a time: the axes
 * in turn, or the longest.
 *
 * A node has the tight bounding box of its points, used for pruning instead of the region: exact
 * without margins (window.h), and tight for sparse regions. A region whose points all lie in one
 * half is bisected without creating a node, so a tree has fewer nodes than points for any extent.
 * Coincident points, and points at the maximum depth, stay in one bucket of any size.
 *
 * The tree is built level by level, the nodes of a level in parallel, without recursion. The points
 * of a leaf are a range of slots; points inserted later are chained to it, and an overfull leaf is
 * split.
 */
#ifndef MO_NEIGHBOR_SEARCH_BUCKET_TREE_H
#define MO_NEIGHBOR_SEARCH_BUCKET_TREE_H

#include "neighbor/search/packed.h"

typedef struct mo_tree_node {
    double low[3], high[3]; /* the bounding box of its points; empty (min > max) if there are
                             * none */
    int32_t child;          /* the first of its children; 0: a leaf */
    int32_t first, count;   /* slots; of a leaf */
    int32_t chain;          /* a leaf's first chained slot; -1: none */
} mo_tree_node;

/* Data for building and descending. */
typedef struct mo_tree_region {
    double low[3], high[3];
    uint32_t axes;   /* bit k: cut in the middle along axis k; 0: not cut */
    int32_t turn;    /* the axis whose turn it is */
    int32_t chained; /* length of the chain */
} mo_tree_region;

/* The bucket capacity; parameters of both trees. */
typedef struct mo_bucket_params {
    int64_t capacity;
    bool surface;
    double spacing, width;
    bool longest_side; /* region_kdtree */
} mo_bucket_params;

/* The rows of both tables. */
#define MO_BUCKET_PARAMS \
    {"capacity", \
     MO_INT, \
     MO_FIELD(mo_bucket_params, capacity), \
     .initial = "0", \
     .range = "[0, 1e6]", \
     .doc = \
         "Capacity of a bucket; 0: the number of points in a densely packed cell if `spacing` is " \
         "given, else 32."}, \
        {"surface", \
         MO_BOOL, \
         MO_FIELD(mo_bucket_params, surface), \
         .initial = "false", \
         .doc = "The points sample a surface instead of a volume; for the capacity.", \
         .needs = "spacing"}, \
        {"spacing", \
         MO_REAL, \
         MO_FIELD(mo_bucket_params, spacing), \
         .unit = "m", \
         .range = "(0, inf)", \
         .doc = "Minimum distance between points, for the capacity."}, \
    { \
        "width", MO_REAL, MO_FIELD(mo_bucket_params, width), \
            .unit = "radius", .initial = "1", .range = "(0, inf)", \
            .doc = "Width of the packed cell, in search radii.", .needs = "spacing" \
    }
extern const mo_bucket_params mo_bucket_defaults;

/* Cut axes of a region. */
typedef enum mo_tree_cut { MO_CUT_ALL, MO_CUT_IN_TURN, MO_CUT_LONGEST } mo_tree_cut;

typedef struct mo_tree {
    mo_packed packed;
    mo_bucket_params p;
    mo_tree_cut cut;
    int64_t capacity; /* of a bucket */
    int64_t rows;
    mo_tree_node *node;
    mo_tree_region *region;
    int64_t nodes, node_capacity, region_capacity;
    int32_t *spare;  /* next slots, while building */
    int32_t *counts; /* eight per node of the level being built */
    int32_t *next;   /* by slot: chains, and the free slots */
    int32_t free_slot;
    int64_t spare_capacity, counts_capacity, next_capacity;
} mo_tree;

/* The maximum number of points at least `spacing` apart in a cell (Tonnesen 1998, section 7.2.3):
 * densest packing of spheres in a volume, of circles on a hemisphere as wide as the cell. */
int64_t mo_bucket_capacity(bool surface, double width, double spacing);

extern const mo_structure_array mo_tree_arrays[];

/* The layout of both trees. */
#define MO_TREE_LAYOUT \
    { \
        .size = sizeof(mo_tree), .params = offsetof(mo_tree, p), .defaults = &mo_bucket_defaults, \
        .arrays = mo_tree_arrays \
    }

mote_status mo_tree_build(mo_tree *tree, mo_tree_cut cut, const mo_search_points *points,
                          mo_pool *pool, mote_error *error);

/* See search.h. */
void mo_tree_walk(const void *instance, const mo_search_window *window, mo_runs *runs);
int64_t mo_tree_nearest(const void *instance, mo_vec3 position, int64_t k, int32_t *out,
                        double *square);
mote_status mo_tree_insert(void *instance, const mo_search_points *points, mote_error *error);
mote_status mo_tree_remove(void *instance, const mo_search_points *points, int64_t row,
                           mote_error *error);

#endif
