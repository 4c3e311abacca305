/* A half space: solid below the plane through `point` with the outward normal `normal`. */
#include "geometry/shape/shape.h"

typedef struct plane {
    mo_vec3 point, normal;
} plane;

static const mo_param PARAMS[] = {{"point", MO_VEC3, MO_FIELD(plane, point), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "A point of the plane."},
                                  {"normal", MO_VEC3, MO_FIELD(plane, normal), .initial = "[0, 0, 1]",
                                   .doc = "Points out of the solid; any length but zero."},
                                  {0}};

static mote_status check(const void *params, mote_error *error)
{
    const plane *p = params;
    double length = mo_length(p->normal);
    if (!(length > 0) || !isfinite(length)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "normal: a plane needs a normal that is not zero and not huge");
    }
    return MOTE_OK;
}

static void distances(const void *params, int64_t count, const double *points, double *distance,
                      double *normal)
{
    const plane *p = params;
    mo_vec3 n = mo_unit(p->normal, mo_vec3_make(0, 0, 1));
    for (int64_t k = 0; k < count; ++k) {
        distance[k] = mo_dot(mo_sub(mo_vec3_load(points + 3 * k), p->point), n);
        if (normal) {
            mo_vec3_store(normal + 3 * k, n);
        }
    }
}

static bool bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    (void)params;
    (void)min;
    (void)max;
    return false;
}

const mo_shape_type mo_shape_plane = {
    .base = {.name = "plane",
             .summary = "A half space: ground, wall or slope.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(plane),
             .params = PARAMS,
             .check = check},
    .distances = distances,
    .bounds = bounds,
};
