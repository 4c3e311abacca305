#include "fluid/map/ray_integral.h"

#include "math/portable.h"

#include <math.h>

/* Steps of a ray along the support, and bisections where a plate may be thinner than a step. */
enum { STEPS = 8, HALVINGS = 4 };

/* The neglected fraction of the mass of F. */
static const double NOTHING = 1e-5;

static double reach_of(const mo_half_space *t)
{
    int k = MO_HALF_SPACE_CELLS;
    while (k > 1 && t->beyond[k - 1] < NOTHING * t->beyond[0]) {
        --k;
    }
    return (double)k / MO_HALF_SPACE_CELLS;
}

mo_ray_integral mo_ray_integral_make(const mo_half_space *half_space, int dimension, double support)
{
    mo_ray_integral r = {
        .half_space = half_space, .dimension = dimension, .count = MO_RAYS, .support = support};
    r.reach = reach_of(half_space);
    for (int k = 0; k < r.count; ++k) {
        /* a Fibonacci lattice: uniform on the sphere, aligned with no axis */
        double z = dimension == 3 ? 1 - (2 * k + 1.0) / r.count : 0, across = sqrt(1 - z * z);
        double turns = dimension == 3 ? 0.5 * (3 - sqrt(5)) * k : (k + 0.5) / r.count, c, s;
        mo_turn(turns, &c, &s);
        r.direction[k] = mo_vec3_make(across * c, across * s, z);
    }
    return r;
}

/* ---- one ray ---- */

typedef struct ray {
    const mo_ray_integral *rays;
    const mo_map_solid *solid;
    mo_vec3 x, u;
    bool inside;   /* current side of the surface */
    double shadow; /* fraction of the fluid beyond that counts as solid */
    double since;  /* the start of this interval, in supports */
    mo_vec3 entry; /* the normal at the entry into the solid */
    bool entered;  /* from the fluid */
    double sum;    /* accumulated mass of F */
} ray;

static mo_vec3 point_at(const ray *r, double radius)
{
    return mo_add_scaled(r->x, radius * r->rays->support, r->u);
}

static double gap_at(const ray *r, double radius, mo_vec3 *normal)
{
    double x[3], n[3], gap;
    mo_vec3_store(x, point_at(r, radius));
    r->solid->gap(r->solid->context, 1, x, &gap, normal ? n : NULL);
    if (normal) {
        *normal = mo_vec3_load(n);
    }
    return gap;
}

/* The interval since the last crossing, up to `radius`. */
static void count_interval(ray *r, double radius)
{
    double mass = mo_half_space_beyond(r->rays->half_space, r->since) -
                  mo_half_space_beyond(r->rays->half_space, radius);
    r->sum += r->inside ? mass : r->shadow * mass;
    r->since = radius;
}

static void cross(ray *r, double radius)
{
    mo_vec3 normal;
    count_interval(r, radius);
    gap_at(r, radius, &normal);
    if (!r->inside) {
        r->entry = normal;
        r->entered = true;
    } else if (r->entered) {
        r->shadow = fmax(r->shadow, -mo_dot(r->entry, normal));
    }
    r->inside = !r->inside;
}

/* Between two radii with these gaps: a crossing if their signs differ; where both are outside and
 * close enough for a plate between, the midpoint is tested. */
static void step(ray *r, double a, double gap_a, double b, double gap_b, int halvings)
{
    double length = (b - a) * r->rays->support;
    if ((gap_a < 0) != (gap_b < 0)) {
        cross(r, a + (b - a) * gap_a / (gap_a - gap_b));
    } else if (halvings > 0 && fabs(gap_a) + fabs(gap_b) < length) {
        double middle = 0.5 * (a + b), gap = gap_at(r, middle, NULL);
        step(r, a, gap_a, middle, gap, halvings - 1);
        step(r, middle, gap, b, gap_b, halvings - 1);
    }
}

static double sum_of_ray(ray *r, double gap)
{
    double points[3 * STEPS], gaps[STEPS + 1];
    double length = r->rays->reach / STEPS;
    for (int k = 0; k < STEPS; ++k) {
        mo_vec3_store(points + 3 * k, point_at(r, (k + 1) * length));
    }
    gaps[0] = gap;
    r->solid->gap(r->solid->context, STEPS, points, gaps + 1, NULL);
    for (int k = 0; k < STEPS; ++k) {
        step(r, k * length, gaps[k], (k + 1) * length, gaps[k + 1], HALVINGS);
    }
    count_interval(r, 1);
    return r->sum;
}

/* The same for a convex shape, with one interval of the ray, or of its complement. */
static double sum_of_chord(ray *r)
{
    const mo_half_space *t = r->rays->half_space;
    double enter, leave, support = r->rays->support;
    bool hit = r->solid->chord(r->solid->context, r->x, r->u, &enter, &leave) && leave > 0;
    double from = hit ? mo_half_space_beyond(t, fmax(enter, 0) / support) : 0;
    double to = hit ? mo_half_space_beyond(t, leave / support) : 0;
    if (r->solid->inside) {
        return t->beyond[0] - from + to;
    }
    if (to > 0 && enter > 0) {
        mo_vec3 front, back;
        gap_at(r, enter / support, &front);
        gap_at(r, leave / support, &back);
        to *= 1 - fmax(0, -mo_dot(front, back));
    }
    return from - to;
}

/* The same for a shape with known intervals; false: unknown. */
static bool sum_of_intervals(ray *r, double *sum)
{
    double ends[2 * MO_MAP_INTERVALS_MOST], support = r->rays->support;
    int count = r->solid->intervals(r->solid->context, r->x, r->u, ends);
    bool within = false;
    if (count < 0) {
        return false;
    }
    for (int k = 0; k < count; ++k) {
        within = within || (ends[2 * k] <= 0 && ends[2 * k + 1] > 0);
    }
    r->inside = within != r->solid->inside;
    for (int k = 0; k < 2 * count; ++k) {
        double radius = ends[k] / support;
        if (radius > 0 && radius < r->rays->reach) {
            cross(r, radius);
        }
    }
    count_interval(r, 1);
    *sum = r->sum;
    return true;
}

static double sum_along(ray *r, double gap)
{
    double sum;
    if (r->solid->chord) {
        return sum_of_chord(r);
    }
    return r->solid->intervals && sum_of_intervals(r, &sum) ? sum : sum_of_ray(r, gap);
}

/* The same for the tangent half space: gap + radius (n . u) changes sign once. */
static double sum_of_plane(const mo_half_space *t, double gap, double cosine)
{
    bool inside = gap < 0, crosses = inside ? cosine > 0 : cosine < 0;
    double beyond = crosses ? mo_half_space_beyond(t, fabs(gap / cosine)) : 0;
    return inside ? t->beyond[0] - beyond : beyond;
}

/* ---- all rays ---- */

/* Only the tangent plane is within the support: gaps are linear. */
static bool is_plane(const mo_ray_integral *rays, const mo_map_solid *solid, mo_vec3 x, double gap,
                     mo_vec3 n)
{
    enum { PROBES = 26 };
    double points[3 * PROBES], gaps[PROBES];
    int count = 0;
    for (int k = 0; k < 27; ++k) {
        mo_vec3 way = mo_vec3_make(k % 3 - 1, k / 3 % 3 - 1, rays->dimension == 3 ? k / 9 - 1 : 0);
        double length = mo_length(way);
        if (length > 0 && count < PROBES) {
            mo_vec3_store(points + 3 * count++,
                          mo_add_scaled(x, rays->reach * rays->support / length, way));
        }
    }
    solid->gap(solid->context, count, points, gaps, NULL);
    for (int k = 0; k < count; ++k) {
        double there = gap + mo_dot(n, mo_sub(mo_vec3_load(points + 3 * k), x));
        if (!(fabs(gaps[k] - there) <= 1e-7 * rays->support)) {
            return false;
        }
    }
    return true;
}

double mo_ray_integral_distance(const mo_ray_integral *rays, const mo_map_solid *solid, mo_vec3 x)
{
    double at[3], n[3], gap, more = 0;
    float derivative;
    mo_vec3_store(at, x);
    solid->gap(solid->context, 1, at, &gap, n);
    mo_vec3 normal = mo_vec3_load(n);
    double s = gap / rays->support;
    /* in two dimensions the nearest point may be out of the plane */
    bool tangent = rays->dimension == 3 || normal.z == 0;
    if (!(fabs(s) < rays->reach) || (tangent && is_plane(rays, solid, x, gap, normal))) {
        return s;
    }
    for (int k = 0; k < rays->count; ++k) {
        ray r = {.rays = rays, .solid = solid, .x = x, .u = rays->direction[k], .inside = gap < 0};
        more += sum_along(&r, gap);
        more -= tangent ? sum_of_plane(rays->half_space, s, mo_dot(normal, r.u)) : 0;
    }
    double flat = tangent ? (double)mo_half_space_at(rays->half_space, (float)s, &derivative) : 0;
    return mo_half_space_distance(rays->half_space, flat + more / rays->count);
}
