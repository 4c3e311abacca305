/* A ball: distance |x - c| - r. The simplest shape, as a template. */
#include "geometry/shape/facets.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/primitive.h"
#include "geometry/shape/shape_samples.h"
#include "math/portable.h"

static const double DENSER = 1.06; /* samples per area of a spacing squared */

typedef struct sphere {
    mo_vec3 center;
    double radius;
} sphere;

static const mo_param PARAMS[] = {{"center", MO_VEC3, MO_FIELD(sphere, center), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "Its centre."},
                                  {"radius", MO_REAL, MO_FIELD(sphere, radius), .unit = "m",
                                   .required = true, .range = "(0, inf)", .doc = "Its radius."},
                                  {0}};

static void sphere_distances(const void *params, int64_t count, const double *points,
                             double *distance, double *normal)
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

static bool sphere_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const sphere *s = params;
    mo_vec3 r = mo_vec3_make(s->radius, s->radius, s->radius);
    *min = mo_sub(s->center, r);
    *max = mo_add(s->center, r);
    return true;
}

static bool sphere_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                         double *leave)
{
    const sphere *s = params;
    mo_vec3 r = mo_sub(from, s->center);
    double along = mo_dot(r, direction),
           square = along * along - mo_dot(r, r) + s->radius * s->radius;
    double half = sqrt(square > 0 ? square : 0);
    *enter = -along - half;
    *leave = -along + half;
    return square > 0;
}

/* The intersection circle with the plane z = 0. */
static mote_status sample_circle(const sphere *s, const mo_sampling *how, mo_samples *samples,
                                 mote_error *error)
{
    double square = s->radius * s->radius - s->center.z * s->center.z,
           radius = sqrt(square > 0 ? square : 0);
    mo_vec3 center = {s->center.x, s->center.y, 0};
    if (!(square > 0)) {
        return MOTE_OK;
    }
    bool point = radius < 0.5 * MO_SAMPLE_APART * how->spacing;
    double length = 2 * MO_PI * radius, count = point ? 1 : fmax(3, round(length / how->spacing));
    MO_TRY(mo_sample_count_check(count, how, error));
    for (int64_t k = 0; k < (int64_t)count; ++k) {
        mo_vec3 n = {0};
        mo_turn((double)k / count, &n.x, &n.y);
        MO_TRY(mo_samples_add(samples, mo_add_scaled(center, point ? 0 : radius, n), n,
                              length / count, error));
    }
    return MOTE_OK;
}

/* Small balls: the corners of an octahedron (its poles first) and of an icosahedron. */
static const double GOLDEN = 1.618033988749895;
static mo_vec3 corner_of(int64_t count, int64_t k)
{
    double sign = k & 1 ? -1 : 1, other = k & 2 ? -1 : 1;
    double a = count == 12 ? other : 0, b = count == 12 ? sign * GOLDEN : sign;
    int64_t axis = count == 12 ? k / 4 : k / 2;
    mo_vec3 n = axis == 0   ? mo_vec3_make(0, a, b)
                : axis == 1 ? mo_vec3_make(b, 0, a)
                            : mo_vec3_make(a, b, 0);
    return mo_unit(n, n);
}

/* Number of samples: a single one if more would be too close, then area / spacing^2. */
static double count_of(double radius, double spacing)
{
    double r = radius / spacing;
    return r < 0.3    ? 1
           : r < 0.43 ? 2
           : r < 0.6  ? 6
           : r < 1.1  ? 12
                      : ceil(DENSER * 4 * MO_PI * r * r);
}

/* A spiral from pole to pole with equal areas between its turns (Gonzalez 2010, Math. Geosci. 42,
 * 49). */
static mo_vec3 spiral(double count, double k)
{
    double z = 1 - (2 * k + 1) / count, ring = sqrt(1 - z * z), cosine, sine;
    mo_turn(0.5 * (3 - sqrt(5.0)) * k, &cosine, &sine);
    return mo_vec3_make(ring * cosine, ring * sine, z);
}

static mote_status sphere_sample(const void *params, const mo_sampling *how, mo_samples *samples,
                                 mote_error *error)
{
    const sphere *s = params;
    if (how->dimension == 2) {
        return sample_circle(s, how, samples, error);
    }
    double count = count_of(s->radius, how->spacing),
           share = 4 * MO_PI * s->radius * s->radius / count;
    double radius = count > 1 ? s->radius : 0;
    MO_TRY(mo_sample_count_check(count, how, error));
    for (int64_t k = 0; k < (int64_t)count; ++k) {
        mo_vec3 n = count <= 12 ? corner_of((int64_t)count, k) : spiral(count, (double)k);
        n = mo_unit(n, mo_vec3_make(0, 0, 1));
        MO_TRY(mo_samples_add(samples, mo_add_scaled(s->center, radius, n), n, share, error));
    }
    return MOTE_OK;
}

enum { ARC_MOST = 512 };

static mote_status sphere_facets(const void *params, const mo_shape_region *region,
                                 mo_facets *facets, mote_error *error)
{
    const sphere *s = params;
    mo_profile_point profile[ARC_MOST + 1];
    int64_t steps = mo_arc_steps(s->radius, MO_PI, region->edge);
    steps = steps < ARC_MOST ? steps : ARC_MOST;
    for (int64_t k = 0; k <= steps; ++k) {
        double cosine, sine;
        mo_turn(0.5 * (double)k / (double)steps, &cosine, &sine);
        double rho = k == 0 || k == steps ? 0 : s->radius * sine;
        profile[k] = (mo_profile_point){rho, -s->radius * cosine};
    }
    return mo_facets_revolve(facets, s->center, mo_vec3_make(0, 0, 1), profile, steps + 1, false,
                             mo_arc_steps(s->radius, 2 * MO_PI, region->edge), error);
}

static bool sphere_primitive(const void *params, mo_primitive *primitive)
{
    const sphere *s = params;
    *primitive = (mo_primitive){.kind = MO_PRIMITIVE_SPHERE,
                                .center = s->center,
                                .axes = mo_mat3_identity(),
                                .radius = {s->radius, s->radius}};
    return true;
}

static void sphere_moments(const void *params, mo_volume_moments *moments)
{
    const sphere *s = params;
    double square = s->radius * s->radius / 5;
    *moments = mo_moments_aligned(4.0 / 3 * MO_PI * s->radius * s->radius * s->radius, s->center,
                                  mo_vec3_make(square, square, square));
}

const mo_shape_type mo_shape_sphere = {
    .base = {.name = "sphere",
             .summary = "A ball.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(sphere),
             .params = PARAMS},
    .distances = sphere_distances,
    .bounds = sphere_bounds,
    .moments = sphere_moments,
    .chord = sphere_chord,
    .sample = sphere_sample,
    .facets = sphere_facets,
    .primitive = sphere_primitive,
};
