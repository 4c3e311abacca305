/*
 * Checks of a snapshot before it is restored: indices into lists of the scene.
 */
#include "worlds.h"

#include "world/snapshot.h"

#include <stdio.h>
#include <unistd.h>

#define KINDS(list) \
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"species\": " list "," \
    " \"bodies\": [{\"species\": \"a\", \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, " \
    "0]]}}]," \
    " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1e-9, \"r0\": 0.1}]}"

static const char FLUID[] =
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"name\": "
    "\"water\","
    "  \"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.2, 0.2, 0.2]}]}, {\"name\": \"oil\"}],"
    " \"emitters\": [{\"center\": [0, 0, 2], \"direction\": [0, 0, 1], \"shape\": \"disc\", \"radius\": 0.1,"
    "   \"speed\": 1, \"start\": 0.5}]}}";

static const char BOTH[] =
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"species\": [{\"name\": \"a\"}, {\"name\": \"b\"}],"
    " \"bodies\": [{\"species\": \"a\", \"mesh\": {\"type\": \"points\", \"positions\": [[9, 9, 9]]}}],"
    " \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"name\": \"water\", \"fill\": [{\"type\": \"box\","
    "   \"min\": [0, 0, 0], \"max\": [0.2, 0.2, 0.2]}]}]}}";

/* Writes values into a column of a file with valid CRCs: the value itself must be rejected. */
static void check_column(const char *scene, const char *column, const char *list, int32_t least,
                         int32_t most)
{
    mote_world *world = world_of(scene, 1);
    const int32_t bad[] = {least - 1, most + 1, INT32_MIN, INT32_MAX}, good[] = {least, most};
    for (size_t k = 0; k < 4; ++k) {
        mote_snapshot *snapshot = snapshot_of(world);
        mote_error error = {0};
        ((int32_t *)mo_snapshot_find(snapshot->systems[0].rows, column)->data)[1] = bad[k];
        snapshot = through_a_file(snapshot);
        assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_ERROR_INPUT);
        if (!strstr(error.text, column) || !strstr(error.text, list) ||
            !strstr(error.text, "particle 1")) {
            fail_msg("'%s' does not name the column '%s'", error.text, column);
        }
        mote_snapshot_destroy(snapshot);
    }
    for (size_t k = 0; k < 2; ++k) {
        mote_snapshot *snapshot = snapshot_of(world);
        mote_error error = {0};
        ((int32_t *)mo_snapshot_find(snapshot->systems[0].rows, column)->data)[1] = good[k];
        snapshot = through_a_file(snapshot);
        assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_OK);
        mote_snapshot_destroy(snapshot);
    }
    mote_world_destroy(world);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    check_column(KINDS("[{\"name\": \"a\"}, {\"name\": \"b\"}]"), "species", "'species'", 0, 1);
    check_column(FLUID, "phase", "'fluid.phases'", 0, 1);
    check_column(FLUID, "nozzle", "'fluid.emitters'", 0, 1);
}

static void need_refused(const char *from, const char *to, const char *part)
{
    mote_world *old = world_of(from, 1), *changed = world_of(to, 1);
    mote_snapshot *snapshot = through_a_file(snapshot_of(old));
    mote_error error = {0};
    mote_status status = mote_world_adopt(changed, snapshot, &error);
    if (status != (part ? MOTE_ERROR_INPUT : MOTE_OK) || (part && !strstr(error.text, part))) {
        fail_msg("status %d, '%s' without '%s'", status, error.text, part ? part : "");
    }
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(old);
    mote_world_destroy(changed);
}

/* Parameters of species may change, not their order. */
static void lists_that_particles_refer_to_stay(void **state)
{
    static const char TWO[] = KINDS("[{\"name\": \"a\"}, {\"name\": \"b\"}]");
    (void)state;
    need_refused(TWO, KINDS("[{\"name\": \"a\", \"e\": 2e-9}, {\"name\": \"b\"}]"), NULL);
    need_refused(TWO, KINDS("[{\"name\": \"a\"}]"),
                 "its scene has 2 entries in 'species', this scene has 1");
    need_refused(TWO, KINDS("[{\"name\": \"a\"}, {\"name\": \"c\"}]"),
                 "its species[1] is 'b', that of this scene is 'c'");
}

/* Older files without names are accepted. */
static void names_may_be_missing(void **state)
{
    (void)state;
    mote_world *world = world_of(BOTH, 1);
    mote_snapshot *snapshot = snapshot_of(world);
    mote_error error = {0};
    int species = 0;
    assert_non_null(mo_world_snapshot_names(snapshot, "species"));
    while (strcmp(snapshot->names[species].path, "species") != 0) {
        ++species;
    }
    snapshot->names[species] = snapshot->names[--snapshot->names_count];
    snapshot = through_a_file(snapshot);
    assert_null(mo_world_snapshot_names(snapshot, "species"));
    assert_non_null(mo_world_snapshot_names(snapshot, "fluid.phases"));
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_OK);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

/* Names of a list missing in this world are rejected, since particles refer to them. */
static void unknown_lists_must_be_empty(void **state)
{
    (void)state;
    mote_world *world = world_of(FLUID, 1);
    mote_snapshot *snapshot = snapshot_of(world);
    mo_saved_names *names = NULL;
    mote_error error = {0};
    assert_int_equal(mo_world_snapshot_add_names(snapshot, "empty.list", 0, &names, &error),
                     MOTE_OK);
    assert_int_equal(mo_world_snapshot_add_names(snapshot, "grains", 1, &names, &error), MOTE_OK);
    names->list[0] = "sand";
    snapshot = through_a_file(snapshot);
    assert_string_equal(mo_world_snapshot_names(snapshot, "grains")->list[0], "sand");
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "1 entries in 'grains', this scene has 0"));
    snapshot->names_count--;
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_OK);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

/* Ids are unique in the world: a file with an id in two systems, or with different next ids, is
 * rejected. */
static void systems_share_their_ids(void **state)
{
    (void)state;
    mote_world *world = world_of(BOTH, 1);
    mote_snapshot *snapshot = snapshot_of(world);
    mote_error error = {0};
    mo_snapshot *fluid = snapshot->systems[0].rows, *forces = snapshot->systems[1].rows;
    int64_t *id = mo_snapshot_find(forces, "id")->data, own = *id;
    assert_int_equal(fluid->next_id, forces->next_id);
    *id = ((const int64_t *)mo_snapshot_find(fluid, "id")->data)[3];
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "its id 3 is that of particles in two systems");
    *id = own;
    fluid->next_id += 1;
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "its systems 'fluid' and 'forces' differ in the next id");
    forces->next_id += 1; /* one was added and removed again */
    assert_int_equal(mote_world_restore(world, snapshot, &error), MOTE_OK);
    const double x[3] = {9, 9, 8};
    mote_particles one = {.count = 1, .x = x};
    assert_int_equal(mote_world_add(world, &one, NULL, &error), MOTE_OK);
    assert_int_equal(ids_of(world, 1)[1], own + 2);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_out_of_range_are_refused),
                                       cmocka_unit_test(lists_that_particles_refer_to_stay),
                                       cmocka_unit_test(names_may_be_missing),
                                       cmocka_unit_test(unknown_lists_must_be_empty),
                                       cmocka_unit_test(systems_share_their_ids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
