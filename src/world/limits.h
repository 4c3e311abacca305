/*
 * Limits of the world: particles that leave the domain along an axis that is not periodic are
 * removed, reflected, or stop the run (`domain.outside`). Without limits, particles that have fallen
 * far below every collider are reported once: nothing will ever stop them.
 *
 * Particles of a body with a mesh are removed together, when the last of them has left, since forces
 * refer to all of them. Both depend on the state and the scene alone, so resumed runs are the same.
 */
#ifndef MO_WORLD_LIMITS_H
#define MO_WORLD_LIMITS_H

#include "mote/world.h"

typedef struct mo_limits {
    bool watches;           /* falling particles are looked for */
    double down[3], lowest; /* a particle with down . x above lowest has left everything behind */
} mo_limits;

/* The world has been built. */
void mo_limits_open(mote_world *world);

/* After a step. */
mote_status mo_limits_step(mote_world *world, mote_error *error);

#endif
