/* Constant velocity between two times, at rest before and after. */
#include "geometry/motion/motion.h"

typedef struct translate {
    mo_vec3 velocity;
    double start, end;
} translate;

static const mo_param PARAMS[] = {{"velocity", MO_VEC3, MO_FIELD(translate, velocity),
                                   .unit = "m/s", .required = true,
                                   .doc = "The velocity while it moves."},
                                  {"start", MO_REAL, MO_FIELD(translate, start), .unit = "s",
                                   .initial = "0", .doc = "When it sets out."},
                                  {"end", MO_REAL, MO_FIELD(translate, end), .unit = "s",
                                   .doc = "When it stops; never, if left out."},
                                  {0}};

static mote_status check(const void *params, mote_error *error)
{
    const translate *t = params;
    if (t->end < t->start) {
        return mo_fail(error, MOTE_ERROR_INPUT, "end: %g lies before start = %g", t->end, t->start);
    }
    return MOTE_OK;
}

static mo_pose pose(const void *params, double time)
{
    const translate *t = params;
    mo_pose pose = mo_pose_identity();
    bool moves = time >= t->start && !(time >= t->end);
    double travelled = time < t->start ? 0 : (time > t->end ? t->end : time) - t->start;
    pose.p = mo_scale(travelled, t->velocity);
    pose.v = mo_scale(moves ? 1 : 0, t->velocity);
    return pose;
}

const mo_motion_type mo_motion_translate = {
    .base = {.name = "translate",
             .summary = "Moves along a straight line with constant velocity.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(translate),
             .params = PARAMS,
             .check = check},
    .pose = pose,
};
