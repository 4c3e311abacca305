/*
 * Velocity scaling of the lecture notes, v_t' = factor v_t: 1 slides, 0 sticks. It depends on the
 * step size.
 */
#include "collide/friction/friction.h"

typedef struct scale {
    double factor;
} scale;

static const mo_param PARAMS[] = {
    {"factor", MO_REAL, MO_FIELD(scale, factor), .initial = "1", .range = "[0, 1]",
     .doc = "Factor applied to the tangential velocity after each step in contact."},
    {0}};

static mo_vec3 scale_slow(const void *params, mo_vec3 tangential, double kick)
{
    (void)kick;
    const scale *s = params;
    return mo_scale(s->factor, tangential);
}

const mo_friction_type mo_friction_scale = {
    .base = {.name = "scale",
             .summary = "Scales the tangential velocity by a constant factor in every step in "
                        "contact.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(scale),
             .params = PARAMS},
    .slow = scale_slow,
};
