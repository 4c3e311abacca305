/*
 * The reactions on the colliders of a world: for each collider one wrench (force, and torque about
 * its own origin) and one heat flow, in double, over the last step, or of the last static
 * equilibrium: pressure and viscosity of fluids, contacts. Systems and couplings sum their own
 * (collide/reactions.h); the world adds these up, collider by collider, in the order of its lists.
 *
 * They are stored in a store with a row for each collider, which is part of every snapshot, and
 * summed only if requested (mo_host.wants_reactions).
 */
#ifndef MO_WORLD_REACTIONS_H
#define MO_WORLD_REACTIONS_H

#include "world/world.h"

#define MO_REACTIONS_NAME "reactions" /* in snapshots */

mote_status mo_world_open_reactions(mote_world *world, mote_error *error);

/* After a step. */
mote_status mo_world_gather_reactions(mote_world *world, mote_error *error);

/* After a static solve: reactions of its contact constraints, and of couplings that provide
 * them. */
mote_status mo_world_keep_static_reactions(mote_world *world, const mo_reactions *supports,
                                           mote_error *error);

/* The wrench on one collider, or on all of them (-1), about a point. */
mo_wrench mo_world_reaction(const mote_world *world, int64_t collider, mo_vec3 about);

#endif
