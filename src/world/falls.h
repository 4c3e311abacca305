/*
 * Particles that fall without end: below the scene, away from it, and along gravity. They enlarge
 * neighbour grids and pictures, and a run does not stop for them.
 *
 * The extent of the scene is the box of all particles after the first step and of the bounded
 * colliders. Every EVERY steps rows below it by DEPTH times its diagonal are counted and reported
 * once. Bodies in free flight without any collider are left alone.
 */
#ifndef MO_WORLD_FALLS_H
#define MO_WORLD_FALLS_H

#include "math/vec3.h"
#include "mote/world.h"

#include <stdbool.h>

typedef struct mo_falls {
    bool known;
    mo_vec3 low, high; /* of the scene */
} mo_falls;

/* After a step and the check of its health. */
mote_status mo_falls_step(mote_world *world, mote_error *error);

#endif
