/*
 * Prescribed motions of colliders and of pinned particles: a rigid pose as a function of time, and
 * its velocity. A point X of the scene is at R X + p at time t and moves with v + w x (x - p).
 */
#ifndef MO_GEOMETRY_MOTION_H
#define MO_GEOMETRY_MOTION_H

#include "base/param.h"
#include "math/quat.h"

typedef struct mo_pose {
    mo_mat3 R;
    mo_vec3 p, v, w;
} mo_pose;

typedef struct mo_motion_type {
    mo_descriptor base;
    mo_pose (*pose)(const void *params, double time);
} mo_motion_type;

extern const mo_family mo_motions;

mo_pose mo_pose_identity(void);

/* The pose of a scene's motion; static if absent. */
mo_pose mo_motion_pose(mo_method motion, double time);

/* The velocities by which a pose becomes `next` in h, at a constant rate. */
void mo_pose_mean_velocity(const mo_pose *pose, const mo_pose *next, double h, mo_vec3 *v,
                           mo_vec3 *w);

/* Whether the pose depends on time. */
bool mo_motion_moves(mo_method motion);

static inline mo_vec3 mo_pose_apply(const mo_pose *pose, mo_vec3 X)
{
    return mo_add(mo_mat3_apply(pose->R, X), pose->p);
}

/* From the world into the frame of the shape. */
static inline mo_vec3 mo_pose_undo(const mo_pose *pose, mo_vec3 x)
{
    return mo_mat3_apply_transposed(pose->R, mo_sub(x, pose->p));
}

static inline mo_vec3 mo_pose_velocity(const mo_pose *pose, mo_vec3 x)
{
    return mo_add(pose->v, mo_cross(pose->w, mo_sub(x, pose->p)));
}

#endif
