/*
 * Checkpoint files: parts without a shipped scene, and keys missing in older files.
 */
#include "worlds.h"

#include "io/checkpoint/checkpoint.h"
#include "io/checkpoint/run_state.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const char SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\":"
    " [[0, 0, 0], [1, 0, 0]]}}]}";

static mote_snapshot *read_back(const mote_snapshot *snapshot)
{
    char path[64];
    mote_snapshot *read = NULL;
    mote_error error = {0};
    snprintf(path, sizeof path, "io-checkpoint-%d.npz", (int)getpid());
    assert_int_equal(mote_snapshot_write(snapshot, path, &error), MOTE_OK);
    mote_status status = mote_snapshot_read(path, NULL, &read, &error);
    unlink(path);
    if (status != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    return read;
}

/* ---- the state of a run ---- */

static mo_run_state attach_run(mote_snapshot *snapshot)
{
    mo_run_state run = {.frame = 4,
                        .written = 3,
                        .steps_at_frame = 70,
                        .wall = 1.5,
                        .until = NAN,
                        .frames = -1,
                        .every = 0.25,
                        .keep = 2,
                        .first = {.kinetic = 8}};
    double *table = NULL;
    assert_int_equal(mo_run_state_attach(snapshot, &run, &table, NULL), MOTE_OK);
    for (int k = 0; k < (run.written + 1) * MO_RUN_ROW_NUMBERS; ++k) {
        table[k] = 0.3 * k;
    }
    return run;
}

static void state_of_a_run_survives_a_file(void **state)
{
    (void)state;
    mote_world *world = world_of(SCENE, 1);
    mote_snapshot *snapshot = snapshot_of(world);
    assert_null(mo_run_state_of(snapshot));
    mo_run_state run = attach_run(snapshot);
    mote_snapshot *read = read_back(snapshot);
    const mo_run_state *found = mo_run_state_of(read);
    assert_non_null(found);
    assert_int_equal(found->frame, run.frame);
    assert_int_equal(found->written, run.written);
    assert_int_equal(found->steps_at_frame, run.steps_at_frame);
    assert_true(found->wall == run.wall && isnan(found->until) && found->every == run.every);
    assert_int_equal(found->frames, run.frames);
    assert_int_equal(found->keep, run.keep);
    assert_true(found->first.kinetic == 8);
    for (int k = 0; k < (run.written + 1) * MO_RUN_ROW_NUMBERS; ++k) {
        assert_true(found->table[k] == 0.3 * k);
    }
    mote_snapshot_destroy(read);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

/* Saving another state into the same snapshot discards the state of the run. */
static void saving_drops_the_state_of_a_run(void **state)
{
    (void)state;
    mote_world *world = world_of(SCENE, 1);
    mote_snapshot *snapshot = snapshot_of(world);
    attach_run(snapshot);
    assert_int_equal(mote_world_save(world, &snapshot, NULL), MOTE_OK);
    assert_null(mo_run_state_of(snapshot));
    mote_snapshot *read = read_back(snapshot);
    assert_null(mo_run_state_of(read));
    mote_snapshot_destroy(read);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

/* ---- couplings ---- */

static void fill(mo_store *store, int64_t rows)
{
    mo_column *feature, *impulse;
    int64_t first;
    const mo_column_spec specs[] = {{"feature", MOTE_I64, 2, MO_STATE, NULL, NULL},
                                    {"impulse", MOTE_F64, 3, MO_STATE, "N s", NULL}};
    assert_int_equal(mo_store_declare(store, &specs[0], &feature, NULL), MOTE_OK);
    assert_int_equal(mo_store_declare(store, &specs[1], &impulse, NULL), MOTE_OK);
    assert_int_equal(mo_store_add(store, rows, &first, NULL), MOTE_OK);
    for (int64_t k = 0; k < rows; ++k) {
        mo_i64(feature)[2 * k] = 7 * k;
        mo_i64(feature)[2 * k + 1] = -k;
        for (int c = 0; c < 3; ++c) {
            mo_f64(impulse)[3 * k + c] = 0.1 * (double)(3 * k + c);
        }
    }
}

static void add_coupling(mote_snapshot *snapshot, const char *name, int64_t rows)
{
    mo_memory memory;
    mo_store *store;
    mo_saved_coupling *saved = NULL;
    mo_memory_init(&memory, NULL);
    assert_int_equal(mo_store_create(&memory, &store, NULL), MOTE_OK);
    fill(store, rows);
    assert_int_equal(mo_world_snapshot_add_coupling(snapshot, name, &saved, NULL), MOTE_OK);
    assert_int_equal(mo_snapshot_copy(store, NULL, saved->rows, NULL), MOTE_OK);
    mo_store_destroy(store);
}

/* A world without couplings, and a snapshot of it with two. */
static mote_snapshot *with_couplings(mote_world **world)
{
    *world = world_of(SCENE, 1);
    mote_snapshot *snapshot = snapshot_of(*world);
    add_coupling(snapshot, "contact", 5);
    add_coupling(snapshot, "friction", 0);
    return snapshot;
}

static void assert_same_rows(const mo_snapshot *a, const mo_snapshot *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->next_id, b->next_id);
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; ++k) {
        const mo_saved_column *p = &a->columns[k], *q = mo_snapshot_find(b, p->name);
        assert_non_null(q);
        assert_int_equal(p->type, q->type);
        assert_int_equal(p->components, q->components);
        assert_memory_equal(p->data, q->data, (size_t)a->rows * p->row_bytes);
    }
}

static void couplings_survive_a_file(void **state)
{
    (void)state;
    mote_world *world;
    mote_snapshot *snapshot = with_couplings(&world), *read = read_back(snapshot);
    assert_int_equal(read->coupling_count, 2);
    for (int k = 0; k < 2; ++k) {
        const mo_saved_coupling *found =
            mo_world_snapshot_coupling(read, snapshot->couplings[k].name);
        assert_non_null(found);
        assert_int_equal(found->rows->count, 3); /* and the ids */
        assert_same_rows(snapshot->couplings[k].rows, found->rows);
    }
    assert_null(mo_world_snapshot_coupling(read, "other"));
    assert_true(mote_snapshot_hash(read) == mote_world_state_hash(world));
    mote_snapshot_destroy(read);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

/* The state of a coupling missing in the world, as after --set, is discarded. */
static void unknown_couplings_are_dropped(void **state)
{
    (void)state;
    mote_world *world;
    mote_error error = {0};
    mote_snapshot *snapshot = with_couplings(&world);
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_OK);
    assert_int_equal(mote_world_save(world, &snapshot, &error), MOTE_OK);
    assert_int_equal(snapshot->coupling_count, 0);
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_OK);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

static mote_status read_header(json_t *header, mote_snapshot **read, mote_error *error)
{
    assert_int_equal(mo_world_snapshot_new(NULL, read, NULL), MOTE_OK);
    return mo_checkpoint_read_header(header, *read, error);
}

static void headers_may_lack_couplings(void **state)
{
    (void)state;
    mote_world *world;
    mote_error error = {0};
    mote_snapshot *snapshot = with_couplings(&world), *read = NULL;
    json_t *header = mo_checkpoint_header(snapshot, NULL);
    assert_int_equal(json_object_del(header, "couplings"), 0);
    assert_int_equal(read_header(header, &read, &error), MOTE_OK);
    assert_int_equal(read->coupling_count, 0);
    assert_int_equal(read->system_count, 1);
    mote_snapshot_destroy(read);
    json_decref(header);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

static void bad_couplings_are_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "7",
        "{}",
        "[1]",
        "[{\"name\": \"a\"}]",
        "[{\"name\": \"a\", \"rows\": -1, \"next_id\": 0, \"columns\": []}]",
        "[{\"name\": \"a\", \"rows\": 1, \"next_id\": 0, \"columns\": 1}]",
        "[{\"name\": \"a\", \"rows\": 0, \"next_id\": 0, \"columns\": []},"
        " {\"name\": \"a\", \"rows\": 0, \"next_id\": 0, \"columns\": []}]"};
    mote_world *world;
    mote_snapshot *snapshot = with_couplings(&world), *read = NULL;
    for (size_t k = 0; k < sizeof BAD / sizeof *BAD; ++k) {
        mote_error error = {0};
        json_t *header = mo_checkpoint_header(snapshot, NULL);
        json_object_set_new(header, "couplings", json_loads(BAD[k], JSON_DECODE_ANY, NULL));
        if (read_header(header, &read, &error) != MOTE_ERROR_INPUT || !error.text[0]) {
            fail_msg("%s was taken: '%s'", BAD[k], error.text);
        }
        mote_snapshot_destroy(read);
        json_decref(header);
    }
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_of_a_run_survives_a_file),
        cmocka_unit_test(saving_drops_the_state_of_a_run),
        cmocka_unit_test(couplings_survive_a_file),
        cmocka_unit_test(unknown_couplings_are_dropped),
        cmocka_unit_test(headers_may_lack_couplings),
        cmocka_unit_test(bad_couplings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
