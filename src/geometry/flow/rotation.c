/*
 * Rigid rotation: v = w x (x - center).
 */
#include "geometry/flow/flow.h"

typedef struct rotation {
    mo_vec3 center, angular_velocity;
} rotation;

static const mo_param PARAMS[] = {{"angular_velocity", MO_VEC3,
                                   MO_FIELD(rotation, angular_velocity), .unit = "rad/s",
                                   .required = true, .doc = "Angular velocity vector."},
                                  {"center", MO_VEC3, MO_FIELD(rotation, center), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "A point on the axis."},
                                  {0}};

static mo_vec3 rotation_velocity(const void *params, mo_vec3 x)
{
    const rotation *r = params;
    return mo_cross(r->angular_velocity, mo_sub(x, r->center));
}

const mo_flow_type mo_flow_rotation = {
    .base = {.name = "rotation",
             .summary = "Rigid-body rotation.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(rotation),
             .params = PARAMS},
    .velocity = rotation_velocity,
};
