/*
 * The region octree (in the plane: quadtree): a cube that exceeds the bucket capacity is divided
 * into eight (four) equal ones. H. Samet 1984, "The quadtree and related hierarchical data
 * structures", ACM Comput. Surv. 16, 187; D. Tonnesen 1998, PhD thesis, section 7.2.5. See
 * bucket_tree.h for building and searching.
 */
#include "neighbor/search/bucket_tree.h"

static const mo_param PARAMS[] = {MO_BUCKET_PARAMS, {0}};

static mote_status octree_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                mote_error *error)
{
    return mo_tree_build(instance, MO_CUT_ALL, points, pool, error);
}

const mo_search_type mo_search_octree = {
    .base = {.name = "octree",
             .summary = "Octree with buckets.",
             .citation = "H. Samet 1984, ACM Comput. Surv. 16, 187",
             .capabilities = MO_SEARCH_INSERTS | MO_SEARCH_DELETES | MO_SEARCH_NEAREST |
                             MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(mo_bucket_params),
             .params = PARAMS},
    .layout = MO_TREE_LAYOUT,
    .build = octree_build,
    .walk = mo_tree_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
    .nearest = mo_tree_nearest,
    .insert = mo_tree_insert,
    .remove = mo_tree_remove,
};
