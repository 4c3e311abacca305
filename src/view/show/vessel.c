#include "view/show/vessel.h"

#include "geometry/shape/shape.h"

#include <math.h>
#include <string.h>

/* Sample points along each axis of the bounding box; steps of a ray (sphere tracing, Hart 1996). */
enum { POINTS = 7, STEPS = 64 };

bool mo_vessel_is_half_space(mo_method shape)
{
    mo_vec3 point, normal;
    return mo_shape_half_space(shape, &point, &normal);
}

static double distance_at(mo_method shape, mo_vec3 x)
{
    double at[3], distance, normal[3];
    mo_vec3_store(at, x);
    mo_shape_distances(shape, 1, at, &distance, normal);
    return distance;
}

/* Whether the ray intersects the shape within `reach`. */
static bool meets(mo_method shape, mo_vec3 from, mo_vec3 along, double reach)
{
    double way = 0, close = 1e-3 * reach;
    for (int k = 0; k < STEPS && way < reach; ++k) {
        double distance = distance_at(shape, mo_add_scaled(from, way, along));
        if (distance < close) {
            return true;
        }
        way += distance;
    }
    return false;
}

static bool is_enclosed(mo_method shape, mo_vec3 x, mo_vec3 down, double reach)
{
    mo_vec3 side = mo_perpendicular(down), other = mo_cross(down, side);
    mo_vec3 ways[5] = {down, side, mo_scale(-1, side), other, mo_scale(-1, other)};
    for (int k = 0; k < 5; ++k) {
        if (!meets(shape, x, ways[k], reach)) {
            return false;
        }
    }
    return true;
}

bool mo_is_vessel(const mo_collider_def *collider, mo_vec3 gravity)
{
    mo_method shape = collider->shape;
    mo_vec3 low, high;
    const char *name = shape.type->name;
    bool convex = strcmp(name, "box") == 0 || strcmp(name, "sphere") == 0;
    if (convex || collider->inside || mo_vessel_is_half_space(shape) ||
        !mo_shape_bounds(shape, &low, &high)) {
        return false;
    }
    mo_pose pose = mo_motion_pose(collider->motion, 0);
    mo_vec3 down = mo_unit(gravity, mo_vec3_make(0, 0, -1));
    down = mo_mat3_apply_transposed(pose.R, down);
    mo_vec3 size = mo_sub(high, low);
    double reach = mo_length(size);
    for (int k = 0; k < POINTS * POINTS * POINTS; ++k) {
        mo_vec3 part =
            mo_vec3_make((k % POINTS + 0.5) / POINTS, (k / POINTS % POINTS + 0.5) / POINTS,
                         (k / (POINTS * POINTS) + 0.5) / POINTS);
        mo_vec3 x = mo_add(low, mo_multiply(part, size));
        if (distance_at(shape, x) > 1e-3 * reach && is_enclosed(shape, x, down, reach)) {
            return true;
        }
    }
    return false;
}
