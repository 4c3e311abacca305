/* Pushes particles: a change of velocity at once, or uniformly from `time` to `until`. */
#include "geometry/shape/shape.h"
#include "host/action/action.h"

#include <math.h>

typedef struct push {
    mo_action_def common;
    mo_vec3 velocity;
} push;

static const mo_param PARAMS[] = {
    MO_ACTION_TIME(push),
    {"until", MO_REAL, MO_FIELD(push, common.until), .unit = "s", .range = "(0, inf)",
     .doc = "End of the action; default: it acts at once."},
    MO_ACTION_REGION(push),
    {"velocity", MO_VEC3, MO_FIELD(push, velocity), .unit = "m/s", .required = true,
     .doc = "Velocity added to the particles, in total."},
    {0}};

/* The part of the action in this step. */
static double part_of(const mo_action_def *when, double from, double to)
{
    double length = when->until - when->time;
    return isnan(when->until) || length <= 0
               ? 1
               : (fmin(to, when->until) - fmax(from, when->time)) / length;
}

static bool push_act(const void *params, const mo_action_rows *rows)
{
    const push *p = params;
    const double velocity[3] = {p->velocity.x, p->velocity.y, p->velocity.z};
    double part = part_of(&p->common, rows->from, rows->to);
    bool any = false;
    for (int64_t row = 0; row < rows->rows; ++row) {
        if (rows->inverse_mass[row] > 0 && mo_action_contains(&p->common, rows, row, NULL)) {
            for (int k = 0; k < 3; ++k) {
                rows->v[3 * row + k] += part * velocity[k];
            }
            any = true;
        }
    }
    return any;
}

const mo_action_type mo_action_push = {
    .base = {.name = "push",
             .summary = "Adds a velocity to the particles in a region, at once or over a time.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(push),
             .params = PARAMS,
             .check = mo_action_check},
    .act = push_act,
};
