/*
 * Fills that overlap a collider are aligned with its surface.
 *
 * A box whose side is on or behind a plane face of a collider is clipped at that face, so that its
 * first layer of particles is half a spacing from it and its mass is that of the free volume. The
 * face is searched on five rays from the centre of the box to its side; all of them must hit it at
 * the same distance, perpendicularly. Curved and oblique faces are handled by culling and
 * relaxation.
 */
#include "geometry/shape/shape.h"
#include "system/fluid/fluid.h"

#include <math.h>

enum { LINES = 5, STEPS = 200 };

/* Tolerance of positions, in spacings. */
static const double SAME = 1e-6;

/* The smallest gap of all colliders, and its normal. */
static double least_gap(const mo_colliders *colliders, mo_vec3 x, mo_vec3 *normal)
{
    double least = INFINITY;
    for (int64_t k = 0; k < colliders->count; ++k) {
        mo_vec3 n;
        double gap = mo_collider_gap(&colliders->list[k], x, &n);
        if (gap < least) {
            least = gap;
            *normal = n;
        }
    }
    return least;
}

/* Distance of the first surface along a unit direction, by sphere tracing; infinite: none within
 * `length`. */
static double first_surface(const mo_colliders *colliders, mo_vec3 from, mo_vec3 direction,
                            double length, double near, mo_vec3 *normal)
{
    double at = 0;
    for (int step = 0; step < STEPS && at <= length + near; ++step) {
        double gap = least_gap(colliders, mo_add_scaled(from, at, direction), normal);
        if (gap < near) {
            return at + gap;
        }
        at += gap;
    }
    return INFINITY;
}

/* The position at which the side at `to` along an axis is clipped; `to` if it is not. */
static double cut_side(const mo_colliders *colliders, mo_vec3 low, mo_vec3 high, int axis,
                       bool upper, double spacing, bool flat)
{
    static const double OFF[LINES][2] = {
        {0, 0}, {-0.3, -0.3}, {0.3, -0.3}, {-0.3, 0.3}, {0.3, 0.3}};
    double side = mo_vec3_at(upper ? high : low, axis), cut = NAN;
    double direction[3] = {0, 0, 0};
    direction[axis] = upper ? 1 : -1;
    for (int k = 0; k < LINES; ++k) {
        double from[3], normal[3];
        mo_vec3 n = mo_vec3_make(0, 0, 0);
        for (int c = 0, other = 0; c < 3; ++c) {
            double a = mo_vec3_at(low, c), b = mo_vec3_at(high, c);
            from[c] = 0.5 * (a + b) + (c == axis ? 0 : OFF[k][other++] * (b - a));
        }
        from[2] = flat ? 0 : from[2];
        double length = fabs(side - from[axis]);
        double at = first_surface(colliders, mo_vec3_load(from), mo_vec3_load(direction),
                                  length + SAME * spacing, 1e-3 * SAME * spacing, &n);
        mo_vec3_store(normal, n);
        double position = from[axis] + direction[axis] * at;
        bool met = at <= length + SAME * spacing && fabs(normal[axis]) > 1 - 1e-9;
        if (!met || (k > 0 && fabs(position - cut) > SAME * spacing)) {
            return side;
        }
        cut = position;
    }
    return cut;
}

/* Clips a fill that is larger than its container. */
static void cut_by_containers(const mo_colliders *colliders, mo_vec3 *low, mo_vec3 *high)
{
    for (int64_t k = 0; k < colliders->count; ++k) {
        double a[3], b[3];
        if (colliders->list[k].inside && mo_collider_bounds(&colliders->list[k], a, b)) {
            *low = mo_vec3_make(fmax(low->x, a[0]), fmax(low->y, a[1]), fmax(low->z, a[2]));
            *high = mo_vec3_make(fmin(high->x, b[0]), fmin(high->y, b[1]), fmin(high->z, b[2]));
        }
    }
}

void mo_fluid_snap(const mo_fluid_system *fluid, mo_method shape, mo_vec3 *low, mo_vec3 *high)
{
    const mo_colliders *colliders = fluid->system->host->colliders;
    const mo_fluid_def *def = fluid->fluid.def;
    mo_vec3 from, to, n;
    double cut_low[3], cut_high[3];
    if (!((const mo_shape_type *)shape.type)->bounds(shape.params, &from, &to) ||
        colliders->count == 0) {
        return;
    }
    bool flat = def->dimension == 2;
    cut_by_containers(colliders, &from, &to);
    if (!(from.x < to.x && from.y < to.y && from.z < to.z)) {
        return; /* entirely outside its container */
    }
    mo_vec3 middle = mo_scale(0.5, mo_add(from, to));
    middle.z = flat ? 0 : middle.z;
    if (!(least_gap(colliders, middle, &n) > 0)) {
        *low = from; /* particles inside a collider are culled */
        *high = to;
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        bool there = axis < 2 || !flat;
        cut_low[axis] =
            there ? cut_side(colliders, from, to, axis, false, def->spacing, flat) : -INFINITY;
        cut_high[axis] =
            there ? cut_side(colliders, from, to, axis, true, def->spacing, flat) : INFINITY;
    }
    *low = mo_vec3_load(cut_low);
    *high = mo_vec3_load(cut_high);
}
