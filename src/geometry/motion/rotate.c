/* A turn with constant angular speed about a fixed axis. */
#include "geometry/motion/motion.h"

typedef struct rotate {
    mo_vec3 axis, center;
    double speed;
} rotate;

static const mo_param PARAMS[] = {
    {"speed", MO_REAL, MO_FIELD(rotate, speed), .unit = "rad/s", .required = true,
     .doc = "Angular speed, counter-clockwise seen against the axis."},
    {"axis", MO_VEC3, MO_FIELD(rotate, axis), .initial = "[0, 0, 1]",
     .doc = "The axis; any length but zero."},
    {"center", MO_VEC3, MO_FIELD(rotate, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "A point of the axis."},
    {0}};

static mote_status check(const void *params, mote_error *error)
{
    const rotate *r = params;
    if (!(mo_length(r->axis) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "axis: a rotation needs an axis that is not zero");
    }
    return MOTE_OK;
}

static mo_pose pose(const void *params, double time)
{
    const rotate *r = params;
    mo_vec3 axis = mo_unit(r->axis, mo_vec3_make(0, 0, 1));
    mo_pose pose = {.R = mo_quat_matrix(mo_quat_turn(axis, r->speed * time)),
                    .w = mo_scale(r->speed, axis)};
    /* x = R (X - c) + c */
    pose.p = mo_sub(r->center, mo_mat3_apply(pose.R, r->center));
    pose.v = mo_cross(pose.w, mo_sub(pose.p, r->center));
    return pose;
}

const mo_motion_type mo_motion_rotate = {
    .base = {.name = "rotate",
             .summary = "Turns with constant speed about an axis.",
             .param_size = sizeof(rotate),
             .params = PARAMS,
             .check = check},
    .pose = pose,
};
