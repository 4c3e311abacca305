/* A ball: distance |x - c| - r. The simplest shape, to be read and copied. */
#include "geometry/shape/shape.h"

typedef struct sphere {
    mo_vec3 center;
    double radius;
} sphere;

static const mo_param PARAMS[] = {
    {"center", MO_VEC3, MO_FIELD(sphere, center), .unit = "m", .initial = "[0, 0, 0]", .doc = "Its centre."},
    {"radius", MO_REAL, MO_FIELD(sphere, radius), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Its radius."},
    {0}};

static void distances(const void *params, int64_t count, const double *points, double *distance,
                      double *normal)
{
    const sphere *s = params;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 r = mo_sub(mo_vec3_load(points + 3 * k), s->center);
        distance[k] = mo_length(r) - s->radius;
        if (normal) {
            mo_vec3_store(normal + 3 * k, mo_unit(r, mo_vec3_make(0, 0, 1)));
        }
    }
}

static bool bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const sphere *s = params;
    mo_vec3 r = mo_vec3_make(s->radius, s->radius, s->radius);
    *min = mo_sub(s->center, r);
    *max = mo_add(s->center, r);
    return true;
}

const mo_shape_type mo_shape_sphere = {
    .base = {.name = "sphere",
             .summary = "A ball.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(sphere),
             .params = PARAMS},
    .distances = distances,
    .bounds = bounds,
};
