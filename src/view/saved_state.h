/* The state of a world, kept in memory: all state columns of all systems, and the clock. */
#ifndef MO_VIEW_SAVED_STATE_H
#define MO_VIEW_SAVED_STATE_H

#include "world/world.h"

typedef struct mo_saved_state {
    bool there;
    int count;
    mo_snapshot *snapshots[MO_SYSTEMS_MAX];
    mo_clock_state clock;
    mo_step_state rates;
} mo_saved_state;

/* What was kept before goes. */
mote_status mo_saved_state_take(mo_saved_state *state, const mote_world *world, mote_error *error);
/* Into the world it came from, or one made of the same scene. */
mote_status mo_saved_state_restore(const mo_saved_state *state, mote_world *world, mote_error *error);
void mo_saved_state_release(mo_saved_state *state);

#endif
