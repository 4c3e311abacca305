/*
 * Reused neighbour lists are part of the state of a run: measurements between steps change nothing,
 * a snapshot continues bitwise, rows are resorted at the same steps, and particles may be added and
 * removed.
 */
#include "worlds.h"

#include "store/snapshot.h"
#include "system/forces/resort.h"
#include "world/world.h"

/* A melt of 4 cells^3 particles with heat; `neighbors` is a search method. */
static mote_world *melt_of(int cells, double spacing, const char *neighbors, bool periodic,
                           int threads)
{
    char domain[200] = "";
    double edge = cells * spacing;
    if (periodic) {
        snprintf(domain, sizeof domain,
                 " \"domain\": {\"min\": [0, 0, 0], \"max\": [%.17g, %.17g, %.17g]},", edge, edge,
                 edge);
    }
    return world_printf(
        threads,
        "{\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"time\": {\"end\": 9, \"step\": 0.005},"
        " \"integrator\": \"velocity_verlet\", \"neighbors\": %s,%s"
        " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": %d, \"ny\": %d, \"nz\": %d, \"spacing\": "
        "%.17g},"
        "   \"temperature\": 3, \"radius\": 0.5}],"
        " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1, \"shift\": true},"
        "   {\"type\": \"heat\", \"conductivity\": 0.1, \"range\": 1.5, \"specific_heat\": 1, \"initial\": "
        "50,"
        "     \"strength\": [[0, 1], [100, 0.5]], \"sources\": [{\"type\": \"start\", \"temperature\": 90,"
        "       \"region\": {\"type\": \"sphere\", \"radius\": 3}}]}],"
        " \"observables\": [{\"type\": \"radial_distribution\", \"range\": 3}, "
        "\"mean_square_displacement\"]}",
        neighbors, domain, cells, cells, cells, spacing);
}

static mote_world *melt(int cells, const char *neighbors, bool periodic, int threads)
{
    return melt_of(cells, 1.68, neighbors, periodic, threads);
}

static const char *const METHODS[] = {"\"verlet_list\"",
                                      "{\"type\": \"verlet_list\", \"skin\": 0.05}",
                                      "{\"type\": \"cached\", \"skin\": 0.6}", "\"grid\""};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* All read operations. */
static void query(mote_world *world)
{
    double g[200], d[4], omega;
    mote_error error = {0};
    measures_of(world);
    observe(world, 0, g);
    observe(world, 1, d);
    assert_int_equal(mote_world_frequency(world, &omega, &error), MOTE_OK);
}

static void looking_changes_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * METHOD_COUNT; ++k) {
        mote_world *queried = melt(5, METHODS[k / 2], k % 2, 1),
                   *alone = melt(5, METHODS[k / 2], k % 2, 1);
        for (int step = 0; step < 60; ++step) {
            query(queried);
            step_by(queried, 1);
            step_by(alone, 1);
            assert_same_state(queried, alone);
        }
        mote_world_destroy(queried);
        mote_world_destroy(alone);
    }
}

/* From step `before` on, twice. */
static void check_snapshot(mote_world *world, int before, int after)
{
    mote_error error = {0};
    mo_snapshot *snapshot;
    step_by(world, before);
    mo_clock_state clock = world->clock;
    mo_step_state rates = world->rates;
    assert_int_equal(mo_snapshot_take(world->systems[0].store, &snapshot, &error), MOTE_OK);
    step_by(world, after);
    uint64_t expected = mote_world_state_hash(world);
    assert_int_equal(mo_snapshot_restore(snapshot, world->systems[0].store, &error), MOTE_OK);
    world->clock = clock;
    world->rates = rates;
    step_by(world, after);
    assert_true(mote_world_state_hash(world) == expected);
    mo_snapshot_destroy(snapshot);
}

static void snapshots_go_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * METHOD_COUNT; ++k) {
        for (int before = 0; before < 40; before += 7) { /* lists of all ages */
            mote_world *world = melt(5, METHODS[k / 2], k % 2, 1);
            check_snapshot(world, before, 30);
            mote_world_destroy(world);
        }
    }
}

/* Runs over a step that resorts rows, and compares runs and snapshots. */
static void resorting_is_repeatable(void **state)
{
    (void)state;
    mote_world *one = melt(13, METHODS[0], true, 1), *three = melt(13, METHODS[0], true, 3);
    int64_t rows = mote_world_rows(one, 0), moved = 0;
    assert_true(rows >= MO_RESORT_ROWS);
    /* only the step count matters */
    one->clock.steps = three->clock.steps = MO_RESORT_EVERY - 6;
    step_by(three, 14);
    check_snapshot(one, 3, 11);
    assert_same_state(one, three);
    const int64_t *id = ids_of(one, 0);
    for (int64_t k = 0; k < rows; ++k) {
        moved += id[k] != k;
    }
    assert_true(moved > rows / 2);
    measures_of(one);
    mote_world_destroy(one);
    mote_world_destroy(three);
}

/* Bodies remain ranges of rows, and rows with stored indices are not moved. */
static void bodies_stay_ranges(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.001}, \"bodies\": ["
        "  {\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 40, \"ny\": 15, \"nz\": 10, "
        "\"spacing\": 1}},"
        "  {\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 40, \"ny\": 15, \"nz\": 10, "
        "\"spacing\": 1,"
        "    \"origin\": [0.5, 0.5, 0.5]}}],"
        " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 0.8}]}",
        1);
    world->clock.steps = MO_RESORT_EVERY;
    step_by(world, 1);
    const int64_t *id = ids_of(world, 0);
    const int32_t *body = integers_of(world, "body");
    int64_t moved = 0;
    for (int64_t row = 0; row < 12000; ++row) {
        int64_t was = id[row];
        assert_int_equal(body[row], row / 6000);
        assert_int_equal(was / 6000, row / 6000);
        moved += was != row;
    }
    assert_true(moved > 6000);
    mote_world_destroy(world);
}

/* Equal to brute force when particles are added and removed. */
static void particles_are_added_and_removed(void **state)
{
    (void)state;
    mote_world *worlds[2] = {melt_of(4, 3, METHODS[0], true, 1),
                             melt_of(4, 3, "\"brute_force\"", true, 1)};
    static const double POSITIONS[] = {1.5, 3,   30, -7.5, 0,
                                       3,   1.5, 6,  6}; /* gaps of the gas, some periods away */
    mote_particles more = {.count = 3, .x = POSITIONS};
    uint8_t gone[259] = {0};
    double *x[2];
    for (int k = 0; k < 259; k += 3) {
        gone[k] = 1;
    }
    for (int w = 0; w < 2; ++w) {
        mote_error error = {0};
        step_by(worlds[w], 20);
        assert_int_equal(mote_world_add(worlds[w], &more, NULL, &error), MOTE_OK);
        assert_near(numbers_of(worlds[w], "temperature")[258], 50, 0);
        assert_near(numbers_of(worlds[w], "start_x")[3 * 258], 1.5, 0);
        step_by(worlds[w], 5);
        assert_int_equal(mote_world_remove(worlds[w], 0, gone, &error), MOTE_OK);
        step_by(worlds[w], 20);
        assert_int_equal(mote_world_rows(worlds[w], 0), 172);
        x[w] = numbers_of(worlds[w], "x");
    }
    for (int k = 0; k < 3 * 172; ++k) {
        assert_near(x[0][k], x[1][k], 1e-9); /* sums in another order, over 45 steps */
    }
    mote_world_destroy(worlds[0]);
    mote_world_destroy(worlds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(snapshots_go_on_with_the_same_bits),
        cmocka_unit_test(resorting_is_repeatable),
        cmocka_unit_test(bodies_stay_ranges),
        cmocka_unit_test(particles_are_added_and_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
