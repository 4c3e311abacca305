#include "view/saved_state.h"

void mo_saved_state_release(mo_saved_state *state)
{
    for (int k = 0; k < state->count; ++k) {
        mo_snapshot_destroy(state->snapshots[k]);
    }
    *state = (mo_saved_state){0};
}

mote_status mo_saved_state_take(mo_saved_state *state, const mote_world *world, mote_error *error)
{
    mo_saved_state fresh = {.there = true, .clock = world->clock, .rates = world->rates};
    for (; fresh.count < world->system_count; ++fresh.count) {
        mote_status status =
            mo_snapshot_take(world->systems[fresh.count].store, &fresh.snapshots[fresh.count], error);
        if (status != MOTE_OK) {
            mo_saved_state_release(&fresh);
            return status;
        }
    }
    mo_saved_state_release(state);
    *state = fresh;
    return MOTE_OK;
}

mote_status mo_saved_state_restore(const mo_saved_state *state, mote_world *world, mote_error *error)
{
    if (!state->there || state->count != world->system_count) {
        return mo_fail(error, MOTE_ERROR_USAGE, "no state was saved");
    }
    for (int k = 0; k < state->count; ++k) {
        MO_TRY(mo_snapshot_restore(state->snapshots[k], world->systems[k].store, error));
    }
    world->clock = state->clock;
    world->rates = state->rates;
    return MOTE_OK;
}
