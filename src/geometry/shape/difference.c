/*
 * Boolean difference: d = max(d_0, -d_k) (csg.h).
 *
 * Where a subtracted shape shares a face with the minuend, as a cavity that ends in the plane of
 * the rim, d vanishes on that face though there is no surface. Such a face is rejected: the
 * subtracted shape must extend beyond it.
 */
#include "geometry/shape/csg.h"
#include "geometry/shape/facets.h"

typedef struct difference {
    mo_method shape;
    mo_list subtract;
    /* set by prepare: the shape, then the subtracted ones */
    mo_method *all;
} difference;

static const mo_param PARAMS[] = {
    {"shape", MO_METHOD, MO_FIELD(difference, shape), .family = &mo_shapes, .required = true,
     .doc = "The shape that the others are subtracted from."},
    {"subtract", MO_METHOD, .list = true, MO_FIELD(difference, subtract), .family = &mo_shapes,
     .required = true,
     .doc = "The subtracted shapes; extend an opening beyond the face that it cuts."},
    {0}};

static mo_csg csg_of(const void *params)
{
    const difference *d = params;
    return (mo_csg){d->subtract.count + 1, d->all, 1, -1, 1};
}

static bool difference_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    return mo_shape_bounds(((const difference *)params)->shape, min, max);
}

/* ---- coincident faces ---- */

static const double SAME = 1e-6; /* in sizes of the shape */

/* Whether the centroid of a triangle of shape a is on a face of shape b with the same normal. */
static bool shares_face(mo_method a, mo_method b, const double middle[3], double size)
{
    double distance, n[3], other[3], none;
    mo_shape_distances(b, 1, middle, &distance, n);
    mo_shape_distances(a, 1, middle, &none, other);
    return fabs(distance) < SAME * size && mo_dot(mo_vec3_load(n), mo_vec3_load(other)) > 1 - 1e-9;
}

static mote_status check_faces(const difference *d, int64_t number, const mo_facets *facets,
                               double size, mote_error *error)
{
    mo_method other = ((const mo_method *)d->subtract.items)[number];
    for (int64_t t = 0; t < facets->triangles; ++t) {
        mo_vec3 sum = mo_vec3_make(0, 0, 0);
        double middle[3];
        for (int k = 0; k < 3; ++k) {
            sum = mo_add(sum, mo_vec3_load(facets->x + 3 * (int64_t)facets->corner[3 * t + k]));
        }
        mo_vec3_store(middle, mo_scale(1.0 / 3, sum));
        if (shares_face(other, d->shape, middle, size)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "subtract[%lld]: its surface coincides with a face of the shape at [%g, "
                           "%g, %g]; extend it beyond that face",
                           (long long)number, middle[0], middle[1], middle[2]);
        }
    }
    return MOTE_OK;
}

static mote_status check_shape(const difference *d, int64_t number, mo_memory *memory,
                               mote_error *error)
{
    mo_shape_region region = {.coarse = true};
    mo_facets facets;
    if (!difference_bounds(d, &region.low, &region.high)) {
        return MOTE_OK;
    }
    double size = mo_length(mo_sub(region.high, region.low));
    region.edge = 0.2 * size;
    mo_facets_init(&facets, memory);
    mote_status status =
        mo_shape_facets(((const mo_method *)d->subtract.items)[number], &region, &facets, error);
    status = status == MOTE_OK ? check_faces(d, number, &facets, size, error) : status;
    mo_facets_release(&facets);
    return status;
}

static mote_status difference_prepare(void *params, mo_arena *arena, mote_error *error)
{
    difference *d = params;
    size_t bytes = (size_t)(d->subtract.count + 1) * sizeof *d->all;
    d->all = mo_arena_allocate(arena, bytes);
    if (!d->all) {
        return mo_fail_memory(error, bytes);
    }
    d->all[0] = d->shape;
    for (int64_t k = 0; k < d->subtract.count; ++k) {
        d->all[k + 1] = ((const mo_method *)d->subtract.items)[k];
        MO_TRY(check_shape(d, k, arena->memory, error));
    }
    return MOTE_OK;
}

static void difference_distances(const void *params, int64_t count, const double *points,
                                 double *distance, double *normal)
{
    mo_csg c = csg_of(params);
    mo_csg_distances(&c, count, points, distance, normal);
}

static int difference_intervals(const void *params, mo_vec3 from, mo_vec3 direction,
                                mo_interval *list)
{
    mo_csg c = csg_of(params);
    return mo_csg_intervals(&c, from, direction, list);
}

static mote_status difference_facets(const void *params, const mo_shape_region *region,
                                     mo_facets *facets, mote_error *error)
{
    mo_csg c = csg_of(params);
    return mo_csg_facets(&c, region, facets, error);
}

const mo_shape_type mo_shape_difference = {
    .base = {.name = "difference",
             .summary = "Boolean difference of shapes: a glass, a pipe, a hole. Its distance is a "
                        "lower bound near edges.",
             .citation = "J. C. Hart 1996, Vis. Comput. 12, 527",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(difference),
             .params = PARAMS,
             .prepare = difference_prepare},
    .distances = difference_distances,
    .bounds = difference_bounds,
    .intervals = difference_intervals,
    .facets = difference_facets,
};
