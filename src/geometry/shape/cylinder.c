/* A round cylinder with flat ends: the truncated cone of frustum.h with equal radii. */
#include "geometry/shape/frustum.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/primitive.h"

typedef struct cylinder {
    mo_vec3 start, end;
    double radius;
} cylinder;

static const mo_param PARAMS[] = {{"start", MO_VEC3, MO_FIELD(cylinder, start), .unit = "m",
                                   .required = true, .doc = "Centre of one end face."},
                                  {"end", MO_VEC3, MO_FIELD(cylinder, end), .unit = "m",
                                   .required = true, .doc = "Centre of the other end face."},
                                  {"radius", MO_REAL, MO_FIELD(cylinder, radius), .unit = "m",
                                   .required = true, .range = "(0, inf)", .doc = "Its radius."},
                                  {0}};

static mo_frustum frustum_of(const void *params)
{
    const cylinder *c = params;
    return mo_frustum_make(c->start, c->end, c->radius, c->radius);
}

static mote_status cylinder_check(const void *params, mote_error *error)
{
    const cylinder *c = params;
    return mo_frustum_check(c->start, c->end, error);
}

static void cylinder_distances(const void *params, int64_t count, const double *points,
                               double *distance, double *normal)
{
    mo_frustum f = frustum_of(params);
    mo_frustum_distances(&f, count, points, distance, normal);
}

static bool cylinder_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    mo_frustum f = frustum_of(params);
    mo_frustum_bounds(&f, min, max);
    return true;
}

static bool cylinder_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                           double *leave)
{
    mo_frustum f = frustum_of(params);
    return mo_frustum_chord(&f, from, direction, enter, leave);
}

static mote_status cylinder_facets(const void *params, const mo_shape_region *region,
                                   struct mo_facets *facets, mote_error *error)
{
    mo_frustum f = frustum_of(params);
    return mo_frustum_facets(&f, region, facets, error);
}

static bool cylinder_primitive(const void *params, mo_primitive *primitive)
{
    const cylinder *c = params;
    *primitive = mo_primitive_along(MO_PRIMITIVE_FRUSTUM, c->start, c->end, c->radius, c->radius);
    return true;
}

static void cylinder_moments(const void *params, struct mo_volume_moments *moments)
{
    mo_frustum f = frustum_of(params);
    *moments = mo_frustum_moments(&f);
}

const mo_shape_type mo_shape_cylinder = {
    .base = {.name = "cylinder",
             .summary = "A circular cylinder with flat ends.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(cylinder),
             .params = PARAMS,
             .check = cylinder_check},
    .distances = cylinder_distances,
    .bounds = cylinder_bounds,
    .moments = cylinder_moments,
    .chord = cylinder_chord,
    .facets = cylinder_facets,
    .primitive = cylinder_primitive,
};
