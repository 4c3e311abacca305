/*
 * A torus: all points within a radius of a circle.
 */
#include "geometry/shape/facets.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/shape.h"
#include "math/portable.h"

typedef struct torus {
    mo_vec3 center, axis;
    double radius, tube;
} torus;

static const mo_param PARAMS[] = {
    {"center", MO_VEC3, MO_FIELD(torus, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Its centre."},
    {"axis", MO_VEC3, MO_FIELD(torus, axis), .initial = "[0, 0, 1]",
     .doc = "Axis of symmetry; normalised, must not be zero."},
    {"tube", MO_REAL, MO_FIELD(torus, tube), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Minor radius (of the tube), less than the major radius."},
    {"radius", MO_REAL, MO_FIELD(torus, radius), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Major radius, from the centre to the middle of the tube."},
    {0}};

static mote_status torus_check(const void *params, mote_error *error)
{
    const torus *t = params;
    if (!(mo_length(t->axis) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "axis: a torus needs an axis that is not zero");
    }
    if (!(t->tube < t->radius)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "tube: %g must be less than radius = %g, or the tube meets itself", t->tube,
                       t->radius);
    }
    return MOTE_OK;
}

static void torus_distances(const void *params, int64_t count, const double *points,
                            double *distance, double *normal)
{
    const torus *t = params;
    mo_vec3 axis = mo_unit(t->axis, mo_vec3_make(0, 0, 1)), across = mo_perpendicular(axis);
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_sub(mo_vec3_load(points + 3 * k), t->center);
        double z = mo_dot(x, axis);
        mo_vec3 out = mo_unit(mo_add_scaled(x, -z, axis), across);
        mo_vec3 r = mo_add_scaled(x, -t->radius, out); /* from the circle */
        distance[k] = mo_length(r) - t->tube;
        if (normal) {
            mo_vec3_store(normal + 3 * k, mo_unit(r, axis));
        }
    }
}

static bool torus_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const torus *t = params;
    mo_vec3 a = mo_unit(t->axis, mo_vec3_make(0, 0, 1));
    double half[3];
    for (int axis = 0; axis < 3; ++axis) {
        double along = mo_vec3_at(a, axis);
        half[axis] = t->radius * sqrt(fmax(0, 1 - along * along)) + t->tube;
    }
    *min = mo_sub(t->center, mo_vec3_load(half));
    *max = mo_add(t->center, mo_vec3_load(half));
    return true;
}

enum { ARC_MOST = 512 };

static mote_status torus_facets(const void *params, const mo_shape_region *region,
                                mo_facets *facets, mote_error *error)
{
    const torus *t = params;
    mo_profile_point profile[ARC_MOST];
    int64_t steps = mo_arc_steps(t->tube, 2 * MO_PI, region->edge);
    steps = steps < ARC_MOST ? steps : ARC_MOST;
    for (int64_t k = 0; k < steps; ++k) {
        double cosine, sine;
        mo_turn((double)k / (double)steps, &cosine, &sine);
        profile[k] = (mo_profile_point){t->radius + t->tube * cosine, t->tube * sine};
    }
    return mo_facets_revolve(facets, t->center, mo_unit(t->axis, mo_vec3_make(0, 0, 1)), profile,
                             steps, true,
                             mo_arc_steps(t->radius + t->tube, 2 * MO_PI, region->edge), error);
}

static void torus_moments(const void *params, mo_volume_moments *moments)
{
    const torus *t = params;
    double R = t->radius * t->radius, r = t->tube * t->tube;
    *moments =
        mo_moments_revolved(2 * MO_PI * MO_PI * t->radius * r, t->center,
                            mo_unit(t->axis, mo_vec3_make(0, 0, 1)), 0.25 * r, 0.5 * R + 0.375 * r);
}

const mo_shape_type mo_shape_torus = {
    .base = {.name = "torus",
             .summary = "A torus.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(torus),
             .params = PARAMS,
             .check = torus_check},
    .distances = torus_distances,
    .bounds = torus_bounds,
    .moments = torus_moments,
    .facets = torus_facets,
};
