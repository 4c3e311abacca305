/*
 * Axis-aligned bounding boxes: low x, y, z, then high x, y, z. The cheapest to make, to join and to
 * test (three axes). A model to copy for another volume.
 */
#include "geometry/bound/rounding.h"

enum { LOW, HIGH = 3, SCALARS = 6 };

static const mo_param PARAMS[] = {{0}};

/* Not fmin and fmax, which are calls. A NaN, the box of nothing, loses. */
static inline double smaller(double a, double b)
{
    return a <= b || b != b ? a : b;
}

static inline double larger(double a, double b)
{
    return a >= b || b != b ? a : b;
}

static void aabb_enclose(int64_t count, const double *points, double *volume)
{
    for (int k = 0; k < 3; ++k) {
        volume[LOW + k] = volume[HIGH + k] = points[k];
    }
    for (int64_t i = 1; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            volume[LOW + k] = smaller(volume[LOW + k], points[3 * i + k]);
            volume[HIGH + k] = larger(volume[HIGH + k], points[3 * i + k]);
        }
    }
}

static void aabb_join(int count, const double *volumes, double *volume)
{
    memcpy(volume, volumes, SCALARS * sizeof *volume);
    for (int i = 1; i < count; ++i) {
        const double *v = volumes + SCALARS * i;
        for (int k = 0; k < 3; ++k) {
            volume[LOW + k] = smaller(volume[LOW + k], v[LOW + k]);
            volume[HIGH + k] = larger(volume[HIGH + k], v[HIGH + k]);
        }
    }
}

/* The box of the rotated box (J. Arvo 1990, Graphics Gems, 548). */
static void aabb_transform(const double *volume, const mo_mat3 *R, mo_vec3 t, double *out)
{
    double centre[3], half[3];
    for (int k = 0; k < 3; ++k) {
        centre[k] = 0.5 * (volume[LOW + k] + volume[HIGH + k]);
        half[k] = 0.5 * (volume[HIGH + k] - volume[LOW + k]);
    }
    mo_vec3 c = mo_add(mo_mat3_apply(*R, mo_vec3_load(centre)), t);
    for (int k = 0; k < 3; ++k) {
        const double *row = R->m + 3 * k;
        double h = fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];
        out[LOW + k] = mo_vec3_at(c, k) - h;
        out[HIGH + k] = mo_vec3_at(c, k) + h;
    }
}

static void aabb_inflate(double *volume, double by)
{
    for (int k = 0; k < 3; ++k) {
        volume[LOW + k] -= by;
        volume[HIGH + k] += by;
    }
}

static double aabb_measure(const double *v)
{
    return (v[HIGH] - v[LOW]) * (v[HIGH + 1] - v[LOW + 1]) * (v[HIGH + 2] - v[LOW + 2]);
}

static void aabb_store(const double *volume, float *block, int lane)
{
    for (int k = 0; k < 3; ++k) {
        block[MO_BOUND_LANES * (LOW + k) + lane] = mo_float_below(volume[LOW + k]);
        block[MO_BOUND_LANES * (HIGH + k) + lane] = mo_float_above(volume[HIGH + k]);
    }
}

static void aabb_load(const float *block, int lane, double *volume)
{
    mo_block_load(block, lane, SCALARS, volume);
}

MO_INLINE unsigned overlap_lane(const float *block, const float *other, int lane)
{
    mo_i8 all = mo_i8_set(-1);
    for (int k = 0; k < 3; ++k) {
        all &= mo_lanes(block, LOW + k) <= mo_lane(other, HIGH + k, lane);
        all &= mo_lane(other, LOW + k, lane) <= mo_lanes(block, HIGH + k);
    }
    return mo_lane_bits(all);
}

static unsigned aabb_overlap(const float *block, const float *other, int lane)
{
    return overlap_lane(block, other, lane);
}

static uint64_t aabb_cross(const float *a, const float *b)
{
    return mo_cross_lanes(overlap_lane, a, b);
}

static void aabb_distance(const float *block, mo_vec3 x, float out[MO_BOUND_LANES])
{
    mo_f8 sum = mo_f8_set(0);
    for (int k = 0; k < 3; ++k) {
        double at = mo_vec3_at(x, k);
        mo_f8 below = mo_lanes(block, LOW + k) - mo_float_above(at);
        mo_f8 above = mo_float_below(at) - mo_lanes(block, HIGH + k);
        mo_f8 d = mo_f8_max(mo_f8_max(below, above), mo_f8_set(0));
        sum += d * d;
    }
    mo_f8_store(out, mo_f8_sqrt(sum) * (1 - 1e-6f));
}

static void aabb_enter(const float *block, const mo_ray *ray, float out[MO_BOUND_LANES])
{
    mo_f8 from = mo_f8_set(0), to = mo_f8_set(mo_float_above(ray->end));
    for (int k = 0; k < 3; ++k) {
        mo_slab_enter(mo_lanes(block, LOW + k), mo_lanes(block, HIGH + k),
                      mo_vec3_at(ray->origin, k), mo_vec3_at(ray->direction, k), ray->radius, &from,
                      &to);
    }
    mo_slab_result(from, to, out);
}

const mo_bound_type mo_bound_aabb = {
    .base = {.name = "aabb",
             .summary = "Axis-aligned bounding box: 6 numbers, 3 test axes; cheapest to refit.",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    .scalars = SCALARS,
    .axes = 3,
    .joins_tight = true,
    .enclose = aabb_enclose,
    .join = aabb_join,
    .transform = aabb_transform,
    .inflate = aabb_inflate,
    .measure = aabb_measure,
    .store = aabb_store,
    .load = aabb_load,
    .overlap = aabb_overlap,
    .cross = aabb_cross,
    .distance = aabb_distance,
    .enter = aabb_enter,
};
