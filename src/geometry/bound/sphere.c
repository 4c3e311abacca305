/*
 * Bounding spheres: centre x, y, z and radius; one test axis. `sphere` is the smallest enclosing
 * ball of the points (B. Gaertner 1999, ESA 325: the farthest point enters the support, until none
 * is outside); `sphere_box` is the ball around the points' box, whose diagonal is the diameter.
 */
#include "geometry/bound/rounding.h"

enum { RADIUS = 3, SCALARS = 4, SUPPORT = 4 };

static const mo_param PARAMS[] = {{0}};

extern const mo_bound_type mo_bound_sphere, mo_bound_sphere_box;

static void sphere_box_enclose(int64_t count, const double *points, double *volume)
{
    double box[6], square = 0;
    mo_bound_aabb.enclose(count, points, box);
    for (int k = 0; k < 3; ++k) {
        double half = 0.5 * (box[3 + k] - box[k]);
        volume[k] = box[k] + half;
        square += half * half;
    }
    volume[RADIUS] = sqrt(square) * (1 + 1e-15);
}

/* ---- the smallest enclosing ball ---- */

typedef struct ball {
    mo_vec3 centre;
    double square; /* of the radius; negative: none */
} ball;

/* The smallest ball with 1 to 4 points on it: its centre is p0 + sum l_k (p_k - p0) with 2 A l = b,
 * A_ij = (p_i - p0).(p_j - p0), b_i = A_ii. Nothing if the points are dependent, or if the centre
 * is not among them: then fewer points give the ball. */
static ball circumscribed(const mo_vec3 *p, int count)
{
    mo_vec3 q[3], centre = {0, 0, 0};
    double a[3][4], scale = 0;
    int n = count - 1;
    for (int i = 0; i < n; ++i) {
        q[i] = mo_sub(p[i + 1], p[0]);
        scale = fmax(scale, mo_dot(q[i], q[i]));
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            a[i][k] = 2 * mo_dot(q[i], q[k]);
        }
        a[i][n] = mo_dot(q[i], q[i]);
    }
    for (int i = 0; i < n; ++i) { /* Gauss elimination of a Gram matrix: its diagonal is positive */
        if (!(a[i][i] > 1e-12 * scale)) {
            return (ball){.square = -1};
        }
        for (int r = 0; r < n; ++r) {
            double f = r != i ? a[r][i] / a[i][i] : 0;
            for (int k = i; k <= n && r != i; ++k) {
                a[r][k] -= f * a[i][k];
            }
        }
    }
    double rest = 1;
    for (int i = 0; i < n; ++i) {
        double l = a[i][n] / a[i][i];
        if (l < 0) {
            return (ball){.square = -1};
        }
        rest -= l;
        centre = mo_add_scaled(centre, l, q[i]);
    }
    return rest < 0 ? (ball){.square = -1} : (ball){mo_add(p[0], centre), mo_dot(centre, centre)};
}

static bool contains(const ball *b, const mo_vec3 *p, int count)
{
    for (int k = 0; k < count; ++k) {
        mo_vec3 d = mo_sub(p[k], b->centre);
        if (mo_dot(d, d) > b->square * (1 + 1e-9)) {
            return false;
        }
    }
    return true;
}

/* The smallest ball of up to five points, the last of them on it; keeps its support. */
static ball smallest(mo_vec3 *p, int *count)
{
    ball best = {.square = -1};
    int kept = 0, last = *count - 1;
    mo_vec3 support[SUPPORT];
    for (unsigned set = 0; set < 1u << last; ++set) {
        mo_vec3 some[SUPPORT + 1] = {p[last]};
        int n = 1;
        for (int k = 0; k < last; ++k) {
            if (set >> k & 1) {
                some[n++] = p[k];
            }
        }
        if (n > SUPPORT) {
            continue;
        }
        ball b = circumscribed(some, n);
        if (b.square >= 0 && (best.square < 0 || b.square < best.square) &&
            contains(&b, p, *count)) {
            best = b;
            kept = n;
            memcpy(support, some, (size_t)n * sizeof *some);
        }
    }
    if (best.square >= 0) {
        memcpy(p, support, (size_t)kept * sizeof *p);
        *count = kept;
    }
    return best;
}

static int64_t farthest(int64_t count, const double *points, mo_vec3 from, double *square)
{
    int64_t best = 0;
    *square = -1;
    for (int64_t i = 0; i < count; ++i) {
        mo_vec3 d = mo_sub(mo_vec3_load(points + 3 * i), from);
        if (mo_dot(d, d) > *square) {
            *square = mo_dot(d, d);
            best = i;
        }
    }
    return best;
}

/* Where rounding keeps a step from growing the ball, it is widened to the farthest point. */
static void sphere_enclose(int64_t count, const double *points, double *volume)
{
    enum { STEPS = 64 };
    mo_vec3 support[SUPPORT + 1] = {mo_vec3_load(points)};
    ball b = {support[0], 0};
    double square = 0;
    int n = 1;
    for (int step = 0; step < STEPS; ++step) {
        int64_t i = farthest(count, points, b.centre, &square);
        if (!(square > b.square * (1 + 1e-12))) {
            break;
        }
        support[n++] = mo_vec3_load(points + 3 * i);
        ball next = smallest(support, &n);
        if (!(next.square > b.square)) {
            break;
        }
        b = next;
    }
    farthest(count, points, b.centre, &square);
    mo_vec3_store(volume, b.centre);
    volume[RADIUS] = sqrt(square) * (1 + 1e-15);
}

/* ---- both ---- */

/* The middle of the spheres' box; close to the smallest ball of balls, and a few operations. */
static void sphere_join(int count, const double *volumes, double *volume)
{
    double low[3], high[3], radius = 0;
    for (int k = 0; k < 3; ++k) {
        low[k] = (double)INFINITY;
        high[k] = -(double)INFINITY;
        for (int i = 0; i < count; ++i) {
            const double *v = volumes + SCALARS * i;
            low[k] = fmin(low[k], v[k] - v[RADIUS]);
            high[k] = fmax(high[k], v[k] + v[RADIUS]);
        }
        volume[k] = low[k] + 0.5 * (high[k] - low[k]);
    }
    for (int i = 0; i < count; ++i) {
        const double *v = volumes + SCALARS * i;
        mo_vec3 d = mo_sub(mo_vec3_load(v), mo_vec3_load(volume));
        radius = fmax(radius, mo_length(d) + v[RADIUS]);
    }
    volume[RADIUS] = radius * (1 + 1e-15);
}

static void sphere_transform(const double *volume, const mo_mat3 *R, mo_vec3 t, double *out)
{
    double radius = volume[RADIUS];
    mo_vec3 c = mo_add(mo_mat3_apply(*R, mo_vec3_load(volume)), t);
    mo_vec3_store(out, c);
    out[RADIUS] = radius + 1e-15 * (radius + mo_length(c) + mo_length(t));
}

static void sphere_inflate(double *volume, double by)
{
    volume[RADIUS] += by;
}

static double sphere_measure(const double *volume)
{
    double r = volume[RADIUS];
    return 4.0 / 3 * 3.14159265358979323846 * r * r * r;
}

/* The radius also covers the rounding of the centre, and that of the squares of an overlap test. */
static void sphere_store(const double *volume, float *block, int lane)
{
    double shift = 0;
    for (int k = 0; k < 3; ++k) {
        float c = (float)volume[k];
        block[MO_BOUND_LANES * k + lane] = c;
        shift += fabs(volume[k] - (double)c);
    }
    block[MO_BOUND_LANES * RADIUS + lane] = mo_float_above((volume[RADIUS] + shift) * (1 + 1e-6));
}

static void sphere_load(const float *block, int lane, double *volume)
{
    mo_block_load(block, lane, SCALARS, volume);
}

MO_INLINE unsigned overlap_lane(const float *block, const float *other, int lane)
{
    mo_f8 square = mo_f8_set(0);
    for (int k = 0; k < 3; ++k) {
        mo_f8 d = mo_lanes(block, k) - mo_lane(other, k, lane);
        square += d * d;
    }
    mo_f8 reach = mo_lanes(block, RADIUS) + mo_lane(other, RADIUS, lane);
    return mo_lane_bits(square <= reach * reach + 8 * FLT_MIN);
}

static unsigned sphere_overlap(const float *block, const float *other, int lane)
{
    return overlap_lane(block, other, lane);
}

static uint64_t sphere_cross(const float *a, const float *b)
{
    return mo_cross_lanes(overlap_lane, a, b);
}

static void sphere_distance(const float *block, mo_vec3 x, float out[MO_BOUND_LANES])
{
    mo_f8 square = mo_f8_set(0);
    for (int k = 0; k < 3; ++k) {
        mo_f8 d = mo_lanes(block, k) - (float)mo_vec3_at(x, k);
        square += d * d;
    }
    float slack = (float)(2e-7 * (fabs(x.x) + fabs(x.y) + fabs(x.z)));
    mo_f8 d = mo_f8_sqrt(square) * (1 - 1e-6f) - mo_lanes(block, RADIUS) - slack;
    mo_f8_store(out, mo_f8_max(d, mo_f8_set(0)));
}

/* The ray's nearest approach to the centre, and half the chord before it. */
static void sphere_enter(const float *block, const mo_ray *ray, float out[MO_BOUND_LANES])
{
    double length = mo_length(ray->direction), at = mo_length(ray->origin);
    mo_f8 along = mo_f8_set(0), square = mo_f8_set(0), d[3];
    for (int k = 0; k < 3; ++k) {
        float unit = length > 0 ? (float)(mo_vec3_at(ray->direction, k) / length) : 0;
        d[k] = mo_lanes(block, k) - (float)mo_vec3_at(ray->origin, k);
        along += d[k] * unit;
        square += d[k] * d[k];
    }
    mo_f8 reach = mo_lanes(block, RADIUS) + (float)(ray->radius + 1e-6 * at);
    mo_f8 slack = 4e-6f * square; /* of the cancellation below, and of a unit vector in floats */
    mo_f8 chord = reach * reach * (1 + 1e-6f) - (square - along * along) + slack;
    mo_f8 half = mo_f8_sqrt(mo_f8_max(chord, mo_f8_set(0)));
    mo_f8 from = mo_f8_max(along - half, mo_f8_set(0)), to = along + half;
    mo_i8 hit = (chord >= 0) & (to >= -(reach * 1e-6f));
    float scale = length > 0 ? (float)(1 / length) * (1 - 4e-6f) : 0;
    mo_f8_store(out, mo_f8_select(hit, from * scale, mo_f8_set(INFINITY)));
}

/* Both kinds differ in how they enclose points. */
#define SPHERE_HOOKS \
    .scalars = SCALARS, .axes = 1, .rotates = true, .join = sphere_join, \
    .transform = sphere_transform, .inflate = sphere_inflate, .measure = sphere_measure, \
    .store = sphere_store, .load = sphere_load, .overlap = sphere_overlap, .cross = sphere_cross, \
    .distance = sphere_distance, .enter = sphere_enter

const mo_bound_type mo_bound_sphere = {
    .base = {.name = "sphere",
             .summary =
                 "Smallest enclosing ball: 4 numbers, 1 test axis; invariant under rotation.",
             .citation = "B. Gaertner 1999, ESA, LNCS 1643, 325",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    SPHERE_HOOKS,
    .enclose = sphere_enclose,
};

const mo_bound_type mo_bound_sphere_box = {
    .base = {.name = "sphere_box",
             .summary = "Sphere whose diameter is the diagonal of the axis-aligned box: 4 numbers, "
                        "1 test axis; quicker to build than `sphere` and looser.",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    SPHERE_HOOKS,
    .enclose = sphere_box_enclose,
};
