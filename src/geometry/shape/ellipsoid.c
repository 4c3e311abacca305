/*
 * An axis-aligned ellipsoid with the semi-axes e. The nearest point y of the surface to x has
 *     y_i = e_i^2 x_i/(t + e_i^2),    F(t) = sum (e_i x_i/(t + e_i^2))^2 = 1,    t > -min e^2,
 * and lies along the normal m_i = x_i/(t + e_i^2), so that the distance is t |m|. F falls from
 * infinity to 0; Newton's method for 1/sqrt(F) = 1, started left of the root, converges
 * monotonically (J. J. More, D. C. Sorensen 1983, SIAM J. Sci. Stat. Comput. 4, 553, for the same
 * equation). Where x is in the symmetry plane of the shortest axis F may stay below 1: then t =
 * -min e^2 and y is outside that plane.
 */
#include "geometry/shape/facets.h"
#include "geometry/shape/moments.h"
#include "geometry/shape/shape.h"
#include "math/portable.h"

typedef struct ellipsoid {
    mo_vec3 center, radii;
} ellipsoid;

static const mo_param PARAMS[] = {{"center", MO_VEC3, MO_FIELD(ellipsoid, center), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "Its centre."},
                                  {"radii", MO_VEC3, MO_FIELD(ellipsoid, radii), .unit = "m",
                                   .required = true, .range = "(0, inf)",
                                   .doc = "Semi-axes along x, y and z."},
                                  {0}};

static mote_status ellipsoid_check(const void *params, mote_error *error)
{
    const ellipsoid *e = params;
    double least = fmin(e->radii.x, fmin(e->radii.y, e->radii.z));
    double most = fmax(e->radii.x, fmax(e->radii.y, e->radii.z));
    if (!(least > 0 && most <= 1e4 * least)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "radii: above 0, and the longest at most 10,000 times the shortest, here "
                       "[%g, %g, %g]",
                       e->radii.x, e->radii.y, e->radii.z);
    }
    return MOTE_OK;
}

enum { ITERATIONS = 60 };

/* With s = t + min e^2, to avoid cancellation where t is near its lower bound, the denominators are
 * s + q_i. x_i >= 0, and the shortest axis has q = 0. */
typedef struct secular {
    double e[3], q[3], x[3];
    int least;
} secular;

static double term_of(const secular *f, int i, double s)
{
    return f->x[i] > 0 ? f->x[i] / (s + f->q[i]) : 0; /* m_i */
}

/* F, without the axes that have x_i = 0. */
static double sum_at(const secular *f, double s)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double em = f->e[i] * term_of(f, i, s);
        sum += em * em;
    }
    return sum;
}

/* The root of F = 1 from s on, where F >= 1. */
static double root_of(const secular *f, double s)
{
    for (int k = 0; k < ITERATIONS; ++k) {
        double sum = sum_at(f, s), slope = 0;
        for (int i = 0; i < 3; ++i) {
            double em = f->e[i] * term_of(f, i, s);
            slope += f->x[i] > 0 ? em * em / (s + f->q[i]) : 0;
        }
        double next = s + sum / slope * (sqrt(sum) - 1);
        if (!(next > s)) {
            break;
        }
        s = next;
    }
    return s;
}

/* The outward normal m (not of length one) at the nearest point, and t. */
static double nearest(const secular *f, double m[3])
{
    int least = f->least;
    double s = 0, left = f->x[least] > 0 ? (double)INFINITY : sum_at(f, 0);
    for (int i = 0; i < 3; ++i) { /* where one of the terms is 1 */
        s = f->x[i] > 0 ? fmax(s, f->e[i] * f->x[i] - f->q[i]) : s;
    }
    s = left < 1 ? 0 : root_of(f, s);
    for (int i = 0; i < 3; ++i) {
        m[i] = term_of(f, i, s);
    }
    m[least] = left < 1 ? sqrt(1 - left) / f->e[least] : m[least];
    return s - f->e[least] * f->e[least];
}

static double distance_to(const ellipsoid *s, mo_vec3 point, mo_vec3 *normal)
{
    mo_vec3 r = mo_sub(point, s->center);
    secular f = {.x = {fabs(r.x), fabs(r.y), fabs(r.z)}};
    double *e = f.e, m[3];
    mo_vec3_store(e, s->radii);
    if (isnan(r.x + r.y + r.z)) {
        *normal = mo_vec3_make(0, 0, 1);
        return NAN;
    }
    f.least = e[0] <= e[1] && e[0] <= e[2] ? 0 : e[1] <= e[2] ? 1 : 2;
    for (int i = 0; i < 3; ++i) {
        f.q[i] = (e[i] - e[f.least]) * (e[i] + e[f.least]);
        f.x[i] = f.x[i] < 1e-200 * e[i] ? 0 : f.x[i]; /* its square would underflow */
    }
    double t = nearest(&f, m);
    mo_vec3 n = {r.x < 0 ? -m[0] : m[0], r.y < 0 ? -m[1] : m[1], r.z < 0 ? -m[2] : m[2]};
    *normal = mo_unit(n, mo_vec3_make(0, 0, 1));
    return t * mo_length(n);
}

static void ellipsoid_distances(const void *params, int64_t count, const double *points,
                                double *distance, double *normal)
{
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 n;
        distance[k] = distance_to(params, mo_vec3_load(points + 3 * k), &n);
        if (normal) {
            mo_vec3_store(normal + 3 * k, n);
        }
    }
}

static bool ellipsoid_bounds(const void *params, mo_vec3 *min, mo_vec3 *max)
{
    const ellipsoid *e = params;
    *min = mo_sub(e->center, e->radii);
    *max = mo_add(e->center, e->radii);
    return true;
}

/* As for a ball, in units of the semi-axes. */
static bool ellipsoid_chord(const void *params, mo_vec3 from, mo_vec3 direction, double *enter,
                            double *leave)
{
    const ellipsoid *e = params;
    mo_vec3 unit = {1 / e->radii.x, 1 / e->radii.y, 1 / e->radii.z};
    mo_vec3 r = mo_multiply(unit, mo_sub(from, e->center)), u = mo_multiply(unit, direction);
    double a = mo_dot(u, u), b = mo_dot(r, u), square = b * b - a * (mo_dot(r, r) - 1);
    double half = sqrt(square > 0 ? square : 0);
    *enter = (-b - half) / a;
    *leave = (-b + half) / a;
    return square > 0;
}

enum { ARC_MOST = 512 };

/* A scaled unit ball. */
static mote_status ellipsoid_facets(const void *params, const mo_shape_region *region,
                                    mo_facets *facets, mote_error *error)
{
    const ellipsoid *e = params;
    mo_profile_point profile[ARC_MOST + 1];
    double longest = fmax(e->radii.x, fmax(e->radii.y, e->radii.z));
    int64_t steps = mo_arc_steps(longest, MO_PI, region->edge), first = facets->vertices;
    steps = steps < ARC_MOST ? steps : ARC_MOST;
    for (int64_t k = 0; k <= steps; ++k) {
        double cosine, sine;
        mo_turn(0.5 * (double)k / (double)steps, &cosine, &sine);
        profile[k] = (mo_profile_point){k == 0 || k == steps ? 0 : sine, -cosine};
    }
    MO_TRY(mo_facets_revolve(facets, mo_vec3_make(0, 0, 0), mo_vec3_make(0, 0, 1), profile,
                             steps + 1, false, mo_arc_steps(longest, 2 * MO_PI, region->edge),
                             error));
    for (int64_t k = first; k < facets->vertices; ++k) {
        mo_vec3 x = mo_vec3_load(facets->x + 3 * k);
        mo_vec3_store(facets->x + 3 * k, mo_add(e->center, mo_multiply(e->radii, x)));
    }
    return MOTE_OK;
}

static void ellipsoid_moments(const void *params, mo_volume_moments *moments)
{
    const ellipsoid *e = params;
    *moments = mo_moments_aligned(4.0 / 3 * MO_PI * e->radii.x * e->radii.y * e->radii.z, e->center,
                                  mo_scale(0.2, mo_multiply(e->radii, e->radii)));
}

const mo_shape_type mo_shape_ellipsoid = {
    .base = {.name = "ellipsoid",
             .summary = "An axis-aligned ellipsoid.",
             .capabilities = MO_SHAPE_EXACT | MO_PORTABLE,
             .param_size = sizeof(ellipsoid),
             .params = PARAMS,
             .check = ellipsoid_check},
    .distances = ellipsoid_distances,
    .bounds = ellipsoid_bounds,
    .moments = ellipsoid_moments,
    .chord = ellipsoid_chord,
    .facets = ellipsoid_facets,
};
