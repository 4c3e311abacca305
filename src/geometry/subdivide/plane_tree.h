/*
 * Trees of planes: what the kd-tree and the BSP tree share. A node cuts the primitives of its part
 * of space by a plane through their median; a leaf has a list of the primitives whose boxes reach
 * into it. The two trees differ in the direction of the cut.
 */
#ifndef MO_GEOMETRY_SUBDIVIDE_PLANE_TREE_H
#define MO_GEOMETRY_SUBDIVIDE_PLANE_TREE_H

#include "geometry/subdivide/subdivide.h"

typedef struct mo_plane_node {
    mo_vec3 normal; /* below: normal . x <= offset */
    double offset;
    int32_t child[2]; /* below and above; of a leaf: its first entry, and ~(how many) */
    int32_t axis;     /* that the normal is along; -1: none */
} mo_plane_node;

/* The direction in which to cut primitives with these middles. */
typedef mo_vec3 mo_cut_fn(const mo_vec3 *middle, const int32_t *list, int64_t count);

typedef struct mo_plane_tree {
    const mo_subdivided *over;
    int64_t leaf; /* primitives of a leaf at most, if cuts can help */
    mo_cut_fn *cut;
    int64_t node_count, entry_count;
    int depth;
    mo_plane_node *node;
    int32_t *entry;
    /* scratch of a build: lists of primitives, one behind the other, and numbers to sort by */
    int32_t *list;
    mo_vec3 *middle;
    double *along;
    int64_t node_capacity, entry_capacity, list_capacity, middle_capacity, along_capacity,
        list_count;
} mo_plane_tree;

void mo_plane_tree_release(mo_plane_tree *t, mo_memory *memory);
mote_status mo_plane_tree_build(mo_plane_tree *t, const mo_subdivided *over, mo_memory *memory,
                                mote_error *error);
void mo_plane_tree_near(const mo_plane_tree *t, const mo_box *box, mo_overlapping_fn *found,
                        void *context);

#define MO_PLANE_TREE_LEAF_PARAM(type, member) \
    { \
        "leaf", MO_INT, MO_FIELD(type, member), .initial = "64", .range = "[1, 4096]", \
                                                .doc = "Primitives of a leaf at most." \
    }

#endif
