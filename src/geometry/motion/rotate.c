/*
 * A rotation with constant angular speed about a fixed axis between two times; with easing it is
 * the mean speed.
 */
#include "geometry/motion/easing.h"
#include "geometry/motion/motion.h"

typedef struct rotate {
    mo_vec3 axis, center;
    double speed, start, end;
    const char *easing;
} rotate;

static const mo_param PARAMS[] = {{"speed", MO_REAL, MO_FIELD(rotate, speed), .unit = "rad/s",
                                   .required = true,
                                   .doc = "Angular speed, right-handed about the axis."},
                                  {"axis", MO_VEC3, MO_FIELD(rotate, axis), .initial = "[0, 0, 1]",
                                   .doc = "Axis of rotation; normalised, must not be zero."},
                                  {"center", MO_VEC3, MO_FIELD(rotate, center), .unit = "m",
                                   .initial = "[0, 0, 0]", .doc = "A point on the axis."},
                                  {"start", MO_REAL, MO_FIELD(rotate, start), .unit = "s",
                                   .initial = "0", .doc = "Time at which the motion starts."},
                                  {"end", MO_REAL, MO_FIELD(rotate, end), .unit = "s",
                                   .doc = "Time at which the motion stops; default: never."},
                                  MO_EASING_PARAM(rotate, easing),
                                  {0}};

static mote_status rotate_check(const void *params, mote_error *error)
{
    const rotate *r = params;
    if (!(mo_length(r->axis) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "axis: a rotation needs an axis that is not zero");
    }
    return mo_ease_check(r->easing, r->start, r->end, error);
}

static mo_pose rotate_pose(const void *params, double time)
{
    const rotate *r = params;
    mo_vec3 axis = mo_unit(r->axis, mo_vec3_make(0, 0, 1));
    double rate, turned = mo_ease_time(r->easing, r->start, r->end, time, &rate);
    mo_pose pose = {.R = mo_quat_matrix(mo_quat_turn(axis, r->speed * turned)),
                    .w = mo_scale(rate * r->speed, axis)};
    /* x = R (X - c) + c */
    pose.p = mo_sub(r->center, mo_mat3_apply(pose.R, r->center));
    pose.v = mo_cross(pose.w, mo_sub(pose.p, r->center));
    return pose;
}

const mo_motion_type mo_motion_rotate = {
    .base = {.name = "rotate",
             .summary = "Rotation about an axis.",
             .param_size = sizeof(rotate),
             .params = PARAMS,
             .check = rotate_check},
    .pose = rotate_pose,
};
