#include "world/snapshot_couplings.h"

#include "world/reactions.h"

#include <string.h>

static int world_coupling_count(const mote_world *world)
{
    return world->coupling_count + 1; /* including the reactions on colliders */
}

/* NULL: the coupling has no state. Names are unique in a world and have its lifetime. */
static mo_store *world_coupling_store(const mote_world *world, int k, const char **name)
{
    bool reactions = k == world->coupling_count;
    *name = reactions ? MO_REACTIONS_NAME : world->couplings[k].name;
    mo_store *sums = world->host.wants_reactions ? world->reactions : NULL;
    return reactions ? sums : world->couplings[k].store;
}

/* ---- saving and restoring ---- */

static mote_status save_coupling(mote_snapshot *snapshot, int k, const mote_world *world,
                                 mote_error *error)
{
    const char *name;
    const mo_store *store = world_coupling_store(world, k, &name);
    mo_saved_coupling *saved = NULL;
    if (!store) {
        return MOTE_OK;
    }
    char *copy = mo_arena_text(&snapshot->arena, name);
    if (!copy) {
        return mo_fail_memory(error, strlen(name));
    }
    MO_TRY(mo_world_snapshot_add_coupling(snapshot, copy, &saved, error));
    return mo_snapshot_copy(store, world->pool, saved->rows, error);
}

mote_status mo_snapshot_save_couplings(const mote_world *world, mote_snapshot *snapshot,
                                       mote_error *error)
{
    for (int k = 0; k < world_coupling_count(world); ++k) {
        MO_TRY(save_coupling(snapshot, k, world, error));
    }
    return MOTE_OK;
}

/* The state of a coupling that is missing in this world, since its scene was changed, is
 * discarded. */
mote_status mo_snapshot_check_couplings(const mote_snapshot *snapshot, const mote_world *world,
                                        mote_error *error)
{
    for (int k = 0; k < world_coupling_count(world); ++k) {
        const char *name;
        const mo_store *store = world_coupling_store(world, k, &name);
        const mo_saved_coupling *saved = store ? mo_world_snapshot_coupling(snapshot, name) : NULL;
        if (saved) {
            MO_TRY(mo_snapshot_fits(saved->rows, store, error));
            MO_TRY(mo_snapshot_check_ids(saved->rows, false, mo_store_memory(store), error));
        }
    }
    return MOTE_OK;
}

mote_status mo_snapshot_reserve_couplings(const mote_snapshot *snapshot, mote_world *world,
                                          mote_error *error)
{
    for (int k = 0; k < world_coupling_count(world); ++k) {
        const char *name;
        mo_store *store = world_coupling_store(world, k, &name);
        const mo_saved_coupling *saved = store ? mo_world_snapshot_coupling(snapshot, name) : NULL;
        if (saved) {
            MO_TRY(mo_store_reserve(store, saved->rows->rows, error));
        }
    }
    return MOTE_OK;
}

void mo_snapshot_restore_couplings(const mote_snapshot *snapshot, mote_world *world)
{
    for (int k = 0; k < world_coupling_count(world); ++k) {
        const char *name;
        mo_store *store = world_coupling_store(world, k, &name);
        const mo_saved_coupling *saved = store ? mo_world_snapshot_coupling(snapshot, name) : NULL;
        mote_status restored = saved   ? mo_snapshot_restore(saved->rows, store, NULL)
                               : store ? mo_store_resize(store, 0, 0, NULL)
                                       : MOTE_OK;
        MOTE_ASSERT(restored == MOTE_OK); /* its rows are reserved */
        (void)restored;
    }
}
