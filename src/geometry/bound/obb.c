/*
 * Oriented bounding boxes (S. Gottschalk, M. C. Lin, D. Manocha 1996, SIGGRAPH 171): centre, half
 * sizes, and three axes, the eigenvectors of the points' covariance. Overlap by the 15 separating
 * axes: the faces of both boxes and the cross products of their edges. Departs from the paper: the
 * covariance of the points, not of the surface of their convex hull.
 */
#include "geometry/bound/rounding.h"
#include "math/eigen3.h"

enum { CENTRE, HALF = 3, AXIS = 6, SCALARS = 15 };

static const mo_param PARAMS[] = {{0}};

extern const mo_bound_type mo_bound_obb;

static void find_axes(int64_t count, const double *points, double *volume)
{
    mo_vec3 mean = {0, 0, 0};
    mo_mat3 c = {{0}};
    for (int64_t i = 0; i < count; ++i) {
        mean = mo_add(mean, mo_vec3_load(points + 3 * i));
    }
    mean = mo_scale(1 / (double)count, mean);
    for (int64_t i = 0; i < count; ++i) {
        double d[3];
        mo_vec3_store(d, mo_sub(mo_vec3_load(points + 3 * i), mean));
        for (int k = 0; k < 9; ++k) {
            c.m[k] += d[k / 3] * d[k % 3];
        }
    }
    mo_eigen3 e = mo_eigen3_of(c);
    for (int k = 0; k < 3; ++k) { /* rows of the volume: columns of the eigenvectors */
        for (int axis = 0; axis < 3; ++axis) {
            volume[AXIS + 3 * k + axis] = e.vector.m[3 * axis + k];
        }
    }
}

/* Centre and half sizes from the extents along the axes. */
static void set_extent(const double low[3], const double high[3], double *volume)
{
    mo_vec3 centre = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        mo_vec3 axis = mo_vec3_load(volume + AXIS + 3 * (ptrdiff_t)k);
        centre = mo_add_scaled(centre, 0.5 * (low[k] + high[k]), axis);
        volume[HALF + k] = 0.5 * (high[k] - low[k]);
    }
    mo_vec3_store(volume + CENTRE, centre);
    /* extents and centre round with the distance from the origin; axes are orthonormal to 1e-15 */
    double size = mo_length(centre) + volume[HALF] + volume[HALF + 1] + volume[HALF + 2];
    for (int k = 0; k < 3; ++k) {
        volume[HALF + k] += 1e-14 * size;
    }
}

static void obb_enclose(int64_t count, const double *points, double *volume)
{
    double low[3], high[3];
    find_axes(count, points, volume);
    for (int k = 0; k < 3; ++k) {
        mo_vec3 axis = mo_vec3_load(volume + AXIS + 3 * (ptrdiff_t)k);
        low[k] = (double)INFINITY;
        high[k] = -(double)INFINITY;
        for (int64_t i = 0; i < count; ++i) {
            double x = mo_dot(axis, mo_vec3_load(points + 3 * i));
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
    set_extent(low, high, volume);
}

/* Boxes projected on the axes of before. */
static void obb_join(int count, const double *volumes, double *volume)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        mo_vec3 axis = mo_vec3_load(volume + AXIS + 3 * (ptrdiff_t)k);
        low[k] = (double)INFINITY;
        high[k] = -(double)INFINITY;
        for (int i = 0; i < count; ++i) {
            const double *v = volumes + SCALARS * (ptrdiff_t)i;
            double at = mo_dot(axis, mo_vec3_load(v + CENTRE)), reach = 0;
            for (int r = 0; r < 3; ++r) {
                reach +=
                    v[HALF + r] * fabs(mo_dot(axis, mo_vec3_load(v + AXIS + 3 * (ptrdiff_t)r)));
            }
            low[k] = fmin(low[k], at - reach);
            high[k] = fmax(high[k], at + reach);
        }
    }
    set_extent(low, high, volume);
}

static void obb_transform(const double *volume, const mo_mat3 *R, mo_vec3 t, double *out)
{
    mo_vec3 c = mo_add(mo_mat3_apply(*R, mo_vec3_load(volume + CENTRE)), t);
    double size = mo_length(c) + mo_length(t) + volume[HALF] + volume[HALF + 1] + volume[HALF + 2];
    for (int k = 0; k < 3; ++k) {
        mo_vec3 axis = mo_vec3_load(volume + AXIS + 3 * (ptrdiff_t)k);
        mo_vec3_store(out + AXIS + 3 * (ptrdiff_t)k, mo_mat3_apply(*R, axis));
        out[HALF + k] = volume[HALF + k] + 1e-14 * size;
    }
    mo_vec3_store(out + CENTRE, c);
}

static void obb_inflate(double *volume, double by)
{
    for (int k = 0; k < 3; ++k) {
        volume[HALF + k] += by;
    }
}

static double obb_measure(const double *v)
{
    return 8 * v[HALF] * v[HALF + 1] * v[HALF + 2];
}

/* Half sizes cover what rounding does to centre and axes: at most 2^-24 of each, times the size. */
static void obb_store(const double *volume, float *block, int lane)
{
    double shift = 0, size = volume[HALF] + volume[HALF + 1] + volume[HALF + 2];
    for (int k = 0; k < 3; ++k) {
        float c = (float)volume[CENTRE + k];
        block[MO_BOUND_LANES * (CENTRE + k) + lane] = c;
        shift += fabs(volume[CENTRE + k] - (double)c);
    }
    for (int k = 0; k < 3; ++k) {
        block[MO_BOUND_LANES * (HALF + k) + lane] =
            mo_float_above(volume[HALF + k] + shift + 2e-7 * size);
    }
    for (int k = AXIS; k < SCALARS; ++k) {
        block[MO_BOUND_LANES * k + lane] = (float)volume[k];
    }
}

static void obb_load(const float *block, int lane, double *volume)
{
    mo_block_load(block, lane, SCALARS, volume);
}

/* Along the faces of both: the projected distance of the centres against both half sizes. C_ij =
 * a_i . b_j, r the distance in a's axes (a: the one lane, b: the block). A margin covers rounding,
 * also where edges are parallel and their cross product is not an axis. */
MO_INLINE unsigned overlap_lane(const float *block, const float *other, int lane)
{
    mo_f8 c[3][3], m[3][3], r[3], a[3], b[3], d[3], size = mo_f8_set(0);
    for (int k = 0; k < 3; ++k) {
        a[k] = mo_lane(other, HALF + k, lane);
        b[k] = mo_lanes(block, HALF + k);
        d[k] = mo_lanes(block, CENTRE + k) - mo_lane(other, CENTRE + k, lane);
        size += a[k] + b[k];
    }
    mo_f8 slack = 2e-6f * size, all_of = mo_f8_abs(d[0]) + mo_f8_abs(d[1]) + mo_f8_abs(d[2]);
    slack += 1e-6f * all_of;
    for (int i = 0; i < 3; ++i) {
        mo_f8 x = mo_lane(other, AXIS + 3 * i, lane), y = mo_lane(other, AXIS + 3 * i + 1, lane);
        mo_f8 z = mo_lane(other, AXIS + 3 * i + 2, lane);
        r[i] = d[0] * x + d[1] * y + d[2] * z;
        for (int j = 0; j < 3; ++j) {
            c[i][j] = x * mo_lanes(block, AXIS + 3 * j) + y * mo_lanes(block, AXIS + 3 * j + 1) +
                      z * mo_lanes(block, AXIS + 3 * j + 2);
            m[i][j] = mo_f8_abs(c[i][j]) + 1e-6f;
        }
    }
    mo_i8 all = mo_i8_set(-1);
    for (int i = 0; i < 3; ++i) {
        mo_f8 reach = a[i] + b[0] * m[i][0] + b[1] * m[i][1] + b[2] * m[i][2];
        all &= mo_f8_abs(r[i]) <= reach + slack;
        mo_f8 back = d[0] * mo_lanes(block, AXIS + 3 * i) +
                     d[1] * mo_lanes(block, AXIS + 3 * i + 1) +
                     d[2] * mo_lanes(block, AXIS + 3 * i + 2);
        reach = b[i] + a[0] * m[0][i] + a[1] * m[1][i] + a[2] * m[2][i];
        all &= mo_f8_abs(back) <= reach + slack;
    }
    if (!mo_lane_bits(all)) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            mo_f8 reach = a[i1] * m[i2][j] + a[i2] * m[i1][j] + b[j1] * m[i][j2] + b[j2] * m[i][j1];
            all &= mo_f8_abs(r[i2] * c[i1][j] - r[i1] * c[i2][j]) <= reach + slack;
        }
    }
    return mo_lane_bits(all);
}

static unsigned obb_overlap(const float *block, const float *other, int lane)
{
    return overlap_lane(block, other, lane);
}

static uint64_t obb_cross(const float *a, const float *b)
{
    return mo_cross_lanes(overlap_lane, a, b);
}

static void obb_distance(const float *block, mo_vec3 x, float out[MO_BOUND_LANES])
{
    mo_f8 d[3], sum = mo_f8_set(0), size = mo_f8_set(0);
    for (int k = 0; k < 3; ++k) {
        d[k] = (float)mo_vec3_at(x, k) - mo_lanes(block, CENTRE + k);
        size += mo_f8_abs(d[k]) + mo_lanes(block, HALF + k);
    }
    float far = (float)(2e-7 * (fabs(x.x) + fabs(x.y) + fabs(x.z)));
    for (int k = 0; k < 3; ++k) {
        mo_f8 at = d[0] * mo_lanes(block, AXIS + 3 * k) + d[1] * mo_lanes(block, AXIS + 3 * k + 1) +
                   d[2] * mo_lanes(block, AXIS + 3 * k + 2);
        mo_f8 gap = mo_f8_abs(at) - mo_lanes(block, HALF + k) - 1e-6f * size - far;
        gap = mo_f8_max(gap, mo_f8_set(0));
        sum += gap * gap;
    }
    mo_f8_store(out, mo_f8_sqrt(sum) * (1 - 1e-6f));
}

static void obb_enter(const float *block, const mo_ray *ray, float out[MO_BOUND_LANES])
{
    mo_f8 from = mo_f8_set(0), to = mo_f8_set(mo_float_above(ray->end)), d[3], v[3];
    mo_f8 size = mo_f8_set(0), length = mo_f8_set((float)mo_length(ray->direction));
    for (int k = 0; k < 3; ++k) {
        d[k] = (float)mo_vec3_at(ray->origin, k) - mo_lanes(block, CENTRE + k);
        v[k] = mo_f8_set((float)mo_vec3_at(ray->direction, k));
        size += mo_f8_abs(d[k]) + mo_lanes(block, HALF + k);
    }
    float far = (float)(ray->radius + 2e-7 * mo_length(ray->origin));
    for (int k = 0; k < 3; ++k) {
        mo_f8 x = mo_lanes(block, AXIS + 3 * k), y = mo_lanes(block, AXIS + 3 * k + 1),
              z = mo_lanes(block, AXIS + 3 * k + 2);
        mo_f8 at = d[0] * x + d[1] * y + d[2] * z, along = v[0] * x + v[1] * y + v[2] * z;
        mo_f8 half = mo_lanes(block, HALF + k) + far + 4e-6f * size;
        /* slower than rounding: parallel to the faces */
        mo_i8 parallel = mo_f8_abs(along) <= 1e-6f * length;
        mo_f8 s0 = (-half - at) / along, s1 = (half - at) / along;
        mo_f8 enter = mo_f8_min(s0, s1), leave = mo_f8_max(s0, s1);
        /* a parallel ray is let in for all of its length: it moves less than rounding */
        enter = mo_f8_select(parallel, mo_f8_set(0), enter);
        leave = mo_f8_select(parallel, mo_f8_set(INFINITY), leave);
        from = mo_f8_max(enter, from);
        to = mo_f8_min(leave, to);
    }
    mo_slab_result(from, to, out);
}

const mo_bound_type mo_bound_obb = {
    .base = {.name = "obb",
             .summary = "Oriented bounding box along the eigenvectors of the covariance: 15 "
                        "numbers, 15 test axes; the tightest at flat and slender parts.",
             .citation = "S. Gottschalk, M. C. Lin, D. Manocha 1996, SIGGRAPH 171",
             .departs = "Axes from the covariance of the points, not of the surface of their "
                        "convex hull.",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    .scalars = SCALARS,
    .axes = 15,
    .rotates = true,
    .enclose = obb_enclose,
    .join = obb_join,
    .transform = obb_transform,
    .inflate = obb_inflate,
    .measure = obb_measure,
    .store = obb_store,
    .load = obb_load,
    .overlap = obb_overlap,
    .cross = obb_cross,
    .distance = obb_distance,
    .enter = obb_enter,
};
