/* A binary space partition over primitives (H. Fuchs, Z. M. Kedem, B. F. Naylor 1980, SIGGRAPH
 * 124): cuts at the median, across the principal axis of the primitives' middles. Departs from the
 * paper: planes are not those of polygons, whose order a painter needs, but across what extends
 * most. */
#include "geometry/subdivide/plane_tree.h"
#include "math/eigen3.h"

extern const mo_subdivision_type mo_subdivision_bsp_tree;

typedef struct parameters {
    int64_t leaf;
} parameters;

static const mo_param PARAMS[] = {MO_PLANE_TREE_LEAF_PARAM(parameters, leaf), {0}};

static mo_vec3 principal_axis(const mo_vec3 *middle, const int32_t *list, int64_t count)
{
    mo_vec3 mean = {0, 0, 0};
    mo_mat3 c = {{0}};
    int best = 0;
    for (int64_t k = 0; k < count; ++k) {
        mean = mo_add(mean, middle[list[k]]);
    }
    mean = mo_scale(1 / (double)count, mean);
    for (int64_t k = 0; k < count; ++k) {
        double d[3];
        mo_vec3_store(d, mo_sub(middle[list[k]], mean));
        for (int i = 0; i < 9; ++i) {
            c.m[i] += d[i / 3] * d[i % 3];
        }
    }
    mo_eigen3 e = mo_eigen3_of(c);
    for (int k = 1; k < 3; ++k) {
        best = e.value[k] > e.value[best] ? k : best;
    }
    return mo_vec3_make(e.vector.m[best], e.vector.m[3 + best], e.vector.m[6 + best]);
}

static void bsp_tree_release(void *instance, mo_memory *memory)
{
    mo_plane_tree_release(instance, memory);
}

static mote_status bsp_tree_build(void *instance, const void *params, const mo_subdivided *over,
                                  mo_memory *memory, mo_pool *pool, mote_error *error)
{
    mo_plane_tree *t = instance;
    (void)pool;
    t->leaf = params ? ((const parameters *)params)->leaf : 64;
    t->cut = principal_axis;
    return mo_plane_tree_build(t, over, memory, error);
}

static void bsp_tree_near(const void *instance, const mo_box *box, mo_overlapping_fn *found,
                          void *context)
{
    mo_plane_tree_near(instance, box, found, context);
}

const mo_subdivision_type mo_subdivision_bsp_tree = {
    .base = {.name = "bsp_tree",
             .summary = "Binary space partition over primitives: cuts at medians across principal "
                        "axes; for sets that lie askew to the axes.",
             .citation = "H. Fuchs, Z. M. Kedem, B. F. Naylor 1980, SIGGRAPH 124",
             .departs = "Cuts across the direction of largest extent, not along polygons.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .size = sizeof(mo_plane_tree),
    .release = bsp_tree_release,
    .build = bsp_tree_build,
    .near = bsp_tree_near,
};
