/*
 * Limits of the world: particles that leave the domain along an axis that is not periodic are
 * removed, reflected, or stop the run (`domain.outside`). Without limits, particles in free fall
 * far below every collider are reported once.
 *
 * Particles of a body with a mesh are removed together, after the last of them has left, since
 * forces refer to all of them. Both depend on the state and the scene alone, so resumed runs are
 * identical.
 */
#ifndef MO_WORLD_LIMITS_H
#define MO_WORLD_LIMITS_H

#include "mote/world.h"

typedef struct mo_limits {
    bool check_fall;        /* free fall is checked */
    double down[3], lowest; /* particles with down . x above lowest are below all colliders */
} mo_limits;

/* After the world was built. */
void mo_limits_open(mote_world *world);

/* After a step. */
mote_status mo_limits_step(mote_world *world, mote_error *error);

#endif
