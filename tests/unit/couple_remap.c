/*
 * Couplings that store row indices are notified of every permutation and removal of rows, of any
 * system: sorting, outflow, edits.
 */
#include "worlds.h"

#include "host/coupling.h"
#include "world/world.h"

/* An example coupling: stores the row of each particle of its system by id. */
typedef struct keeper {
    int64_t ids, *row; /* -1: removed */
    int64_t moved, gone;
} keeper;

static void keeper_remap(mo_coupling *coupling, const mo_system *system, const int64_t *map)
{
    keeper *k = coupling->state;
    assert_ptr_equal(system, coupling->a);
    for (int64_t id = 0; id < k->ids; ++id) {
        if (k->row[id] >= 0) {
            int64_t row = map[k->row[id]];
            k->moved += row >= 0 && row != k->row[id];
            k->gone += row < 0;
            k->row[id] = row;
        }
    }
}

static const mo_coupling_type KEEPER = {.base = {.name = "keeper", .summary = "Keeps rows."},
                                        .remap = keeper_remap};

static keeper attach_keeper(mote_world *world)
{
    mo_system *s = &world->systems[0];
    int64_t rows = mo_store_rows(s->store);
    keeper k = {.ids = rows, .row = malloc((size_t)rows * sizeof(int64_t))};
    for (int64_t row = 0; row < rows; ++row) {
        assert_true(mo_i64(s->columns.id)[row] < rows);
        k.row[mo_i64(s->columns.id)[row]] = row;
    }
    return k;
}

static void add_coupling(mote_world *world, keeper *k)
{
    world->couplings[world->coupling_count++] = (mo_coupling){.type = &KEEPER,
                                                              .name = "keeper",
                                                              .host = &world->host,
                                                              .a = &world->systems[0],
                                                              .state = k};
}

/* Every stored row has its particle, and particles without a row do not exist. */
static void check_rows(const mote_world *world, const keeper *k)
{
    const mo_system *s = &world->systems[0];
    int64_t left = 0;
    for (int64_t id = 0; id < k->ids; ++id) {
        if (k->row[id] >= 0) {
            assert_true(k->row[id] < mo_store_rows(s->store));
            assert_int_equal(mo_i64(s->columns.id)[k->row[id]], id);
            left++;
        }
    }
    assert_int_equal(left, mo_store_rows(s->store));
    assert_int_equal(left, k->ids - k->gone);
}

/* A block of more than 4,096 particles, sorted in the first step, leaves the domain of the
 * fluid. */
static void a_fluid_sorts_and_removes(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 1e-3},"
        " \"fluid\": {\"spacing\": 0.02, \"pressure\": \"wcsph\","
        "  \"remove\": [{\"shape\": {\"type\": \"box\", \"min\": [-1, -1, -1],"
        "   \"max\": [1, 1, 0.0199]}}],"
        "  \"phases\": [{\"name\": \"water\", \"density\": 1000, \"velocity\": [0, 0, -3],"
        "   \"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0.02], \"max\": [0.4, 0.4, 0.42]}]}]}}",
        2);
    keeper k = attach_keeper(world);
    assert_true(k.ids > 4096);
    add_coupling(world, &k);
    for (int step = 0; step < 20; ++step) {
        step_by(world, 1);
        check_rows(world, &k);
    }
    assert_true(k.moved > 1000);
    assert_true(k.gone > 100 && k.gone < k.ids);
    mote_world_destroy(world);
    free(k.row);
}

/* Free particles of the forces system are sorted every 512 steps. */
static void particles_are_sorted_and_edited(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"gravity\": [0, 0, 0],"
        " \"integrator\": \"symplectic_euler\","
        " \"bodies\": [{\"mass\": 9261, \"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\","
        "   \"nx\": 21, \"ny\": 21, \"nz\": 21, \"spacing\": 1}}],"
        " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1e-9, \"sigma\": 0.5}]}",
        2);
    keeper k = attach_keeper(world);
    add_coupling(world, &k);
    step_by(world, 514);
    check_rows(world, &k);
    assert_true(k.moved > 1000 && k.gone == 0);
    uint8_t *gone = calloc((size_t)k.ids, 1);
    gone[0] = gone[17] = gone[k.ids - 1] = 1;
    assert_int_equal(mote_world_remove(world, 0, gone, NULL), MOTE_OK);
    assert_int_equal(k.gone, 3);
    check_rows(world, &k);
    free(gone);
    mote_world_destroy(world);
    free(k.row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fluid_sorts_and_removes),
        cmocka_unit_test(particles_are_sorted_and_edited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
