/*
 * Displacements and rotations at given times, interpolated linearly and by slerp (K. Shoemake 1985,
 * Proc. SIGGRAPH, 245), constant outside:
 *     x = R (X - c) + c + d,    R = exp(e n theta) R_k,    d = d_k + e (d_k+1 - d_k).
 */
#include "geometry/motion/easing.h"
#include "geometry/motion/motion.h"

typedef struct keyframes {
    mo_list times, positions, rotations;
    mo_vec3 center;
    const char *easing;
} keyframes;

static const mo_param PARAMS[] = {
    {"times", MO_REAL, .list = true, MO_FIELD(keyframes, times), .unit = "s", .required = true,
     .doc = "Increasing times."},
    {"positions", MO_VEC3, .list = true, MO_FIELD(keyframes, positions), .unit = "m",
     .doc = "Displacement from the initial position at each time; default: none."},
    {"rotations", MO_VEC3, .list = true, MO_FIELD(keyframes, rotations), .unit = "rad",
     .doc = "Rotation from the initial orientation at each time, as a rotation vector; default: "
            "none."},
    {"center", MO_VEC3, MO_FIELD(keyframes, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Centre of rotation in the initial configuration; it moves with the displacement."},
    {"easing", MO_STRING, MO_FIELD(keyframes, easing), .initial = "\"linear\"",
     .choices = MO_EASING_CHOICES,
     .doc = "Easing between consecutive times: constant speed, ease in and out, ease in, or ease "
            "out."},
    {0}};

static mote_status check_count(const keyframes *k, const mo_list *list, const char *name,
                               mote_error *error)
{
    return list->count == 0 || list->count == k->times.count
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "%s: expected one per time, found %lld times and %lld %s", name,
                         (long long)k->times.count, (long long)list->count, name);
}

static mote_status keyframes_check(const void *params, mote_error *error)
{
    const keyframes *k = params;
    const double *time = k->times.items;
    if (k->times.count < 1) {
        return mo_fail(error, MOTE_ERROR_INPUT, "times: at least one is needed");
    }
    if (k->positions.count == 0 && k->rotations.count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "positions: give positions, rotations or both");
    }
    MO_TRY(check_count(k, &k->positions, "positions", error));
    MO_TRY(check_count(k, &k->rotations, "rotations", error));
    for (int64_t i = 1; i < k->times.count; ++i) {
        if (!(time[i] > time[i - 1])) {
            return mo_fail(error, MOTE_ERROR_INPUT, "times[%lld]: %g is not after %g", (long long)i,
                           time[i], time[i - 1]);
        }
    }
    return MOTE_OK;
}

/* The rotation vector of q, at most half a turn. */
static mo_vec3 logarithm(mo_quat q)
{
    mo_vec3 s = {q.x, q.y, q.z};
    double sine = mo_length(s), sign = q.w < 0 ? -1 : 1;
    return sine > 0 ? mo_scale(sign * 2 * atan2(sine, sign * q.w) / sine, s)
                    : mo_vec3_make(0, 0, 0);
}

/* The interpolated rotation between keys a and b at the fraction e, and its derivative. */
static mo_mat3 rotation_between(const keyframes *k, int64_t a, int64_t b, double e, mo_vec3 *way)
{
    const mo_vec3 *rotation = k->rotations.items;
    if (k->rotations.count == 0) {
        *way = mo_vec3_make(0, 0, 0);
        return mo_mat3_identity();
    }
    mo_quat from = mo_quat_exponential(rotation[a]), to = mo_quat_exponential(rotation[b]);
    *way = a == b ? mo_vec3_make(0, 0, 0) : logarithm(mo_quat_product(to, mo_quat_conjugate(from)));
    return mo_quat_matrix(
        mo_quat_normalize(mo_quat_product(mo_quat_exponential(mo_scale(e, *way)), from)));
}

static mo_pose keyframes_pose(const void *params, double now)
{
    const keyframes *k = params;
    const double *time = k->times.items;
    const mo_vec3 *position = k->positions.items;
    int64_t last = k->times.count - 1, a = 0, b;
    double e = 0, rate = 0;
    bool between = now >= time[0] && now < time[last];
    while (between && time[a + 1] <= now) {
        ++a;
    }
    a = between ? a : now < time[0] ? 0 : last;
    b = between ? a + 1 : a;
    if (between) {
        double length = time[b] - time[a];
        e = mo_ease(k->easing, (now - time[a]) / length, &rate);
        rate *= 1 / length;
    }
    mo_pose pose = mo_pose_identity();
    mo_vec3 turn, moved = mo_vec3_make(0, 0, 0), speed = moved;
    if (k->positions.count > 0) {
        mo_vec3 way = mo_sub(position[b], position[a]);
        bool linear = !k->easing || k->easing[0] == 'l';
        speed = mo_scale(rate, way);
        moved = between && linear ? mo_add_scaled(position[a], now - time[a], speed)
                                  : mo_add_scaled(position[a], e, way);
    }
    if (k->rotations.count == 0) {
        pose.p = moved;
        pose.v = speed;
        return pose;
    }
    mo_vec3 center = mo_add(k->center, moved);
    pose.R = rotation_between(k, a, b, e, &turn);
    pose.w = mo_scale(rate, turn);
    pose.p = mo_sub(center, mo_mat3_apply(pose.R, k->center));
    pose.v = mo_add(speed, mo_cross(pose.w, mo_sub(pose.p, center)));
    return pose;
}

const mo_motion_type mo_motion_keyframes = {
    .base = {.name = "keyframes",
             .summary = "Interpolates displacements and rotations between keyframes.",
             .citation = "K. Shoemake 1985, Proc. SIGGRAPH, 245",
             .param_size = sizeof(keyframes),
             .params = PARAMS,
             .check = keyframes_check},
    .pose = keyframes_pose,
};
