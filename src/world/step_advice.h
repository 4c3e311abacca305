/*
 * Stability bounds for the step control `auto`: the limits of a world's integrators, evaluated from
 * the state every few steps. The interval doubles while the bounds are unchanged and is reset when
 * they change, so that the cost is small in linear systems and collisions are detected in time.
 */
#ifndef MO_WORLD_STEP_ADVICE_H
#define MO_WORLD_STEP_ADVICE_H

#include "world/world.h"

/* Evaluates the bounds of the current state; `reset`: without history of earlier steps. */
mote_status mo_world_advise(mote_world *world, bool reset, mote_error *error);

/* The same, if the step control requires it now. */
mote_status mo_world_advise_if_due(mote_world *world, mote_error *error);

/* Adds the bounds to the input of the step control. */
void mo_world_advised_state(const mote_world *world, mo_step_state *state);

/* Accepts the size of the next step as the current one. Multistep integrators restart if the
 * size changes. */
void mo_world_accept_step(mote_world *world, const mo_step_choice *choice);

/* Whether steps may be shortened to end at a given time. */
bool mo_world_step_lands(const mote_world *world);

#endif
