/*
 * Every method: its state between two steps is in declared columns. A run continues for some steps,
 * is restored to a snapshot of the columns and the clock, and continues bitwise identically. The
 * same with a checkpoint file and a new world on another number of threads, and with particles
 * added and removed.
 */
#include "method/sample.h"

#include "base/hash.h"
#include "store/snapshot.h"
#include "world/world.h"

enum { BEFORE = 7, AFTER = 9 };

/* Over every state column, not only those of the motion. */
static uint64_t hash_of_columns(const mote_world *world)
{
    const mo_store *store = world->systems[0].store;
    uint64_t hash = 0;
    for (int k = 0; k < mo_store_columns(store); ++k) {
        const mo_column *column = mo_store_column(store, k);
        bool state = column->spec.role == MO_STATE;
        hash = state ? mo_hash_bytes(hash, column->data,
                                     (size_t)mo_store_rows(store) * column->row_bytes)
                     : hash;
    }
    return hash;
}

static void check_method(const mo_family *family, const mo_descriptor *method)
{
    mote_world *world = sample_world(family, method, 1);
    mote_error error = {0};
    mo_snapshot *snapshot, *couplings[MO_COUPLINGS_MAX] = {NULL};
    take_steps(world, BEFORE, method->name);
    mo_clock_state clock = world->clock;
    mo_step_state rates = world->rates;
    assert_int_equal(mo_snapshot_take(world->systems[0].store, &snapshot, &error), MOTE_OK);
    for (int k = 0; k < world->coupling_count; ++k) {
        mo_store *store = world->couplings[k].store;
        assert_true(!store || mo_snapshot_take(store, &couplings[k], &error) == MOTE_OK);
    }
    take_steps(world, AFTER, method->name);
    uint64_t expected = hash_of_columns(world);
    assert_int_equal(mo_snapshot_restore(snapshot, world->systems[0].store, &error), MOTE_OK);
    for (int k = 0; k < world->coupling_count; ++k) {
        if (couplings[k]) {
            mo_store *store = world->couplings[k].store;
            assert_int_equal(mo_snapshot_restore(couplings[k], store, &error), MOTE_OK);
            mo_snapshot_destroy(couplings[k]);
        }
    }
    world->clock = clock;
    world->rates = rates;
    take_steps(world, AFTER, method->name);
    if (hash_of_columns(world) != expected) {
        fail_msg("%s '%s' remembers something that is not in its columns", family->name,
                 method->name);
    }
    mo_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

static void all_memory_is_in_columns(void **state)
{
    (void)state;
    for_every_method(check_method);
}

/* Saves, writes, reads back. */
static mote_snapshot *file_of(const mote_world *world)
{
    mote_snapshot *saved = snapshot_of(world);
    uint64_t hash = mote_snapshot_hash(saved);
    mote_snapshot *read = through_a_file(saved);
    assert_true(mote_snapshot_hash(read) == hash);
    return read;
}

static mote_world *fresh_world(const mote_snapshot *snapshot, int threads, const mo_family *family,
                               const mo_descriptor *method)
{
    mote_scene *scene;
    mote_world *world;
    mote_error error = {0};
    mote_config config = config_with(threads, NULL);
    need(mote_snapshot_scene(snapshot, &scene, &error), &error, sample_name(family, method));
    need(mote_world_create(scene, &config, &world, &error), &error, sample_name(family, method));
    mote_scene_destroy(scene);
    need(mote_world_restore(world, snapshot, &error), &error, sample_name(family, method));
    return world;
}

/* Continues from the snapshot in a new world. */
static void check_fresh(const mote_snapshot *snapshot, uint64_t expected, const mo_family *family,
                        const mo_descriptor *method, const char *what)
{
    mote_world *world = fresh_world(snapshot, 2, family, method);
    assert_true(mote_world_state_hash(world) == mote_snapshot_hash(snapshot));
    take_steps(world, AFTER, method->name);
    if (mote_world_state_hash(world) != expected) {
        fail_msg("%s '%s': %s is not all there in a checkpoint", family->name, method->name, what);
    }
    mote_world_destroy(world);
}

static void check_disk(const mo_family *family, const mo_descriptor *method)
{
    mote_world *world = sample_world(family, method, 1);
    take_steps(world, BEFORE, method->name);
    mote_snapshot *snapshot = file_of(world);
    take_steps(world, AFTER, method->name);
    check_fresh(snapshot, mote_world_state_hash(world), family, method, "the state");
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

static void checkpoints_restore_every_method(void **state)
{
    (void)state;
    for_every_method(check_disk);
}

/* Removes rows a, a + every, ... */
static void make_holes(mote_world *world, int64_t a, int64_t every)
{
    mote_error error = {0};
    int64_t rows = mote_world_rows(world, 0);
    uint8_t *gone = calloc((size_t)rows + 1, 1);
    for (int64_t row = a; row < rows; row += every) {
        gone[row] = 1;
    }
    assert_int_equal(mote_world_remove(world, 0, gone, &error), MOTE_OK);
    free(gone);
}

static void add_some(mote_world *world, const char *name)
{
    double x[9] = {0.1, 0.2, 0.9, 0.3, 0.2, 0.9, 0.5, 0.2, 0.9};
    mote_particles particles = {.name = name, .count = 3, .x = x, .radius = 0.01};
    mote_error error = {0};
    if (mote_world_system_find(world, "forces") < 0) {
        return; /* fluid is added by emitters: tests/unit/system_fluid.c */
    }
    assert_int_equal(mote_world_add(world, &particles, NULL, &error), MOTE_OK);
}

/* Particles are removed in two parts, others are added and partly removed; then a checkpoint,
 * and a restore of the initial state. */
static void check_changed(const mo_family *family, const mo_descriptor *method)
{
    mote_world *world = sample_world(family, method, 1);
    mote_error error = {0};
    take_steps(world, BEFORE, method->name);
    mote_snapshot *early = snapshot_of(world);
    take_steps(world, AFTER, method->name);
    uint64_t untouched = mote_world_state_hash(world);
    make_holes(world, 5, 97);
    take_steps(world, 2, method->name);
    add_some(world, "late");
    add_some(world, NULL);
    make_holes(world, 3, 41);
    take_steps(world, 2, method->name);
    mote_snapshot *late = file_of(world);
    take_steps(world, AFTER, method->name);
    check_fresh(late, mote_world_state_hash(world), family, method, "what particles came and went");
    need(mote_world_restore(world, early, &error), &error, sample_name(family, method));
    take_steps(world, AFTER, method->name);
    if (mote_world_state_hash(world) != untouched) {
        fail_msg("%s '%s': particles that were removed do not come back as they were", family->name,
                 method->name);
    }
    check_fresh(early, untouched, family, method, "the state");
    mote_snapshot_destroy(early);
    mote_snapshot_destroy(late);
    mote_world_destroy(world);
}

/* For the families affected by added and removed particles. */
static void check_if_it_matters(const mo_family *family, const mo_descriptor *method)
{
    static const char *const INDIFFERENT[] = {"format", "mesh", "shape", "friction"};
    for (size_t k = 0; k < sizeof INDIFFERENT / sizeof *INDIFFERENT; ++k) {
        if (strcmp(family->name, INDIFFERENT[k]) == 0) {
            return;
        }
    }
    check_changed(family, method);
}

static void checkpoints_restore_added_and_removed_particles(void **state)
{
    (void)state;
    for_every_method(check_if_it_matters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_memory_is_in_columns),
        cmocka_unit_test(checkpoints_restore_every_method),
        cmocka_unit_test(checkpoints_restore_added_and_removed_particles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
