/*
 * Timed actions on particles: each tool at its time and in its region, the same bits on any number
 * of threads and after a restore, and what is refused.
 */
#include "worlds.h"

/* Three particles on a line without forces but heat; the actions follow. */
static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 2, \"step\": 0.1}, \"integrator\": \"symplectic_euler\","
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}}],"
    " \"forces\": [{\"type\": \"heat\", \"conductivity\": 0, \"range\": 0.5, \"specific_heat\": 1,"
    "   \"initial\": 300}], \"actions\": [%s]}";

static mote_world *act(const char *actions)
{
    return world_printf(1, SCENE, actions);
}

static void a_push_adds_its_velocity_once(void **state)
{
    (void)state;
    mote_world *world =
        act("{\"type\": \"push\", \"time\": 0.25, \"velocity\": [0, 2, 0], \"region\": "
            "{\"type\": \"sphere\", \"center\": [1, 0, 0], \"radius\": 0.5}}");
    step_by(world, 2);
    const double *v = numbers_of(world, "v");
    assert_near(v[4], 0, 0);
    step_by(world, 5);
    v = numbers_of(world, "v");
    assert_near(v[4], 2, 1e-15);
    assert_near(v[1], 0, 0);
    /* it moves from the end of the step that reached 0.25 s, the third */
    assert_near(numbers_of(world, "x")[4], 2 * 0.4, 1e-12);
    mote_world_destroy(world);
}

static void a_lasting_push_accelerates(void **state)
{
    (void)state;
    mote_world *world =
        act("{\"type\": \"push\", \"time\": 0.25, \"until\": 0.95, \"velocity\": [0, 0, 7]}");
    step_by(world, 5);
    assert_near(numbers_of(world, "v")[2], 2.5, 1e-12);
    step_by(world, 7);
    assert_near(numbers_of(world, "v")[2], 7, 1e-12);
    mote_world_destroy(world);
}

static void a_grab_moves_its_particles_and_leaves_the_others(void **state)
{
    (void)state;
    mote_world *world =
        act("{\"type\": \"grab\", \"time\": 0.1, \"until\": 1.5, \"velocity\": [0, 1, 0], "
            "\"region\": {\"type\": \"sphere\", \"center\": [2, 0, 0], \"radius\": 0.2}}");
    step_by(world, 11);
    const double *x = numbers_of(world, "x");
    assert_near(x[7], 1, 1e-12);
    assert_near(x[4], 0, 0);
    mote_world_destroy(world);
}

static void particles_are_added_and_deleted(void **state)
{
    (void)state;
    mote_world *world =
        act("{\"type\": \"delete\", \"time\": 0.3, \"region\": {\"type\": \"sphere\", "
            "\"center\": [0, 0, 0], \"radius\": 0.5}}, {\"type\": \"add\", \"time\": 0.5, "
            "\"positions\": [[5, 0, 0], [6, 0, 0]], \"velocity\": [0, 0, 1], \"mass\": 3}");
    step_by(world, 3);
    assert_int_equal(mote_world_rows(world, 0), 2);
    assert_near(numbers_of(world, "x")[0], 1, 0);
    step_by(world, 3);
    assert_int_equal(mote_world_rows(world, 0), 4);
    assert_near(numbers_of(world, "x")[8], 0.1, 1e-12);
    assert_near(numbers_of(world, "mass")[3], 3, 0);
    assert_near(numbers_of(world, "temperature")[3], 300, 0);
    mote_world_destroy(world);
}

static void heat_is_set_in_a_region(void **state)
{
    (void)state;
    mote_world *world = act("{\"type\": \"heat\", \"time\": 0.3, \"temperature\": 900, \"region\": "
                            "{\"type\": \"sphere\", \"center\": [0, 0, 0], \"radius\": 0.5}}");
    step_by(world, 4);
    assert_near(numbers_of(world, "temperature")[0], 900, 0);
    assert_near(numbers_of(world, "temperature")[1], 300, 0);
    mote_world_destroy(world);
}

/* All of them, in an interacting cloud. */
static mote_world *cloud(int threads)
{
    return world_printf(
        threads,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"integrator\": \"abm3\","
        " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": 4, \"ny\": 4, \"nz\": 4, \"spacing\": 1.5,"
        "   \"jitter\": 0.05}}],"
        " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1, \"r_a\": 2, \"r_b\": 2.5}],"
        " \"actions\": [{\"type\": \"push\", \"time\": 0.1, \"until\": 0.3, \"velocity\": [1, 0, 0]},"
        "  {\"type\": \"delete\", \"time\": 0.15, \"region\": {\"type\": \"sphere\", \"center\": [0, 0, 0], "
        "\"radius\": 1}},"
        "  {\"type\": \"add\", \"time\": 0.22, \"positions\": [[-2, 0, 0]], \"velocity\": [3, 0, 0]},"
        "  {\"type\": \"grab\", \"time\": 0.05, \"until\": 0.35, \"velocity\": [0, 0, 1], \"region\": "
        "{\"type\": \"sphere\", \"center\": [4, 4, 4], \"radius\": 1.5}}]}");
}

static void actions_do_not_depend_on_threads_and_resume(void **state)
{
    (void)state;
    mote_world *one = cloud(1), *three = cloud(3);
    mote_error error;
    step_by(one, 12);
    mote_snapshot *snapshot = snapshot_of(one);
    step_by(one, 28);
    step_by(three, 40);
    uint64_t hash = mote_world_state_hash(one);
    assert_true(hash == mote_world_state_hash(three));
    assert_int_equal(mote_world_restore(one, snapshot, &error), MOTE_OK);
    step_by(one, 28);
    assert_true(hash == mote_world_state_hash(one));
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(one);
    mote_world_destroy(three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push_adds_its_velocity_once),
        cmocka_unit_test(a_lasting_push_accelerates),
        cmocka_unit_test(a_grab_moves_its_particles_and_leaves_the_others),
        cmocka_unit_test(particles_are_added_and_deleted),
        cmocka_unit_test(heat_is_set_in_a_region),
        cmocka_unit_test(actions_do_not_depend_on_threads_and_resume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
