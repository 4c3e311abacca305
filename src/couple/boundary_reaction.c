/*
 * A fluid and the colliders: the wrench and the heat flow on each of them in the last step, where somebody
 * wants them (fluid/boundary/reaction.h). They are a row per collider of the coupling's store and so part
 * of every snapshot: a world that is restored has the loads of the state that was saved.
 */
#include "couple/boundary_reaction.h"

#include "system/fluid/fluid.h"

#include <string.h>

enum { REACTION = 7, CENTER = 3 };

_Static_assert(sizeof(mo_reaction) == REACTION * sizeof(double), "a column holds a mo_reaction");
_Static_assert(sizeof(mo_vec3) == CENTER * sizeof(double), "a column holds a mo_vec3");

static const mo_column_spec COLUMNS[] = {
    {"reaction", MOTE_F64, REACTION, MO_STATE, "N, N m, W", "force, torque about the center, heat flow"},
    {"center", MOTE_F64, CENTER, MO_STATE, "m", "the point that the torque is about"}};

static const mo_reactions *reactions_of(const mo_coupling *coupling)
{
    return &((const mo_fluid_system *)coupling->a->state)->fluid.reactions;
}

static bool boundary_reaction_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    return !b && a->type == &mo_system_fluid && def->colliders.count > 0;
}

static mote_status boundary_reaction_create(const mo_world_def *def, mo_coupling *coupling, mote_error *error)
{
    (void)def;
    mo_column *column;
    MO_TRY(mo_store_create(coupling->host->memory, &coupling->store, error));
    MO_TRY(mo_store_declare(coupling->store, &COLUMNS[0], &column, error));
    return mo_store_declare(coupling->store, &COLUMNS[1], &column, error);
}

/* A row per collider, numbered as they are. */
static mote_status make_rows(mo_store *store, int64_t rows, mote_error *error)
{
    if (mo_store_rows(store) == rows) {
        return MOTE_OK;
    }
    MO_TRY(mo_store_resize(store, rows, rows, error));
    for (int64_t k = 0; k < rows; ++k) {
        mo_i64(mo_store_find(store, "id"))[k] = k;
    }
    return MOTE_OK;
}

static mote_status boundary_reaction_scatter(mo_coupling *coupling, const mo_system *solved,
                                             const mo_step_time *now, mote_error *error)
{
    const mo_reactions *r = reactions_of(coupling);
    if (solved != coupling->a) {
        return MOTE_OK;
    }
    MO_TRY(make_rows(coupling->store, r->count, error));
    double *reaction = mo_f64(mo_store_find(coupling->store, COLUMNS[0].name));
    double *center = mo_f64(mo_store_find(coupling->store, COLUMNS[1].name));
    if (r->count > 0 && r->time == now->end) {
        memcpy(reaction, r->total, (size_t)r->count * sizeof *r->total);
        memcpy(center, r->center, (size_t)r->count * sizeof *r->center);
    } else { /* a fluid without rows does not step */
        memset(reaction, 0, (size_t)r->count * sizeof *r->total);
    }
    return MOTE_OK;
}

mo_reactions mo_boundary_reactions(const mo_coupling *coupling)
{
    return (mo_reactions){.count = (int)mo_store_rows(coupling->store),
                          .total = mo_store_find(coupling->store, COLUMNS[0].name)->data,
                          .center = mo_store_find(coupling->store, COLUMNS[1].name)->data};
}

const mo_coupling_type mo_coupling_boundary_reaction = {
    .base = {.name = "boundary_reaction", .summary = "Reactions of a fluid's boundary on the colliders."},
    .applies = boundary_reaction_applies,
    .create = boundary_reaction_create,
    .scatter = boundary_reaction_scatter,
};
