/* Adding and removing rows of the forces system, with all its forces. */
#include "system/forces/state.h"

#include <string.h>

/* Rows from `first` on are new. */
static mote_status forces_added(mo_system *system, int64_t first, mote_error *error)
{
    mo_forces *forces = system->state;
    mo_force_args args = mo_forces_now(forces, 0);
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->begin) {
            MO_TRY(force->type->begin(force->instance, &args, first, system->host->pool, error));
        }
    }
    return MOTE_OK;
}

static mote_status forces_remap(mo_system *system, const int64_t *map, int64_t rows,
                                mote_error *error)
{
    mo_forces *forces = system->state;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->remap) {
            MO_TRY(force->type->remap(force->instance, map, rows, error));
        }
    }
    return MOTE_OK;
}

static void forces_settle(mo_system *system, const int64_t *map)
{
    mo_forces *forces = system->state;
    if (map) {
        mo_kinematics_remap(&forces->kinematics, map);
    }
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->settle) {
            force->type->settle(force->instance, map);
        }
    }
}

const mo_edit_hooks mo_forces_edit = {
    .added = forces_added, .remap = forces_remap, .settle = forces_settle, .accepts = true};
