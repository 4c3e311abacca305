/* The scene's timed actions on particles. */
#ifndef MO_WORLD_ACTIONS_H
#define MO_WORLD_ACTIONS_H

#include "world/world.h"

/* Checks that the columns and systems of all actions exist. */
mote_status mo_world_check_actions(const mote_world *world, mote_error *error);

/* Performs those that are due at the end of a step in [from, to]. */
mote_status mo_world_act(mote_world *world, double from, double to, mote_error *error);

#endif
