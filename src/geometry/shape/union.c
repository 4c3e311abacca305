/* Boolean union: d = min d_k (csg.h). */
#include "geometry/shape/csg.h"

extern const mo_shape_type mo_shape_union;

typedef struct shape_union {
    mo_list shapes;
} shape_union;

static const mo_param PARAMS[] = {{"shapes", MO_METHOD, .list = true, MO_FIELD(shape_union, shapes),
                                   .family = &mo_shapes, .required = true,
                                   .doc = "The shapes; they may overlap."},
                                  {0}};

static mo_csg csg_of(const void *params)
{
    const shape_union *u = params;
    return (mo_csg){u->shapes.count, u->shapes.items, -1, -1, -1};
}

mo_method mo_csg_union(const mo_list *shapes)
{
    return (mo_method){&mo_shape_union.base, shapes}; /* the list is all of its parameters */
}

static mote_status union_check(const void *params, mote_error *error)
{
    return ((const shape_union *)params)->shapes.count > 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT, "shapes: a union needs at least one");
}

static void union_distances(const void *params, int64_t count, const double *points,
                            double *distance, double *normal)
{
    mo_csg c = csg_of(params);
    mo_csg_distances(&c, count, points, distance, normal);
}

static bool union_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const shape_union *u = params;
    const mo_method *shapes = u->shapes.items;
    bool all = mo_shape_bounds(shapes[0], min, max);
    for (int64_t k = 1; k < u->shapes.count && all; ++k) {
        mo_vec3 a, b;
        all = mo_shape_bounds(shapes[k], &a, &b);
        *min = mo_vec3_make(fmin(min->x, a.x), fmin(min->y, a.y), fmin(min->z, a.z));
        *max = mo_vec3_make(fmax(max->x, b.x), fmax(max->y, b.y), fmax(max->z, b.z));
    }
    return all;
}

static int union_intervals(const void *params, mo_vec3 from, mo_vec3 direction, mo_interval *list)
{
    mo_csg c = csg_of(params);
    return mo_csg_intervals(&c, from, direction, list);
}

static mote_status union_facets(const void *params, const mo_shape_region *region,
                                struct mo_facets *facets, mote_error *error)
{
    mo_csg c = csg_of(params);
    return mo_csg_facets(&c, region, facets, error);
}

const mo_shape_type mo_shape_union = {
    .base = {.name = "union",
             .summary = "Boolean union of shapes. Its distance is exact outside and a lower bound "
                        "inside.",
             .citation = "J. C. Hart 1996, Vis. Comput. 12, 527",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(shape_union),
             .params = PARAMS,
             .check = union_check},
    .distances = union_distances,
    .bounds = union_bounds,
    .intervals = union_intervals,
    .facets = union_facets,
};
