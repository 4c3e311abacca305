/*
 * A shape that is scaled, rotated about an axis through the origin, then translated:
 *     x = s R X + p,    d(x) = s D(X).
 * The scale is uniform, so distances stay exact.
 */
#include "geometry/shape/facets.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/primitive.h"
#include "geometry/shape/shape_samples.h"
#include "math/quat.h"

enum { BATCH = 64 };

extern const mo_shape_type mo_shape_transform;

typedef struct transform {
    mo_method shape;
    double scale, angle;
    mo_vec3 axis, translate;
    mo_mat3 R; /* created by prepare */
} transform;

static const mo_param PARAMS[] = {
    {"shape", MO_METHOD, MO_FIELD(transform, shape), .family = &mo_shapes, .required = true,
     .doc = "The shape."},
    {"scale", MO_REAL, MO_FIELD(transform, scale), .initial = "1", .range = "(0, inf)",
     .doc = "Uniform scale factor about the origin."},
    {"axis", MO_VEC3, MO_FIELD(transform, axis), .initial = "[0, 0, 1]",
     .doc = "Axis of rotation through the origin; normalised, must not be zero."},
    {"angle", MO_REAL, MO_FIELD(transform, angle), .unit = "rad", .initial = "0",
     .doc = "Angle of rotation, right-handed about the axis."},
    {"translate", MO_VEC3, MO_FIELD(transform, translate), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Translation, after scaling and rotation."},
    {0}};

static mote_status transform_check(const void *params, mote_error *error)
{
    const transform *t = params;
    return mo_length(t->axis) > 0 ? MOTE_OK
                                  : mo_fail(error, MOTE_ERROR_INPUT,
                                            "axis: a rotation needs an axis that is not zero");
}

static mote_status transform_prepare(void *params, struct mo_arena *arena, mote_error *error)
{
    transform *t = params;
    (void)arena;
    (void)error;
    t->R = t->angle == 0 ? mo_mat3_identity()
                         : mo_quat_matrix(mo_quat_turn(mo_unit(t->axis, t->axis), t->angle));
    return MOTE_OK;
}

static mo_vec3 into(const transform *t, mo_vec3 x)
{
    return mo_scale(1 / t->scale, mo_mat3_apply_transposed(t->R, mo_sub(x, t->translate)));
}

static mo_vec3 out_of(const transform *t, mo_vec3 X)
{
    return mo_add(mo_mat3_apply(t->R, mo_scale(t->scale, X)), t->translate);
}

static void transform_distances(const void *params, int64_t count, const double *points,
                                double *distance, double *normal)
{
    const transform *t = params;
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t n = count - first < BATCH ? count - first : BATCH;
        double local[3 * BATCH], *own = normal ? normal + 3 * first : NULL;
        for (int64_t k = 0; k < n; ++k) {
            mo_vec3_store(local + 3 * k, into(t, mo_vec3_load(points + 3 * (first + k))));
        }
        mo_shape_distances(t->shape, n, local, distance + first, own);
        for (int64_t k = 0; k < n; ++k) {
            distance[first + k] *= t->scale;
            if (own) {
                mo_vec3_store(own + 3 * k, mo_mat3_apply(t->R, mo_vec3_load(own + 3 * k)));
            }
        }
    }
}

/* The bounding box of the transformed bounding box. */
static bool transform_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const transform *t = params;
    mo_vec3 low, high;
    if (!mo_shape_bounds(t->shape, &low, &high)) {
        return false;
    }
    *min = mo_vec3_make(INFINITY, INFINITY, INFINITY);
    *max = mo_vec3_make(-INFINITY, -INFINITY, -INFINITY);
    for (int k = 0; k < 8; ++k) {
        mo_vec3 x = out_of(t, mo_vec3_make(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y,
                                           k & 4 ? high.z : low.z));
        *min = mo_vec3_make(fmin(min->x, x.x), fmin(min->y, x.y), fmin(min->z, x.z));
        *max = mo_vec3_make(fmax(max->x, x.x), fmax(max->y, x.y), fmax(max->z, x.z));
    }
    return true;
}

static bool transform_has_chord(const void *params)
{
    return mo_shape_has_chord(((const transform *)params)->shape);
}

static bool transform_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                            double *leave)
{
    const transform *t = params;
    bool hit = mo_shape_chord(t->shape, into(t, from), mo_mat3_apply_transposed(t->R, direction),
                              enter, leave);
    *enter *= t->scale;
    *leave *= t->scale;
    return hit;
}

static int transform_intervals(const void *params, mo_vec3 from, mo_vec3 direction,
                               mo_interval *list)
{
    const transform *t = params;
    mo_vec3 u = mo_mat3_apply_transposed(t->R, direction);
    int count = mo_shape_intervals(t->shape, into(t, from), u, list);
    for (int k = 0; k < count; ++k) {
        list[k] = (mo_interval){t->scale * list[k].from, t->scale * list[k].to};
    }
    return count;
}

/* A bounding box in the frame of the shape of a box of the world; unbounded if that is. */
static void box_into(const transform *t, mo_vec3 low, mo_vec3 high, mo_vec3 *own_low,
                     mo_vec3 *own_high)
{
    double reach = 0.5 * mo_length(mo_sub(high, low)) / t->scale;
    mo_vec3 half = mo_vec3_make(reach, reach, reach);
    mo_vec3 middle = isfinite(reach) ? into(t, mo_scale(0.5, mo_add(low, high))) : t->translate;
    *own_low = mo_sub(middle, half);
    *own_high = mo_add(middle, half);
}

/* In three dimensions the sampling of the shape; its section with z = 0 differs. */
static mote_status transform_sample(const void *params, const mo_sampling *how, mo_samples *samples,
                                    mote_error *error)
{
    const transform *t = params;
    mo_sampling own = *how;
    int64_t first = samples->count;
    if (how->dimension == 2) {
        mo_method self = {&mo_shape_transform.base, params};
        return mo_sample_by_distance(self, how, samples, error);
    }
    own.spacing = how->spacing / t->scale;
    own.inside = false;
    box_into(t, how->low, how->high, &own.low, &own.high);
    MO_TRY(mo_sample_shape(t->shape, &own, samples, error));
    for (int64_t k = first; k < samples->count; ++k) {
        mo_vec3 n = mo_vec3_load(samples->normal + 3 * k);
        mo_vec3_store(samples->x + 3 * k, out_of(t, mo_vec3_load(samples->x + 3 * k)));
        mo_vec3_store(samples->normal + 3 * k, mo_mat3_apply(t->R, n));
        samples->area[k] *= t->scale * t->scale;
    }
    return MOTE_OK;
}

static mote_status transform_facets(const void *params, const mo_shape_region *region,
                                    mo_facets *facets, mote_error *error)
{
    const transform *t = params;
    mo_shape_region own = {.edge = region->edge / t->scale, .coarse = region->coarse};
    box_into(t, region->low, region->high, &own.low, &own.high);
    int64_t first = facets->vertices;
    MO_TRY(mo_shape_facets(t->shape, &own, facets, error));
    for (int64_t k = first; k < facets->vertices; ++k) {
        mo_vec3_store(facets->x + 3 * k, out_of(t, mo_vec3_load(facets->x + 3 * k)));
    }
    return MOTE_OK;
}

static bool transform_primitive(const void *params, mo_primitive *primitive)
{
    const transform *t = params;
    if (!mo_shape_primitive(t->shape, primitive)) {
        return false;
    }
    primitive->center = out_of(t, primitive->center);
    primitive->axes = mo_mat3_product(t->R, primitive->axes);
    primitive->half = mo_scale(t->scale, primitive->half);
    primitive->radius[0] *= t->scale;
    primitive->radius[1] *= t->scale;
    return true;
}

/* Of volume 0 where those of the shape are not known. */
static void transform_moments(const void *params, mo_volume_moments *moments)
{
    const transform *t = params;
    mo_volume_moments own = {0};
    mo_shape_moments(t->shape, &own);
    *moments = mo_moments_moved(&own, t->scale, t->R, t->translate);
}

const mo_shape_type mo_shape_transform = {
    .base = {.name = "transform",
             .summary = "A scaled, rotated and translated shape; its distance is as exact as that "
                        "of the shape.",
             .param_size = sizeof(transform),
             .params = PARAMS,
             .check = transform_check,
             .prepare = transform_prepare},
    .distances = transform_distances,
    .bounds = transform_bounds,
    .moments = transform_moments,
    .chord = transform_chord,
    .has_chord = transform_has_chord,
    .intervals = transform_intervals,
    .sample = transform_sample,
    .facets = transform_facets,
    .primitive = transform_primitive,
};
