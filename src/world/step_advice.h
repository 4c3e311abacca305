/*
 * The stability advisor at the service of the step: what the integrators of a world allow, found
 * from the state every few steps (step control `auto`). The interval doubles while the bounds stay
 * as they are and is short again once they change, so that linear systems pay for it rarely and
 * collisions are seen in time.
 */
#ifndef MO_WORLD_STEP_ADVICE_H
#define MO_WORLD_STEP_ADVICE_H

#include "world/world.h"

/* Finds the bounds of the state as it is; `anew`: nothing is known of the steps before. */
mote_status mo_world_advise(mote_world *world, bool anew, mote_error *error);

/* The same, if the scene's step control needs it now. */
mote_status mo_world_advise_if_due(mote_world *world, mote_error *error);

/* Completes what a step control looks at. */
void mo_world_advised_state(const mote_world *world, mo_step_state *state);

/* The step is going to be taken: it is the one in use from here on. Integrators that remember
   steps of another size start anew. */
void mo_world_hold_step(mote_world *world, const mo_step_choice *choice);

/* Whether steps may be shortened to end at a given time. */
bool mo_world_step_lands(const mote_world *world);

#endif
