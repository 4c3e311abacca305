#include "collide/narrow/sweep.h"

void mo_sweep_point_back(mo_manifold_point *point, mo_vec3 normal, const mo_pose *a,
                         const mo_pose *b, double time)
{
    mo_pose at_a = mo_pose_after(a, time), at_b = mo_pose_after(b, time);
    point->point[0] = mo_pose_apply(a, mo_pose_undo(&at_a, point->point[0]));
    point->point[1] = mo_pose_apply(b, mo_pose_undo(&at_b, point->point[1]));
    point->gap = mo_dot(normal, mo_sub(point->point[0], point->point[1]));
}

void mo_sweep_back(mo_manifold *manifold, const mo_pose *a, const mo_pose *b, double time)
{
    for (int k = 0; k < manifold->count; ++k) {
        mo_sweep_point_back(&manifold->point[k], manifold->normal, a, b, time);
    }
}
