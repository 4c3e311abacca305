/* A harmonic oscillation along a line: p = A (sin(2 pi f t + phase) - sin(phase)), so that the
 * initial displacement is 0. */
#include "geometry/motion/motion.h"

typedef struct oscillate {
    mo_vec3 amplitude;
    double frequency, phase;
} oscillate;

static const mo_param PARAMS[] = {
    {"amplitude", MO_VEC3, MO_FIELD(oscillate, amplitude), .unit = "m", .required = true,
     .doc = "Direction and amplitude of the displacement."},
    {"frequency", MO_REAL, MO_FIELD(oscillate, frequency), .unit = "Hz", .required = true,
     .range = "[0, inf)", .doc = "Frequency."},
    {"phase", MO_REAL, MO_FIELD(oscillate, phase), .unit = "rad", .initial = "0",
     .doc = "Phase of the sine at the start; 0 starts at maximum speed, pi/2 at zero speed."},
    {0}};

static mo_pose oscillate_pose(const void *params, double time)
{
    const oscillate *o = params;
    double omega = 2 * 3.14159265358979323846 * o->frequency, angle = omega * time + o->phase;
    mo_pose pose = mo_pose_identity();
    pose.p = mo_scale(sin(angle) - sin(o->phase), o->amplitude);
    pose.v = mo_scale(omega * cos(angle), o->amplitude);
    return pose;
}

const mo_motion_type mo_motion_oscillate = {
    .base = {.name = "oscillate",
             .summary = "Sinusoidal oscillation along a line.",
             .param_size = sizeof(oscillate),
             .params = PARAMS},
    .pose = oscillate_pose,
};
