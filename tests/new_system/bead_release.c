/*
 * A toy coupling: a bead that has been faster than `release_speed` in `release_count` substeps
 * leaves its wire and becomes a particle of the system that accepts particles. The counts are its
 * state, a store keyed by the beads' ids.
 */
#include "host/coupling.h"

#include <math.h>
#include <string.h>

extern const mo_coupling_type mo_coupling_bead_release;

typedef struct keys {
    double release_speed;
    int64_t release_count;
} keys;

static const mo_param KEYS[] = {
    {"release_speed", MO_REAL, MO_FIELD(keys, release_speed), .unit = "m/s", .range = "(0, inf)",
     .doc = "Beads faster than this leave their wire; none does if left out."},
    {"release_count", MO_INT, MO_FIELD(keys, release_count), .initial = "3", .range = "[1, inf)",
     .doc = "After so many substeps."},
    {0}};
static const mo_section SECTION = {.name = "bead_release",
                                   .doc = "Beads that leave their wires.",
                                   .size = sizeof(keys),
                                   .params = KEYS};

static const mo_column_spec BEAD = {"bead", MOTE_I64, 1, MO_STATE, "1", "id of a bead"};
static const mo_column_spec COUNT = {"count",  MOTE_I32, 1,
                                     MO_STATE, "1",      "substeps beyond the speed"};

typedef struct release {
    const keys *keys;
    mo_column *bead, *count;
} release;

static bool bead_release_applies(const mo_world_def *def, const mo_system *a, const mo_system *b)
{
    const keys *k = mo_world_def_coupling(def, &mo_coupling_bead_release);
    bool accepts = b && b->type->edit && b->type->edit->accepts;
    return !isnan(k->release_speed) && strcmp(a->type->base.name, "beads") == 0 && accepts;
}

static mote_status bead_release_create(const mo_world_def *def, mo_coupling *c, mote_error *error)
{
    const mo_store *beads = c->a->store;
    int64_t first;
    release *r = mo_allocate(c->host->memory, sizeof *r);
    if (!r) {
        return mo_fail_memory(error, sizeof *r);
    }
    c->state = r;
    r->keys = mo_world_def_coupling(def, c->type);
    MO_TRY(mo_store_create(c->host->memory, &c->store, error));
    MO_TRY(mo_store_declare(c->store, &BEAD, &r->bead, error));
    MO_TRY(mo_store_declare(c->store, &COUNT, &r->count, error));
    MO_TRY(mo_store_add(c->store, mo_store_rows(beads), &first, error));
    memcpy(r->bead->data, mo_store_find(beads, "id")->data,
           (size_t)mo_store_rows(beads) * sizeof(int64_t));
    return MOTE_OK;
}

static void bead_release_destroy(mo_coupling *c)
{
    mo_release(c->host->memory, c->state);
}

/* Ids of beads ascend, and so do those of the store, which keeps the beads that have left. */
static mote_status bead_release_refresh(mo_coupling *c, const mo_step_time *substep,
                                        mote_error *error)
{
    const release *r = c->state;
    const mo_particle_columns *p = &c->a->columns;
    int64_t at = 0;
    (void)substep, (void)error;
    for (int64_t row = 0; row < mo_store_rows(c->a->store); ++row) {
        while (mo_i64(r->bead)[at] != mo_i64(p->id)[row]) {
            ++at;
        }
        double speed = mo_length(mo_vec3_load(mo_f64(p->v) + 3 * row));
        ((int32_t *)r->count->data)[at] += speed > r->keys->release_speed;
    }
    return MOTE_OK;
}

/* After the solves: rows change their system. */
static mote_status bead_release_project(mo_coupling *c, const mo_step_time *now, mote_error *error)
{
    const release *r = c->state;
    const int64_t *id = mo_i64(c->a->columns.id);
    int64_t rows = mo_store_rows(c->a->store), at = 0;
    void *gone;
    (void)now;
    MO_TRY(mo_allocate_array(c->host->memory, rows, 1, &gone, error));
    for (int64_t row = 0; row < rows; ++row) {
        while (mo_i64(r->bead)[at] != id[row]) {
            ++at;
        }
        ((uint8_t *)gone)[row] = ((int32_t *)r->count->data)[at] >= r->keys->release_count;
    }
    mote_status status = mo_system_transfer(c->a, gone, c->b, "released beads", error);
    mo_release(c->host->memory, gone);
    return status;
}

const mo_coupling_type mo_coupling_bead_release = {
    .base = {.name = "bead_release", .summary = "Beads that leave their wires."},
    .section = &SECTION,
    .applies = bead_release_applies,
    .create = bead_release_create,
    .destroy = bead_release_destroy,
    .refresh = bead_release_refresh,
    .project = bead_release_project,
};
