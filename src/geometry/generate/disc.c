/*
 * Points of a disc or an annulus on a spiral with the golden angle (H. Vogel 1979, Math. Biosci.
 * 44, 179): equal areas around all points, no order that is visible. Galaxies, sprays, dust.
 */
#include "geometry/generate/generate.h"
#include "math/portable.h"
#include "math/random.h"

typedef struct disc {
    mo_vec3 center, normal;
    double radius, inner, thickness;
    int64_t count, seed;
} disc;

static const mo_param PARAMS[] = {
    {"count", MO_INT, MO_FIELD(disc, count), .initial = "1000", .range = "[1, 1e9]",
     .doc = "Number of points."},
    {"radius", MO_REAL, MO_FIELD(disc, radius), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Outer radius."},
    {"inner", MO_REAL, MO_FIELD(disc, inner), .unit = "m", .initial = "0", .range = "[0, inf)",
     .doc = "Inner radius, below the outer one."},
    {"center", MO_VEC3, MO_FIELD(disc, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Centre of the disc."},
    {"normal", MO_VEC3, MO_FIELD(disc, normal), .initial = "[0, 0, 1]",
     .doc = "Normal of its plane."},
    {"thickness", MO_REAL, MO_FIELD(disc, thickness), .unit = "m", .initial = "0",
     .range = "[0, inf)", .doc = "Thickness, in which points are distributed at random."},
    {"seed", MO_INT, MO_FIELD(disc, seed), .initial = "0", .range = "[0, inf)",
     .doc = "Seed of the random numbers.", .needs = "thickness"},
    {0}};

static mote_status disc_check(const void *params, mote_error *error)
{
    const disc *d = params;
    if (d->inner >= d->radius) {
        return mo_fail(error, MOTE_ERROR_INPUT, "inner: %g must be below the radius %g", d->inner,
                       d->radius);
    }
    if (!(mo_dot(d->normal, d->normal) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "normal: it must not be zero");
    }
    return mo_mesh_check_size("count", (double)d->count, error);
}

static mote_status disc_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    static const double GOLDEN = 0.38196601125010515; /* turns between points */
    const disc *d = params;
    mo_vec3 n = mo_unit(d->normal, mo_vec3_make(0, 0, 1));
    mo_vec3 aside = fabs(n.z) < 0.9 ? mo_vec3_make(0, 0, 1) : mo_vec3_make(0, 1, 0);
    mo_vec3 u = mo_unit(mo_cross(aside, n), aside), v = mo_cross(n, u);
    double area = d->radius * d->radius - d->inner * d->inner;
    mesh->spacing = sqrt(3.14159265358979323846 * area / (double)d->count);
    MO_TRY(mo_mesh_reserve(mesh, d->count, 0, 0, error));
    for (int64_t k = 0; k < d->count; ++k) {
        double c, s, height[2];
        double r = sqrt(d->inner * d->inner + area * ((double)k + 0.5) / (double)d->count);
        mo_turn((double)k * GOLDEN, &c, &s);
        mo_random_uniform((uint64_t)d->seed, 0, (uint64_t)k, 0, height);
        mo_vec3 x = mo_add_scaled(mo_add_scaled(d->center, r * c, u), r * s, v);
        x = mo_add_scaled(x, d->thickness * (height[0] - 0.5), n);
        MO_TRY(mo_mesh_add_node(mesh, x, 1, error));
        MO_TRY(mo_mesh_add_to_set(mesh, "all", k, error));
    }
    return MOTE_OK;
}

const mo_mesh_type mo_mesh_disc = {
    .base = {.name = "disc",
             .summary = "Points of a disc or an annulus of equal areas. Sets: all.",
             .citation = "H. Vogel 1979, Math. Biosci. 44, 179",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(disc),
             .params = PARAMS,
             .check = disc_check},
    .build = disc_build,
};
