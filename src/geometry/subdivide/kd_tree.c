/* A kd-tree over primitives (J. L. Bentley 1975, Commun. ACM 18, 509): cuts at the median, across
 * the axis in which the primitives' middles extend most. */
#include "geometry/subdivide/plane_tree.h"

extern const mo_subdivision_type mo_subdivision_kd_tree;

typedef struct parameters {
    int64_t leaf;
} parameters;

static const mo_param PARAMS[] = {MO_PLANE_TREE_LEAF_PARAM(parameters, leaf), {0}};

static mo_vec3 widest_axis(const mo_vec3 *middle, const int32_t *list, int64_t count)
{
    static const mo_vec3 AXES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mo_box box = mo_box_empty();
    int widest = 0;
    for (int64_t k = 0; k < count; ++k) {
        double x[3];
        mo_vec3_store(x, middle[list[k]]);
        mo_box_grow(&box, x);
    }
    for (int axis = 1; axis < 3; ++axis) {
        double extent = box.high[axis] - box.low[axis];
        widest = extent > box.high[widest] - box.low[widest] ? axis : widest;
    }
    return AXES[widest];
}

static void kd_tree_release(void *instance, mo_memory *memory)
{
    mo_plane_tree_release(instance, memory);
}

static mote_status kd_tree_build(void *instance, const void *params, const mo_subdivided *over,
                                 mo_memory *memory, mo_pool *pool, mote_error *error)
{
    mo_plane_tree *t = instance;
    (void)pool;
    t->leaf = params ? ((const parameters *)params)->leaf : 64;
    t->cut = widest_axis;
    return mo_plane_tree_build(t, over, memory, error);
}

static void kd_tree_near(const void *instance, const mo_box *box, mo_overlapping_fn *found,
                         void *context)
{
    mo_plane_tree_near(instance, box, found, context);
}

const mo_subdivision_type mo_subdivision_kd_tree = {
    .base = {.name = "kd_tree",
             .summary = "kd-tree over primitives: cuts at medians along the axes; adapts to sets "
                        "of uneven density.",
             .citation = "J. L. Bentley 1975, Commun. ACM 18, 509",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .size = sizeof(mo_plane_tree),
    .release = kd_tree_release,
    .build = kd_tree_build,
    .near = kd_tree_near,
};
