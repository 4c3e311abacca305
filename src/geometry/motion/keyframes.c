/* Displacements at given times, straight lines between them, at rest outside. */
#include "geometry/motion/motion.h"

typedef struct keyframes {
    mo_list times, positions;
} keyframes;

static const mo_param PARAMS[] = {{"times", MO_REAL, .list = true, MO_FIELD(keyframes, times),
                                   .unit = "s", .required = true, .doc = "Increasing times."},
                                  {"positions", MO_VEC3, .list = true,
                                   MO_FIELD(keyframes, positions), .unit = "m", .required = true,
                                   .doc = "The displacement from the starting place at each time."},
                                  {0}};

static mote_status check(const void *params, mote_error *error)
{
    const keyframes *k = params;
    const double *time = k->times.items;
    if (k->times.count < 1) {
        return mo_fail(error, MOTE_ERROR_INPUT, "times: at least one is needed");
    }
    if (k->times.count != k->positions.count) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "positions: one for each time is needed, there are %lld times and %lld positions",
            (long long)k->times.count, (long long)k->positions.count);
    }
    for (int64_t i = 1; i < k->times.count; ++i) {
        if (!(time[i] > time[i - 1])) {
            return mo_fail(error, MOTE_ERROR_INPUT, "times[%lld]: %g does not lie after %g",
                           (long long)i, time[i], time[i - 1]);
        }
    }
    return MOTE_OK;
}

static mo_pose pose(const void *params, double now)
{
    const keyframes *k = params;
    const double *time = k->times.items;
    const mo_vec3 *position = k->positions.items;
    int64_t last = k->times.count - 1;
    mo_pose pose = mo_pose_identity();
    if (!(now >= time[0] && now < time[last])) {
        pose.p = position[now < time[0] ? 0 : last];
        return pose;
    }
    int64_t i = 0;
    while (time[i + 1] <= now) {
        ++i;
    }
    pose.v = mo_scale(1 / (time[i + 1] - time[i]), mo_sub(position[i + 1], position[i]));
    pose.p = mo_add_scaled(position[i], now - time[i], pose.v);
    return pose;
}

const mo_motion_type mo_motion_keyframes = {
    .base = {.name = "keyframes",
             .summary = "Follows displacements given at times.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(keyframes),
             .params = PARAMS,
             .check = check},
    .pose = pose,
};
