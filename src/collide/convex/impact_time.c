/*
 * Conservative advancement (Mirtich 1996): no point of the bodies approaches the other one along
 * the normal of their nearest points faster than the relative velocity plus what rotation adds at
 * the largest radius, so time may advance by the distance over that speed.
 */
#include "collide/convex/convex.h"

enum { ITERATIONS = 64 };

/* Rotation by the angle 2 atan(|w| t/2), which is never faster than w. */
mo_pose mo_pose_after(const mo_pose *pose, double time)
{
    mo_pose after = *pose;
    mo_quat turn = {1, 0.5 * time * pose->w.x, 0.5 * time * pose->w.y, 0.5 * time * pose->w.z};
    after.p = mo_add_scaled(pose->p, time, pose->v);
    after.R = mo_mat3_product(mo_quat_matrix(mo_quat_normalize(turn)), pose->R);
    return after;
}

/* The largest speed of the points of a part by rotation. */
static double rotation_speed(const mo_convex *part, const mo_pose *pose)
{
    return mo_length(pose->w) * (mo_length(part->center) + part->reach);
}

double mo_convex_impact(const mo_convex *a, const mo_pose *pose_a, const mo_convex *b,
                        const mo_pose *pose_b, double h, double target)
{
    mo_vec3 v = mo_sub(pose_a->v, pose_b->v);
    double spin = rotation_speed(a, pose_a) + rotation_speed(b, pose_b), time = 0;
    for (int k = 0; k < ITERATIONS; ++k) {
        mo_pose at_a = mo_pose_after(pose_a, time), at_b = mo_pose_after(pose_b, time);
        mo_posed p = mo_convex_at(a, &at_a), q = mo_convex_at(b, &at_b);
        mo_convex_near near = mo_convex_distance(&p, &q);
        if (near.distance <= target) {
            return time;
        }
        double speed = spin - mo_dot(v, near.normal);
        if (!(speed > 0)) {
            return (double)INFINITY;
        }
        time += (near.distance - 0.5 * target) / speed;
        if (time > h) {
            return (double)INFINITY;
        }
    }
    return time;
}
