/*
 * Boolean intersection: d = max d_k (csg.h).
 */
#include "geometry/shape/csg.h"

typedef struct intersection {
    mo_list shapes;
} intersection;

static const mo_param PARAMS[] = {{"shapes", MO_METHOD, .list = true,
                                   MO_FIELD(intersection, shapes), .family = &mo_shapes,
                                   .required = true, .doc = "The shapes."},
                                  {0}};

static mo_csg csg_of(const void *params)
{
    const intersection *i = params;
    return (mo_csg){i->shapes.count, i->shapes.items, 1, 1, 1};
}

static void intersection_distances(const void *params, int64_t count, const double *points,
                                   double *distance, double *normal)
{
    mo_csg c = csg_of(params);
    mo_csg_distances(&c, count, points, distance, normal);
}

/* Intersection of the bounding boxes; for disjoint shapes, a point. */
static bool intersection_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    mo_csg c = csg_of(params);
    bool any = false;
    *min = mo_vec3_make(-INFINITY, -INFINITY, -INFINITY);
    *max = mo_vec3_make(INFINITY, INFINITY, INFINITY);
    for (int64_t k = 0; k < c.count; ++k) {
        mo_vec3 a, b;
        if (mo_shape_bounds(c.shapes[k], &a, &b)) {
            any = true;
            *min = mo_vec3_make(fmax(min->x, a.x), fmax(min->y, a.y), fmax(min->z, a.z));
            *max = mo_vec3_make(fmin(max->x, b.x), fmin(max->y, b.y), fmin(max->z, b.z));
        }
    }
    *max = mo_vec3_make(fmax(min->x, max->x), fmax(min->y, max->y), fmax(min->z, max->z));
    return any;
}

static mote_status intersection_check(const void *params, mote_error *error)
{
    mo_csg c = csg_of(params);
    mo_vec3 min, max;
    if (c.count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "shapes: an intersection needs at least one");
    }
    if (intersection_bounds(params, &min, &max) &&
        !(min.x < max.x && min.y < max.y && min.z < max.z)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "shapes: their intersection is empty");
    }
    return MOTE_OK;
}

static bool intersection_has_chord(const void *params)
{
    mo_csg c = csg_of(params);
    bool all = true;
    for (int64_t k = 0; k < c.count; ++k) {
        all = all && mo_shape_has_chord(c.shapes[k]);
    }
    return all;
}

static bool intersection_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                               double *leave)
{
    mo_csg c = csg_of(params);
    *enter = -INFINITY;
    *leave = INFINITY;
    for (int64_t k = 0; k < c.count; ++k) {
        double in, out;
        if (!mo_shape_chord(c.shapes[k], from, direction, &in, &out)) {
            return false;
        }
        *enter = fmax(*enter, in);
        *leave = fmin(*leave, out);
    }
    return *enter < *leave;
}

static int intersection_intervals(const void *params, mo_vec3 from, mo_vec3 direction,
                                  mo_interval *list)
{
    mo_csg c = csg_of(params);
    return mo_csg_intervals(&c, from, direction, list);
}

static mote_status intersection_facets(const void *params, const mo_shape_region *region,
                                       struct mo_facets *facets, mote_error *error)
{
    mo_csg c = csg_of(params);
    return mo_csg_facets(&c, region, facets, error);
}

const mo_shape_type mo_shape_intersection = {
    .base = {.name = "intersection",
             .summary = "Boolean intersection of shapes. Its distance is exact inside and a lower "
                        "bound outside.",
             .citation = "J. C. Hart 1996, Vis. Comput. 12, 527",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(intersection),
             .params = PARAMS,
             .check = intersection_check},
    .distances = intersection_distances,
    .bounds = intersection_bounds,
    .chord = intersection_chord,
    .has_chord = intersection_has_chord,
    .intervals = intersection_intervals,
    .facets = intersection_facets,
};
