/*
 * Stresses of a system: of nodes by the mean of their elements, weighted by rest volume, with the
 * equivalent stress of that mean; and of elements. Scalar elements have a column of their own.
 */
#include "solid/model/elements_state.h"
#include "solid/model/model.h"
#include "system/forces/pair_columns.h"
#include "system/forces/state.h"

#include <string.h>

extern const mo_model_type mo_model_elements;

typedef struct deriving {
    const mo_forces *forces;
    mo_force_args args;
    double *stress, *mises;
} deriving;

static void derive_range(void *context, int64_t first, int64_t last)
{
    const deriving *d = context;
    for (int k = 0; !d->stress && k < d->forces->force_count; ++k) {
        const mo_force *force = &d->forces->forces[k];
        if (force->type->stress) { /* into columns of its own */
            force->type->stress->nodes(force->instance, &d->args, first, last, NULL, NULL);
        }
    }
    if (!d->stress) {
        return;
    }
    memset(d->stress + 6 * first, 0, (size_t)(last - first) * 6 * sizeof(double));
    /* the volume, until the end */
    memset(d->mises + first, 0, (size_t)(last - first) * sizeof(double));
    for (int k = 0; k < d->forces->force_count; ++k) {
        const mo_force *force = &d->forces->forces[k];
        if (force->type->stress) {
            force->type->stress->nodes(force->instance, &d->args, first, last, d->mises, d->stress);
        }
    }
    mo_force_mean_stresses(first, last, d->mises, d->stress);
}

static void derive_stress(mo_system *system, double time)
{
    const mo_column *stress = mo_store_find(system->store, "stress"),
                    *mises = mo_store_find(system->store, "von_mises");
    deriving d = {.forces = system->state, .args = mo_forces_now(system->state, time)};
    if (stress && mises) {
        d.stress = mo_f64(stress);
        d.mises = mo_f64(mises);
    }
    mo_parallel_for(system->host->pool, d.args.rows, MO_FORCE_GRAIN, derive_range, &d);
}

void mo_forces_derive(mo_system *system, double time)
{
    derive_stress(system, time);
    mo_pair_columns_derive(system->state, time);
}

mote_status mo_forces_cells(mo_system *system, double time, mote_cells *cells, mote_error *error)
{
    mo_forces *forces = system->state;
    mo_force_args args = mo_forces_now(forces, time);
    int64_t count = 0, at = 0;
    void *rows = forces->cell_rows, *stress = forces->cell_stress;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        count += force->type->stress && force->type->stress->cells
                     ? force->type->stress->cells(force->instance, &args, NULL, NULL)
                     : 0;
    }
    mote_status status = mo_grow(system->host->memory, &rows, &forces->cell_row_capacity, count,
                                 4 * sizeof(int32_t), error);
    forces->cell_rows = rows;
    MO_TRY(status);
    status = mo_grow(system->host->memory, &stress, &forces->cell_stress_capacity, count,
                     6 * sizeof(double), error);
    forces->cell_stress = stress;
    MO_TRY(status);
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        at += force->type->stress && force->type->stress->cells
                  ? force->type->stress->cells(force->instance, &args, forces->cell_rows + 4 * at,
                                               forces->cell_stress + 6 * at)
                  : 0;
    }
    *cells = (mote_cells){count, forces->cell_rows, forces->cell_stress};
    return MOTE_OK;
}

bool mo_forces_cut(const mo_system *system, const mo_cut *plane)
{
    const mo_forces *forces = system->state;
    for (int k = 0; k < forces->force_count; ++k) {
        if (forces->forces[k].type == &mo_model_elements.force) {
            if (plane) {
                mo_elements_cut(forces->forces[k].instance, mo_f64(system->columns.x), plane);
            }
            return true;
        }
    }
    return false;
}
