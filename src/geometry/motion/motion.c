#include "geometry/motion/motion.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_motion_type, mo_motion_, name)
#include "geometry/motion/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_motion_, name)
#include "geometry/motion/methods.def"
#undef MO_METHOD
};

const mo_family mo_motions = {
    .name = "motion",
    .doc = "Prescribed motions of colliders and of pinned particles.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

mo_pose mo_pose_identity(void)
{
    return (mo_pose){.R = mo_mat3_identity()};
}

mo_pose mo_motion_pose(mo_method motion, double time)
{
    if (!motion.type) {
        return mo_pose_identity();
    }
    return ((const mo_motion_type *)motion.type)->pose(motion.params, time);
}

bool mo_motion_moves(mo_method motion)
{
    return motion.type && motion.type != &mo_motion_still.base;
}

void mo_pose_mean_velocity(const mo_pose *pose, const mo_pose *next, double h, mo_vec3 *v,
                           mo_vec3 *w)
{
    *v = mo_scale(1 / h, mo_sub(next->p, pose->p));
    *w = mo_scale(
        1 / h, mo_quat_logarithm(mo_quat_product(mo_quat_of_matrix(next->R),
                                                 mo_quat_conjugate(mo_quat_of_matrix(pose->R)))));
}
