/* An axis-aligned box. Outside, the distance to its nearest point; inside, to its nearest face. */
#include "geometry/shape/shape.h"

typedef struct box {
    mo_vec3 min, max;
} box;

static const mo_param PARAMS[] = {
    {"min", MO_VEC3, MO_FIELD(box, min), .unit = "m", .required = true, .doc = "The lowest corner."},
    {"max", MO_VEC3, MO_FIELD(box, max), .unit = "m", .required = true, .doc = "The highest corner."},
    {0}};

static mote_status check(const void *params, mote_error *error)
{
    const box *b = params;
    if (!(b->min.x < b->max.x && b->min.y < b->max.y && b->min.z < b->max.z)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "max: each number must be above that of min, here min = [%g, %g, %g], max = [%g, %g, %g]",
            b->min.x, b->min.y, b->min.z, b->max.x, b->max.y, b->max.z);
    }
    return MOTE_OK;
}

static double distance_to(const box *b, mo_vec3 x, mo_vec3 *normal)
{
    const double *low = &b->min.x, *high = &b->max.x, *p = &x.x;
    double outside[3], face = -INFINITY;
    mo_vec3 face_normal = {0, 0, 1};
    for (int axis = 0; axis < 3; ++axis) {
        double below = low[axis] - p[axis], above = p[axis] - high[axis];
        double d = below > above ? below : above;
        double side = below > above ? -1 : 1;
        outside[axis] = d > 0 ? side * d : 0;
        if (d > face) {
            face = d;
            face_normal = mo_vec3_make(axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
        }
    }
    if (isnan(x.x + x.y + x.z)) {
        *normal = face_normal;
        return NAN;
    }
    if (face <= 0) {
        *normal = face_normal;
        return face;
    }
    mo_vec3 away = mo_vec3_load(outside);
    *normal = mo_unit(away, face_normal);
    return mo_length(away);
}

static void distances(const void *params, int64_t count, const double *points, double *distance,
                      double *normal)
{
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 n;
        distance[k] = distance_to(params, mo_vec3_load(points + 3 * k), &n);
        if (normal) {
            mo_vec3_store(normal + 3 * k, n);
        }
    }
}

static bool bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const box *b = params;
    *min = b->min;
    *max = b->max;
    return true;
}

const mo_shape_type mo_shape_box = {
    .base = {.name = "box",
             .summary = "A box along the axes.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(box),
             .params = PARAMS,
             .check = check},
    .distances = distances,
    .bounds = bounds,
};
