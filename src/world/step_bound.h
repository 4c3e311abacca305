/*
 * Step limits of the systems of a world besides the speed: sound, viscosity.
 */
#ifndef MO_WORLD_STEP_BOUND_H
#define MO_WORLD_STEP_BOUND_H

#include "world/world.h"

/* The smallest of the systems' bounds; size 0 if there is none. */
mo_step_bound mo_world_step_bound(const mote_world *world);

/* Warns if a step of h exceeds a bound. */
void mo_world_check_bound(mote_world *world, double h, const mo_step_bound *bound);

#endif
