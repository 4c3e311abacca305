/* No motion. The simplest member of its family, as a template. */
#include "geometry/motion/motion.h"

static const mo_param PARAMS[] = {{0}};

static mo_pose still_pose(const void *params, double time)
{
    (void)params;
    (void)time;
    return mo_pose_identity();
}

const mo_motion_type mo_motion_still = {
    .base = {.name = "still",
             .summary = "Does not move.",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    .pose = still_pose,
};
