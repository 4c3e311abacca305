/* A cone, or a truncated one (frustum.h). */
#include "geometry/shape/frustum.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/primitive.h"

typedef struct cone {
    mo_vec3 start, end;
    double radius, end_radius;
} cone;

static const mo_param PARAMS[] = {
    {"start", MO_VEC3, MO_FIELD(cone, start), .unit = "m", .required = true,
     .doc = "Centre of the base."},
    {"end", MO_VEC3, MO_FIELD(cone, end), .unit = "m", .required = true,
     .doc = "Apex, or centre of the other end face."},
    {"radius", MO_REAL, MO_FIELD(cone, radius), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Radius at the start."},
    {"end_radius", MO_REAL, MO_FIELD(cone, end_radius), .unit = "m", .initial = "0",
     .range = "[0, inf)", .doc = "Radius at the end; above 0 the cone is truncated."},
    {0}};

static mo_frustum frustum_of(const void *params)
{
    const cone *c = params;
    return mo_frustum_make(c->start, c->end, c->radius, c->end_radius);
}

static mote_status cone_check(const void *params, mote_error *error)
{
    const cone *c = params;
    return mo_frustum_check(c->start, c->end, error);
}

static void cone_distances(const void *params, int64_t count, const double *points,
                           double *distance, double *normal)
{
    mo_frustum f = frustum_of(params);
    mo_frustum_distances(&f, count, points, distance, normal);
}

static bool cone_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    mo_frustum f = frustum_of(params);
    mo_frustum_bounds(&f, min, max);
    return true;
}

static bool cone_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                       double *leave)
{
    mo_frustum f = frustum_of(params);
    return mo_frustum_chord(&f, from, direction, enter, leave);
}

static mote_status cone_facets(const void *params, const mo_shape_region *region,
                               struct mo_facets *facets, mote_error *error)
{
    mo_frustum f = frustum_of(params);
    return mo_frustum_facets(&f, region, facets, error);
}

static bool cone_primitive(const void *params, mo_primitive *primitive)
{
    const cone *c = params;
    *primitive =
        mo_primitive_along(MO_PRIMITIVE_FRUSTUM, c->start, c->end, c->radius, c->end_radius);
    return true;
}

static void cone_moments(const void *params, struct mo_volume_moments *moments)
{
    mo_frustum f = frustum_of(params);
    *moments = mo_frustum_moments(&f);
}

const mo_shape_type mo_shape_cone = {
    .base = {.name = "cone",
             .summary = "A cone or truncated cone.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(cone),
             .params = PARAMS,
             .check = cone_check},
    .distances = cone_distances,
    .bounds = cone_bounds,
    .moments = cone_moments,
    .chord = cone_chord,
    .facets = cone_facets,
    .primitive = cone_primitive,
};
