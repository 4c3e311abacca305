/*
 * Grabs the particles in a region and moves them: at the end of every step from `time` to `until`
 * particles inside the region, which is displaced with `velocity`, have this velocity. The forces
 * of the next step still act on them: a particle held against an acceleration a slips by a h^2/2
 * per step.
 */
#include "geometry/shape/shape.h"
#include "host/action/action.h"

#include <string.h>

typedef struct grab {
    mo_action_def common;
    mo_vec3 velocity;
} grab;

static const mo_param PARAMS[] = {
    MO_ACTION_TIME(grab),
    {"until", MO_REAL, MO_FIELD(grab, common.until), .unit = "s", .required = true,
     .range = "(0, inf)", .doc = "End of the action."},
    MO_ACTION_REGION(grab),
    {"velocity", MO_VEC3, MO_FIELD(grab, velocity), .unit = "m/s", .initial = "[0, 0, 0]",
     .doc = "Velocity of the region and of the particles in it; 0: they are held."},
    {0}};

static bool grab_act(const void *params, const mo_action_rows *rows)
{
    const grab *p = params;
    const double velocity[3] = {p->velocity.x, p->velocity.y, p->velocity.z};
    double displacement[3];
    bool any = false;
    for (int k = 0; k < 3; ++k) {
        displacement[k] = velocity[k] * (rows->to > p->common.time ? rows->to - p->common.time : 0);
    }
    for (int64_t row = 0; row < rows->rows; ++row) {
        if (rows->inverse_mass[row] > 0 &&
            mo_action_contains(&p->common, rows, row, displacement)) {
            memcpy(rows->v + 3 * row, velocity, sizeof velocity);
            any = true;
        }
    }
    return any;
}

const mo_action_type mo_action_grab = {
    .base = {.name = "grab",
             .summary = "Grabs the particles in a region and moves them with it.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(grab),
             .params = PARAMS,
             .check = mo_action_check},
    .act = grab_act,
};
