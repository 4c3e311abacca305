/* A capsule: all points within a radius of a segment. */
#include "geometry/shape/facets.h"
#include "geometry/shape/frustum.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/primitive.h"
#include "math/portable.h"

typedef struct capsule {
    mo_vec3 start, end;
    double radius;
} capsule;

static const mo_param PARAMS[] = {
    {"start", MO_VEC3, MO_FIELD(capsule, start), .unit = "m", .required = true,
     .doc = "One end of the central segment."},
    {"end", MO_VEC3, MO_FIELD(capsule, end), .unit = "m", .required = true,
     .doc = "The other end of the central segment."},
    {"radius", MO_REAL, MO_FIELD(capsule, radius), .unit = "m", .required = true,
     .range = "(0, inf)", .doc = "Radius of the cylinder and its hemispherical ends."},
    {0}};

static mote_status capsule_check(const void *params, mote_error *error)
{
    const capsule *c = params;
    return mo_frustum_check(c->start, c->end, error);
}

static void capsule_distances(const void *params, int64_t count, const double *points,
                              double *distance, double *normal)
{
    const capsule *c = params;
    mo_vec3 way = mo_sub(c->end, c->start);
    double square = mo_dot(way, way);
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_sub(mo_vec3_load(points + 3 * k), c->start);
        double along = mo_dot(x, way) / square;
        along = along < 0 ? 0 : along > 1 ? 1 : along;
        mo_vec3 r = mo_add_scaled(x, -along, way);
        distance[k] = mo_length(r) - c->radius;
        if (normal) {
            mo_vec3 across = mo_perpendicular(mo_scale(1 / sqrt(square), way));
            mo_vec3_store(normal + 3 * k, mo_unit(r, across));
        }
    }
}

static bool capsule_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const capsule *c = params;
    mo_vec3 a = c->start, b = c->end;
    double r = c->radius;
    *min = mo_vec3_make(fmin(a.x, b.x) - r, fmin(a.y, b.y) - r, fmin(a.z, b.z) - r);
    *max = mo_vec3_make(fmax(a.x, b.x) + r, fmax(a.y, b.y) + r, fmax(a.z, b.z) + r);
    return true;
}

static bool ball_chord(mo_vec3 center, double radius, mo_vec3 from, mo_vec3 direction,
                       double *enter, double *leave)
{
    mo_vec3 r = mo_sub(from, center);
    double along = mo_dot(r, direction), square = along * along - mo_dot(r, r) + radius * radius;
    double half = sqrt(square > 0 ? square : 0);
    *enter = -along - half;
    *leave = -along + half;
    return square > 0;
}

/* The union of two balls and a cylinder is convex: from the first entry to the last exit. */
static bool capsule_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                          double *leave)
{
    const capsule *c = params;
    mo_frustum middle = mo_frustum_make(c->start, c->end, c->radius, c->radius);
    double in[3], out[3];
    bool hit[3] = {ball_chord(c->start, c->radius, from, direction, &in[0], &out[0]),
                   ball_chord(c->end, c->radius, from, direction, &in[1], &out[1]),
                   mo_frustum_chord(&middle, from, direction, &in[2], &out[2])};
    *enter = INFINITY;
    *leave = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        *enter = hit[k] ? fmin(*enter, in[k]) : *enter;
        *leave = hit[k] ? fmax(*leave, out[k]) : *leave;
    }
    return *enter < *leave;
}

enum { ARC_MOST = 256 };

/* Two quarter circles of `steps` points each; poles exactly on the axis. */
static mote_status capsule_facets(const void *params, const mo_shape_region *region,
                                  mo_facets *facets, mote_error *error)
{
    const capsule *c = params;
    mo_profile_point profile[2 * ARC_MOST + 2];
    mo_vec3 way = mo_sub(c->end, c->start);
    double length = mo_length(way), r = c->radius;
    int64_t steps = mo_arc_steps(r, 0.5 * MO_PI, region->edge);
    steps = steps < ARC_MOST ? steps : ARC_MOST;
    for (int64_t k = 0; k <= steps; ++k) {
        double cosine, sine;
        mo_turn(0.25 * (double)k / (double)steps, &cosine, &sine);
        double rho = k == 0 ? 0 : r * sine;
        profile[k] = (mo_profile_point){rho, -r * cosine};
        profile[2 * steps + 1 - k] = (mo_profile_point){rho, length + r * cosine};
    }
    return mo_facets_revolve(facets, c->start, mo_scale(1 / length, way), profile, 2 * steps + 2,
                             false, mo_arc_steps(r, 2 * MO_PI, region->edge), error);
}

static bool capsule_primitive(const void *params, mo_primitive *primitive)
{
    const capsule *c = params;
    *primitive = mo_primitive_along(MO_PRIMITIVE_CAPSULE, c->start, c->end, c->radius, c->radius);
    return true;
}

/* A cylinder and two hemispheres, whose centroids are 3/8 of the radius beyond its ends. */
static void capsule_moments(const void *params, mo_volume_moments *moments)
{
    const capsule *c = params;
    mo_vec3 way = mo_sub(c->end, c->start);
    double length = mo_length(way), r = c->radius, square = r * r;
    double middle = MO_PI * square * length, ends = 4.0 / 3 * MO_PI * square * r;
    double along = middle * length * length / 12 +
                   ends * (square / 5 + 0.375 * r * length + 0.25 * length * length);
    double across = middle * square / 4 + ends * square / 5, volume = middle + ends;
    *moments = mo_moments_revolved(volume, mo_scale(0.5, mo_add(c->start, c->end)),
                                   mo_scale(1 / length, way), along / volume, across / volume);
}

const mo_shape_type mo_shape_capsule = {
    .base = {.name = "capsule",
             .summary = "A capsule: all points within a radius of a segment.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(capsule),
             .params = PARAMS,
             .check = capsule_check},
    .distances = capsule_distances,
    .bounds = capsule_bounds,
    .moments = capsule_moments,
    .chord = capsule_chord,
    .facets = capsule_facets,
    .primitive = capsule_primitive,
};
