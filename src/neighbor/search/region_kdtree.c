/*
 * The region kd-tree: a region that exceeds the bucket capacity is bisected into equal
 * halves, along x, y and z in turn. D. Tonnesen 1998, PhD thesis, section 7.2.5, who used it for
 * surfaces and volumes alike; H. Samet 1984, ACM Comput. Surv. 16, 187. The first region is the box
 * of the points. `longest_side` cuts across the longest side instead, starting from a cube, so that
 * regions stay compact in elongated clouds. See bucket_tree.h for building and searching.
 */
#include "neighbor/search/bucket_tree.h"

static const mo_param PARAMS[] = {
    MO_BUCKET_PARAMS,
    {"longest_side", MO_BOOL, MO_FIELD(mo_bucket_params, longest_side), .initial = "false",
     .doc = "Halve a region across its longest side instead of along the axes in turn."},
    {0}};

static mote_status region_kdtree_build(void *instance, const mo_search_points *points,
                                       mo_pool *pool, mote_error *error)
{
    mo_tree *tree = instance;
    mo_tree_cut cut = tree->p.longest_side ? MO_CUT_LONGEST : MO_CUT_IN_TURN;
    return mo_tree_build(tree, cut, points, pool, error);
}

const mo_search_type mo_search_region_kdtree = {
    .base = {.name = "region_kdtree",
             .summary = "k-d tree of regions, halved along the axes in turn, with buckets.",
             .citation = "D. Tonnesen 1998, PhD thesis, University of Toronto, section 7.2.5",
             .capabilities = MO_SEARCH_INSERTS | MO_SEARCH_DELETES | MO_SEARCH_NEAREST |
                             MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(mo_bucket_params),
             .params = PARAMS},
    .layout = MO_TREE_LAYOUT,
    .build = region_kdtree_build,
    .walk = mo_tree_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
    .nearest = mo_tree_nearest,
    .insert = mo_tree_insert,
    .remove = mo_tree_remove,
};
