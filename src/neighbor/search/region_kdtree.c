/*
 * The region kd-tree: a region that exceeds the bucket capacity is bisected across its longest side
 * (for a cube: x, then y, then z). D. Tonnesen 1998, PhD thesis, section 7.2.5, who used it for
 * surfaces and volumes alike; H. Samet 1984, ACM Comput. Surv. 16, 187. See bucket_tree.h for
 * building and searching.
 */
#include "neighbor/search/bucket_tree.h"

static mote_status build(void *instance, const mo_search_points *points, mo_pool *pool,
                         mote_error *error)
{
    return mo_tree_build(instance, true, points, pool, error);
}

const mo_search_type mo_search_region_kdtree = {
    .base = {.name = "region_kdtree",
             .summary = "k-d tree of regions, halved across the longest side, with buckets.",
             .citation = "D. Tonnesen 1998, PhD thesis, University of Toronto, section 7.2.5",
             .capabilities = MO_SEARCH_INSERTS | MO_SEARCH_DELETES | MO_SEARCH_NEAREST |
                             MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(mo_bucket_params),
             .params = MO_BUCKET_PARAMS},
    .layout = MO_TREE_LAYOUT,
    .build = build,
    .walk = mo_tree_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
    .nearest = mo_tree_nearest,
    .insert = mo_tree_insert,
    .remove = mo_tree_remove,
};
