/*
 * Motions in sequence. Motion k starts at times[k] with its own time 0 and is composed with the
 * final pose of the previous ones, in world axes:
 *     x = R_k (R X + p) + p_k,    with R, p of the sequence at times[k].
 */
#include "base/memory.h"
#include "geometry/motion/motion.h"

typedef struct sequence {
    mo_list motions, times;
    mo_pose *base; /* set by prepare: the initial pose of each motion */
} sequence;

static const mo_param PARAMS[] = {
    {"motions", MO_METHOD, .list = true, MO_FIELD(sequence, motions), .family = &mo_motions,
     .required = true,
     .doc = "The motions, each in its own time from 0; centres and directions are in world "
            "coordinates."},
    {"times", MO_REAL, .list = true, MO_FIELD(sequence, times), .unit = "s", .required = true,
     .doc = "Start time of each motion, which ends the previous one; increasing."},
    {0}};

static mote_status sequence_check(const void *params, mote_error *error)
{
    const sequence *s = params;
    const double *time = s->times.items;
    if (s->motions.count < 1) {
        return mo_fail(error, MOTE_ERROR_INPUT, "motions: at least one is needed");
    }
    if (s->motions.count != s->times.count) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "times: expected one per motion, found %lld motions and %lld times",
                       (long long)s->motions.count, (long long)s->times.count);
    }
    for (int64_t k = 1; k < s->times.count; ++k) {
        if (!(time[k] > time[k - 1])) {
            return mo_fail(error, MOTE_ERROR_INPUT, "times[%lld]: %g is not after %g", (long long)k,
                           time[k], time[k - 1]);
        }
    }
    return MOTE_OK;
}

/* Composes a motion with an earlier pose. */
static mo_pose after(const mo_pose *first, const mo_pose *then)
{
    mo_pose pose = *then;
    pose.R = mo_mat3_product(then->R, first->R);
    pose.p = mo_pose_apply(then, first->p);
    pose.v = mo_pose_velocity(then, pose.p);
    return pose;
}

static mote_status sequence_prepare(void *params, mo_arena *arena, mote_error *error)
{
    sequence *s = params;
    const mo_method *motion = s->motions.items;
    const double *time = s->times.items;
    size_t bytes = (size_t)s->motions.count * sizeof *s->base;
    s->base = mo_arena_allocate(arena, bytes);
    if (!s->base) {
        return mo_fail_memory(error, bytes);
    }
    s->base[0] = mo_pose_identity();
    for (int64_t k = 1; k < s->motions.count; ++k) {
        mo_pose end = mo_motion_pose(motion[k - 1], time[k] - time[k - 1]);
        s->base[k] = after(&s->base[k - 1], &end);
    }
    return MOTE_OK;
}

static mo_pose sequence_pose(const void *params, double now)
{
    const sequence *s = params;
    const double *time = s->times.items;
    int64_t k = s->times.count - 1;
    while (k > 0 && time[k] > now) {
        --k;
    }
    mo_pose own =
        mo_motion_pose(((const mo_method *)s->motions.items)[k], now > time[k] ? now - time[k] : 0);
    mo_pose pose = after(&s->base[k], &own);
    if (now < time[0]) { /* it has not begun */
        pose.v = pose.w = mo_vec3_make(0, 0, 0);
    }
    return pose;
}

const mo_motion_type mo_motion_sequence = {
    .base = {.name = "sequence",
             .summary = "Several motions in sequence.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(sequence),
             .params = PARAMS,
             .check = sequence_check,
             .prepare = sequence_prepare},
    .pose = sequence_pose,
};
