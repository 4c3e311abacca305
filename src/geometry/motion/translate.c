/*
 * Constant velocity between two times, at rest before and after; with easing it is the mean
 * velocity.
 */
#include "geometry/motion/easing.h"
#include "geometry/motion/motion.h"

typedef struct translate {
    mo_vec3 velocity;
    double start, end;
    const char *easing;
} translate;

static const mo_param PARAMS[] = {{"velocity", MO_VEC3, MO_FIELD(translate, velocity),
                                   .unit = "m/s", .required = true,
                                   .doc = "Velocity during the motion."},
                                  {"start", MO_REAL, MO_FIELD(translate, start), .unit = "s",
                                   .initial = "0", .doc = "Time at which the motion starts."},
                                  {"end", MO_REAL, MO_FIELD(translate, end), .unit = "s",
                                   .doc = "Time at which the motion stops; default: never."},
                                  MO_EASING_PARAM(translate, easing),
                                  {0}};

static mote_status translate_check(const void *params, mote_error *error)
{
    const translate *t = params;
    return mo_ease_check(t->easing, t->start, t->end, error);
}

static mo_pose translate_pose(const void *params, double time)
{
    const translate *t = params;
    mo_pose pose = mo_pose_identity();
    double speed, moved = mo_ease_time(t->easing, t->start, t->end, time, &speed);
    pose.p = mo_scale(moved, t->velocity);
    pose.v = mo_scale(speed, t->velocity);
    return pose;
}

const mo_motion_type mo_motion_translate = {
    .base = {.name = "translate",
             .summary = "Translation with constant velocity.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(translate),
             .params = PARAMS,
             .check = translate_check},
    .pose = translate_pose,
};
