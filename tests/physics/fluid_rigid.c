/*
 * Fluids with rigid bodies: the same bits on any number of threads, exact resume, no allocation,
 * joints and contacts in the pressure solve, refused combinations.
 */
#include "worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two boxes, one of them on a hinge at its centre, and a ball close to both. */
static mote_world *pool_world(const char *boundary, const char *pressure, int threads)
{
    char text[2200];
    snprintf(
        text, sizeof text,
        "{\"time\": {\"end\": 9, \"step\": 0.004}, \"fluid\": {\"spacing\": 0.05, \"boundary\":"
        " \"%s\", \"pressure\": \"%s\", \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\":"
        " [0, 0, 0], \"max\": [0.6, 0.4, 0.3]}]}]},"
        " \"colliders\": [{\"name\": \"tank\", \"inside\": true, \"shape\": {\"type\": \"box\","
        " \"min\": [0, 0, 0], \"max\": [0.6, 0.4, 1]}}],"
        " \"bodies\": ["
        " {\"name\": \"wheel\", \"model\": \"rigid\", \"density\": 300, \"shape\": {\"type\":"
        " \"box\", \"min\": [0.1, 0.1, 0.1], \"max\": [0.3, 0.3, 0.25]}},"
        " {\"name\": \"stone\", \"model\": \"rigid\", \"density\": 3000, \"shape\": {\"type\":"
        " \"box\", \"min\": [0.35, 0.1, 0.01], \"max\": [0.5, 0.25, 0.15]}},"
        " {\"name\": \"ball\", \"model\": \"rigid\", \"density\": 5, \"shape\": {\"type\":"
        " \"sphere\", \"center\": [0.43, 0.2, 0.25], \"radius\": 0.08}}],"
        " \"joints\": [{\"type\": \"hinge\", \"bodies\": [\"wheel\"], \"point\": [0.2, 0.2, 0.17],"
        " \"axis\": [0, 1, 0]}]}",
        boundary, pressure);
    return world_of(text, threads);
}

static const char *const KINDS[][2] = {
    {"continuum", "dfsph"}, {"akinci2012", "dfsph"}, {"continuum", "iisph"}};
enum { KIND_COUNT = 3 };

static void bits_do_not_depend_on_threads(void **state)
{
    static const int THREADS[] = {1, 2, 3, 8};
    (void)state;
    for (int k = 0; k < KIND_COUNT; ++k) {
        uint64_t hash = 0;
        for (int t = 0; t < 4; ++t) {
            mote_world *world = pool_world(KINDS[k][0], KINDS[k][1], THREADS[t]);
            step_by(world, 20);
            hash = t == 0 ? mote_world_state_hash(world) : hash;
            assert_true(hash == mote_world_state_hash(world));
            mote_world_destroy(world);
        }
    }
}

static void restored_states_continue_exactly(void **state)
{
    (void)state;
    mote_error error = {0};
    for (int k = 0; k < KIND_COUNT; ++k) {
        mote_world *whole = pool_world(KINDS[k][0], KINDS[k][1], 2),
                   *other = pool_world(KINDS[k][0], KINDS[k][1], 2);
        mote_snapshot *snapshot;
        step_by(whole, 15);
        assert_int_equal(mote_world_save(whole, &snapshot, &error), MOTE_OK);
        step_by(whole, 10);
        assert_int_equal(mote_world_restore(other, snapshot, &error), MOTE_OK);
        step_by(other, 10);
        assert_true(mote_world_state_hash(whole) == mote_world_state_hash(other));
        mote_snapshot_destroy(snapshot);
        mote_world_destroy(whole);
        mote_world_destroy(other);
    }
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    mote_world *world = pool_world("continuum", "dfsph", 1);
    step_by(world, 150);
    int64_t before = mote_world_allocations(world);
    step_by(world, 50);
    assert_int_equal(mote_world_allocations(world), before);
    mote_world_destroy(world);
}

static const double *rigid_column(const mote_world *world, const char *name)
{
    mote_column column;
    int rigid = mote_world_system_find(world, "rigid");
    assert_true(mote_world_column_find(world, rigid, name, &column));
    return column.data;
}

/* A hinged body stays at its hinge, a stone on the floor, a light ball at the surface. */
static void joints_and_contacts_hold_in_water(void **state)
{
    (void)state;
    mote_world *world = pool_world("continuum", "dfsph", 2);
    step_by(world, 250);
    const double *x = rigid_column(world, "x");
    assert_near(x[0], 0.2, 1e-3);
    assert_near(x[3 + 2], 0.07, 2e-3);
    assert_true(x[6 + 2] > 0.25 && x[6 + 2] < 0.5);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(restored_states_continue_exactly),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(joints_and_contacts_hold_in_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
