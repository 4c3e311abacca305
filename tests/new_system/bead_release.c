/*
 * A coupling that uses every hook, including those unused by the library: a bead that has been
 * faster than `release_speed` in `release_count` substeps leaves its wire and becomes a particle of
 * the system that accepts particles.
 *     refresh   counts, in every substep of the beads; the counts are its state, keyed by id
 *     scatter   selects the beads to release, after they are solved
 *     project   transfers the rows, after all solves
 *     remap     updates its row indices of the beads
 *     measure   the energy of the latches
 */
#include "host/coupling.h"

#include <math.h>
#include <string.h>

extern const mo_coupling_type mo_coupling_bead_release;

typedef struct keys {
    double release_speed, latch_energy;
    int64_t release_count;
} keys;

static const mo_param KEYS[] = {
    {"release_speed", MO_REAL, MO_FIELD(keys, release_speed), .unit = "m/s", .range = "(0, inf)",
     .doc = "Beads faster than this leave their wire; none does if left out."},
    {"release_count", MO_INT, MO_FIELD(keys, release_count), .initial = "3", .range = "[1, inf)",
     .doc = "After so many substeps."},
    {"latch_energy", MO_REAL, MO_FIELD(keys, latch_energy), .unit = "J", .initial = "0",
     .range = "[0, inf)", .doc = "Energy of a bead on its wire, lost when it leaves."},
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
    int64_t *row;    /* of each bead of the store; -1: released */
    uint8_t *leaves; /* per row */
    bool any;        /* some are released */
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
    int64_t rows = mo_store_rows(beads);
    void *row, *leaves;
    memcpy(r->bead->data, mo_store_find(beads, "id")->data, (size_t)rows * sizeof(int64_t));
    MO_TRY(mo_allocate_array(c->host->memory, rows, sizeof(int64_t), &row, error));
    r->row = row;
    MO_TRY(mo_allocate_array(c->host->memory, rows, 1, &leaves, error));
    r->leaves = leaves;
    for (int64_t k = 0; k < rows; ++k) {
        r->row[k] = k;
    }
    return MOTE_OK;
}

static void bead_release_destroy(mo_coupling *c)
{
    release *r = c->state;
    if (r) {
        mo_release(c->host->memory, r->row);
        mo_release(c->host->memory, r->leaves);
    }
    mo_release(c->host->memory, r);
}

static mote_status bead_release_refresh(mo_coupling *c, const mo_step_time *substep,
                                        mote_error *error)
{
    const release *r = c->state;
    const mo_particle_columns *p = &c->a->columns;
    (void)substep;
    for (int64_t k = 0; k < mo_store_rows(c->store); ++k) {
        int64_t row = r->row[k];
        if (row >= 0 && mo_i64(p->id)[row] != mo_i64(r->bead)[k]) {
            return mo_fail(error, MOTE_ERROR_NUMERIC, "bead_release has lost track of its beads");
        }
        double speed = row >= 0 ? mo_length(mo_vec3_load(mo_f64(p->v) + 3 * row)) : 0;
        ((int32_t *)r->count->data)[k] += speed > r->keys->release_speed;
    }
    return MOTE_OK;
}

static mote_status bead_release_scatter(mo_coupling *c, const mo_system *solved,
                                        const mo_step_time *now, mote_error *error)
{
    release *r = c->state;
    (void)now, (void)error;
    for (int64_t k = 0; solved == c->a && k < mo_store_rows(c->store); ++k) {
        if (r->row[k] >= 0) {
            bool leaves = ((const int32_t *)r->count->data)[k] >= r->keys->release_count;
            r->leaves[r->row[k]] = leaves;
            r->any = r->any || leaves;
        }
    }
    return MOTE_OK;
}

/* After the solves: transfers rows. */
static mote_status bead_release_project(mo_coupling *c, const mo_step_time *now, mote_error *error)
{
    release *r = c->state;
    bool any = r->any;
    (void)now;
    r->any = false;
    return any ? mo_system_transfer(c->a, r->leaves, c->b, "released beads", error) : MOTE_OK;
}

static void bead_release_remap(mo_coupling *c, const mo_system *system, const int64_t *map)
{
    const release *r = c->state;
    const int64_t *id = mo_i64(c->a->columns.id);
    int64_t rows = mo_store_rows(c->a->store), next = 0; /* ids of beads ascend */
    for (int64_t k = 0; system == c->a && k < mo_store_rows(c->store); ++k) {
        bool there = next < rows && id[next] == mo_i64(r->bead)[k];
        int64_t restored = there ? next++ : -1;
        r->row[k] = !map ? restored : r->row[k] >= 0 ? map[r->row[k]] : -1;
    }
}

static mote_status bead_release_measure(mo_coupling *c, double time, mote_measures *measures,
                                        mote_error *error)
{
    const release *r = c->state;
    (void)time, (void)error;
    measures->potential += r->keys->latch_energy * (double)mo_store_rows(c->a->store);
    return MOTE_OK;
}

const mo_coupling_type mo_coupling_bead_release = {
    .base = {.name = "bead_release", .summary = "Beads that leave their wires."},
    .section = &SECTION,
    .applies = bead_release_applies,
    .create = bead_release_create,
    .destroy = bead_release_destroy,
    .refresh = bead_release_refresh,
    .scatter = bead_release_scatter,
    .project = bead_release_project,
    .remap = bead_release_remap,
    .measure = bead_release_measure,
};
