/*
 * Discrete-orientation polytopes (J. T. Klosowski, M. Held, J. S. B. Mitchell, H. Sowizral, K.
 * Zikan 1998, IEEE TVCG 4(1), 21): the slabs of k/2 fixed directions. 14 cuts off the corners of a
 * box, 18 its edges, 26 both. The directions are integers, as in the paper, and not of length 1: an
 * overlap compares projections only. For direction d: low at 2 d, high at 2 d + 1.
 */
#include "geometry/bound/rounding.h"

enum { AXES = 3, CORNERS = 4, EDGES = 6, MOST = AXES + CORNERS + EDGES };

static const mo_param PARAMS[] = {{0}};

static const double DIRECTIONS[MOST][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {1, -1, -1},
    {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};

/* The directions of each kind: the axes, then those above from `first` on. */
typedef struct kind {
    int count, first;
} kind;

static const kind KDOP14 = {AXES + CORNERS, AXES}, KDOP18 = {AXES + EDGES, AXES + CORNERS},
                  KDOP26 = {MOST, AXES};

MO_INLINE const double *direction(kind p, int d)
{
    return DIRECTIONS[d < AXES ? d : d - AXES + p.first];
}

MO_INLINE double project(kind p, int d, const double *x)
{
    const double *n = direction(p, d);
    return n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
}

MO_INLINE void enclose(kind p, int64_t count, const double *points, double *volume)
{
    for (int d = 0; d < p.count; ++d) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int64_t i = 0; i < count; ++i) {
            double x = project(p, d, points + 3 * i);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        /* the sum of a projection rounds; a projection on an axis does not */
        double slack = d < AXES ? 0 : 1e-14 * (fabs(low) + fabs(high));
        for (int k = 0; k < 3 && d >= AXES; ++k) { /* and its terms may cancel */
            slack += 1e-14 * fmax(fabs(volume[2 * k]), fabs(volume[2 * k + 1]));
        }
        volume[2 * d] = low - slack;
        volume[2 * d + 1] = high + slack;
    }
}

MO_INLINE void join(kind p, int count, const double *volumes, double *volume)
{
    memcpy(volume, volumes, 2 * (size_t)p.count * sizeof *volume);
    for (int i = 1; i < count; ++i) {
        const double *v = volumes + 2 * (ptrdiff_t)p.count * i;
        for (int d = 0; d < p.count; ++d) {
            volume[2 * d] = fmin(volume[2 * d], v[2 * d]);
            volume[2 * d + 1] = fmax(volume[2 * d + 1], v[2 * d + 1]);
        }
    }
}

/* A translation shifts the slabs; a rotation leaves the polytope of the box's corners. */
MO_INLINE void transform(kind p, const double *volume, const mo_mat3 *R, mo_vec3 t, double *out)
{
    static const double SAME[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double shift[3], corner[24];
    mo_vec3_store(shift, t);
    if (memcmp(R->m, SAME, sizeof SAME) == 0) {
        for (int d = 0; d < p.count; ++d) {
            double by = project(p, d, shift);
            double slack = 1e-14 * (fabs(volume[2 * d]) + fabs(volume[2 * d + 1]) + fabs(t.x) +
                                    fabs(t.y) + fabs(t.z));
            out[2 * d] = volume[2 * d] + by - slack;
            out[2 * d + 1] = volume[2 * d + 1] + by + slack;
        }
        return;
    }
    for (int k = 0; k < 8; ++k) {
        mo_vec3 x = mo_vec3_make(volume[k & 1], volume[2 + (k >> 1 & 1)], volume[4 + (k >> 2)]);
        mo_vec3_store(corner + 3 * (ptrdiff_t)k, mo_add(mo_mat3_apply(*R, x), t));
    }
    enclose(p, 8, corner, out);
}

MO_INLINE void inflate(kind p, double *volume, double by)
{
    for (int d = 0; d < p.count; ++d) {
        double reach = by * mo_length(mo_vec3_load(direction(p, d)));
        volume[2 * d] -= reach;
        volume[2 * d + 1] += reach;
    }
}

MO_INLINE void store(kind p, const double *volume, float *block, int lane)
{
    for (int d = 0; d < p.count; ++d) {
        block[MO_BOUND_LANES * (2 * d) + lane] = mo_float_below(volume[2 * d]);
        block[MO_BOUND_LANES * (2 * d + 1) + lane] = mo_float_above(volume[2 * d + 1]);
    }
}

MO_INLINE unsigned overlap_lane(kind p, const float *block, const float *other, int lane)
{
    mo_i8 all = mo_i8_set(-1);
    for (int d = 0; d < p.count; ++d) {
        all &= mo_lanes(block, 2 * d) <= mo_lane(other, 2 * d + 1, lane);
        all &= mo_lane(other, 2 * d, lane) <= mo_lanes(block, 2 * d + 1);
    }
    return mo_lane_bits(all);
}

/* The distance to a polytope is at least that to its box, and to every slab of it. */
MO_INLINE void distance(kind p, const float *block, mo_vec3 x, float out[MO_BOUND_LANES])
{
    double at[3];
    mo_f8 sum = mo_f8_set(0), most = mo_f8_set(0);
    mo_vec3_store(at, x);
    for (int d = 0; d < p.count; ++d) {
        const double *n = direction(p, d);
        double s = project(p, d, at), slack = 1e-15 * (fabs(x.x) + fabs(x.y) + fabs(x.z));
        mo_f8 below = mo_lanes(block, 2 * d) - mo_float_above(s + slack);
        mo_f8 above = mo_float_below(s - slack) - mo_lanes(block, 2 * d + 1);
        mo_f8 gap = mo_f8_max(mo_f8_max(below, above), mo_f8_set(0));
        sum = d < AXES ? sum + gap * gap : sum;
        gap = gap * (float)(1 / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
        most = mo_f8_max(gap, most);
    }
    mo_f8_store(out, mo_f8_max(mo_f8_sqrt(sum), most) * (1 - 1e-6f));
}

MO_INLINE void enter(kind p, const float *block, const mo_ray *ray, float out[MO_BOUND_LANES])
{
    double at[3], along[3];
    mo_f8 from = mo_f8_set(0), to = mo_f8_set(mo_float_above(ray->end));
    mo_vec3_store(at, ray->origin);
    mo_vec3_store(along, ray->direction);
    for (int d = 0; d < p.count; ++d) {
        const double *n = direction(p, d);
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double slack = 1e-15 * (fabs(at[0]) + fabs(at[1]) + fabs(at[2]));
        mo_slab_enter(mo_lanes(block, 2 * d), mo_lanes(block, 2 * d + 1), project(p, d, at),
                      project(p, d, along), ray->radius * length + slack, &from, &to);
    }
    mo_slab_result(from, to, out);
}

/* ---- its volume: the sum of the pyramids over its faces ---- */

enum { POLYGON_MAX = 64 };

/* The part of a polygon on the side n . x <= limit (I. E. Sutherland, G. W. Hodgman 1974). */
static int clip(const mo_vec3 *in, int count, mo_vec3 n, double limit, mo_vec3 *out)
{
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        mo_vec3 a = in[k], b = in[(k + 1) % count];
        double da = mo_dot(n, a) - limit, db = mo_dot(n, b) - limit;
        if (da <= 0) {
            out[kept++] = a;
        }
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            out[kept++] = mo_add_scaled(a, da / (da - db), mo_sub(b, a));
        }
    }
    return kept;
}

static double area_along(const mo_vec3 *corner, int count, mo_vec3 n)
{
    double sum = 0;
    for (int k = 1; k + 1 < count; ++k) {
        sum += mo_dot(n, mo_cross(mo_sub(corner[k], corner[0]), mo_sub(corner[k + 1], corner[0])));
    }
    return 0.5 * fabs(sum);
}

/* Face f of a polytope: a square across it, cut by all other faces. Even f: the low ends. */
static double pyramid(kind p, const double *v, int f, mo_vec3 middle, double size)
{
    mo_vec3 polygon[2][POLYGON_MAX];
    double sign = f % 2 ? 1 : -1, length = mo_length(mo_vec3_load(direction(p, f / 2)));
    mo_vec3 n = mo_scale(sign / length, mo_vec3_load(direction(p, f / 2)));
    double height = sign * v[f] / length - mo_dot(n, middle);
    mo_vec3 u = mo_perpendicular(n), w = mo_cross(n, u), foot = mo_add_scaled(middle, height, n);
    int count = 4, now = 0;
    for (int k = 0; k < 4; ++k) {
        double a = k == 0 || k == 3 ? -size : size, b = k < 2 ? -size : size;
        polygon[0][k] = mo_add_scaled(mo_add_scaled(foot, a, u), b, w);
    }
    for (int g = 0; g < 2 * p.count && count > 0; ++g) {
        if (g != f) {
            double side = g % 2 ? 1 : -1;
            mo_vec3 cut = mo_scale(side, mo_vec3_load(direction(p, g / 2)));
            count = clip(polygon[now], count, cut, side * v[g], polygon[1 - now]);
            now = 1 - now;
        }
    }
    return height * area_along(polygon[now], count, n) / 3;
}

static double measure(kind p, const double *v)
{
    double sum = 0;
    mo_vec3 middle = mo_vec3_make(0.5 * (v[0] + v[1]), 0.5 * (v[2] + v[3]), 0.5 * (v[4] + v[5]));
    double size = 2 * ((v[1] - v[0]) + (v[3] - v[2]) + (v[5] - v[4]));
    for (int f = 0; f < 2 * p.count; ++f) {
        sum += pyramid(p, v, f, middle, size);
    }
    return sum;
}

/* ---- the three kinds ---- */

#define KDOP(it, IT, number, slabs) \
    static void it##_enclose(int64_t count, const double *points, double *volume) \
    { \
        enclose(IT, count, points, volume); \
    } \
    static void it##_join(int count, const double *volumes, double *volume) \
    { \
        join(IT, count, volumes, volume); \
    } \
    static void it##_transform(const double *volume, const mo_mat3 *R, mo_vec3 t, double *out) \
    { \
        transform(IT, volume, R, t, out); \
    } \
    static void it##_inflate(double *volume, double by) \
    { \
        inflate(IT, volume, by); \
    } \
    static double it##_measure(const double *volume) \
    { \
        return measure(IT, volume); \
    } \
    static void it##_store(const double *volume, float *block, int lane) \
    { \
        store(IT, volume, block, lane); \
    } \
    static void it##_load(const float *block, int lane, double *volume) \
    { \
        mo_block_load(block, lane, number, volume); \
    } \
    MO_INLINE unsigned it##_lane(const float *block, const float *other, int lane) \
    { \
        return overlap_lane(IT, block, other, lane); \
    } \
    static unsigned it##_overlap(const float *block, const float *other, int lane) \
    { \
        return it##_lane(block, other, lane); \
    } \
    static uint64_t it##_cross(const float *a, const float *b) \
    { \
        return mo_cross_lanes(it##_lane, a, b); \
    } \
    static void it##_distance(const float *block, mo_vec3 x, float out[MO_BOUND_LANES]) \
    { \
        distance(IT, block, x, out); \
    } \
    static void it##_enter(const float *block, const mo_ray *ray, float out[MO_BOUND_LANES]) \
    { \
        enter(IT, block, ray, out); \
    } \
    const mo_bound_type mo_bound_##it = { \
        .base = {.name = #it, \
                 .summary = "Discrete-orientation polytope of " #slabs " slabs: " #number \
                            " numbers, " #slabs " test axes.", \
                 .citation = "J. T. Klosowski, M. Held, J. S. B. Mitchell, H. Sowizral, K. Zikan " \
                             "1998, IEEE TVCG 4(1), 21", \
                 .capabilities = MO_PORTABLE, \
                 .params = PARAMS}, \
        .scalars = number, \
        .axes = slabs, \
        .joins_tight = true, \
        .enclose = it##_enclose, \
        .join = it##_join, \
        .transform = it##_transform, \
        .inflate = it##_inflate, \
        .measure = it##_measure, \
        .store = it##_store, \
        .load = it##_load, \
        .overlap = it##_overlap, \
        .cross = it##_cross, \
        .distance = it##_distance, \
        .enter = it##_enter, \
    };

extern const mo_bound_type mo_bound_kdop14, mo_bound_kdop18, mo_bound_kdop26;
KDOP(kdop14, KDOP14, 14, 7)
KDOP(kdop18, KDOP18, 18, 9)
KDOP(kdop26, KDOP26, 26, 13)
