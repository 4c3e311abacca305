/*
 * Caller-supplied allocators: worlds and runs allocate and release all memory through them, with
 * matching sizes, in steps, static solves, edits, snapshots, checkpoints, observables and output.
 */
#include "worlds.h"

static const char SCENE[] =
    "{\"time\": {\"end\": 0.004, \"step\": 0.001, \"fps\": 500}, \"integrator\": \"implicit_euler\","
    " \"bodies\": [{\"name\": \"block\", \"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0.1], \"max\": [1, "
    "1, 1],"
    "   \"nx\": 3, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, \"density\": 100, \"radius\": 0.05,"
    "   \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e4, \"poisson\": "
    "0.3}},"
    "   \"pins\": [{\"nodes\": [0, 1, 2, 3]}]},"
    "  {\"mesh\": {\"type\": \"cloth\", \"columns\": 4, \"rows\": 4, \"origin\": [0, 0, 3]}, \"density\": 1,"
    "   \"model\": {\"type\": \"spring\", \"k\": 5}, \"pins\": [{\"set\": \"u0v0\"}]}],"
    " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1e-8, \"r0\": 0.1}],"
    " \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"name\": \"water\", \"fill\": [{\"type\": \"box\","
    "   \"min\": [2, 0, 0], \"max\": [2.4, 0.4, 0.3]}]}]},"
    " \"colliders\": [{\"shape\": {\"type\": \"plane\"}}],"
    " \"observables\": [{\"type\": \"mean_square_displacement\", \"system\": \"forces\"}, \"collider_load\","
    "  {\"type\": \"radial_distribution\", \"system\": \"forces\", \"range\": 0.3}],"
    " \"output\": {\"formats\": [\"vtp\", \"vtu\", \"ply\", \"obj\"], \"checkpoint_every\": 0.002}}";

static void assert_balanced(const failing_allocator *a)
{
    assert_true(a->calls > 0);
    assert_int_equal(a->live, 0);
    assert_false(a->misused);
}

static void observe_all(mote_world *world)
{
    double values[128];
    for (int k = 0; k < mote_world_observable_count(world); ++k) {
        observe(world, k, values);
    }
}

static void a_world_gives_everything_back(void **state)
{
    (void)state;
    failing_allocator a;
    mote_config config = config_with(2, &a);
    mote_world *world = world_of_last(scene_of(SCENE), &config);
    uint8_t gone[200] = {0, 0, 0, 0, 0, 1, 1};
    double x[3] = {5, 5, 5};
    mote_particles one = {.count = 1, .x = x};
    step_by(world, 2);
    observe_all(world);
    mote_snapshot *snapshot = snapshot_of(world);
    assert_int_equal(mote_world_remove(world, mote_world_system_find(world, "forces"), gone, NULL),
                     MOTE_OK);
    assert_int_equal(mote_world_add(world, &one, NULL, NULL), MOTE_OK);
    step_by(world, 1);
    assert_int_equal(mote_world_restore(world, snapshot, NULL), MOTE_OK);
    step_by(world, 1);
    observe_all(world);
    measures_of(world);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
    assert_balanced(&a);
}

/* Empty: a fluid without particles, bodies without surfaces or neighbours. */
static const char EMPTY[] =
    "{\"time\": {\"end\": 0.004, \"step\": 0.001, \"fps\": 500}, \"body_contact\": {\"stiffness\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}],"
    " \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"name\": \"water\"}]},"
    " \"observables\": [{\"type\": \"mean_square_displacement\", \"system\": \"forces\"}, \"collider_load\"],"
    " \"output\": {\"formats\": [\"vtp\", \"vtu\", \"ply\", \"obj\"], \"checkpoint_every\": 0.002}}";

static char directory[64];

static void run_and_resume(const char *text)
{
    failing_allocator a;
    mote_run_options options = mote_run_options_default();
    mote_run_summary summary = {0};
    mote_snapshot *snapshot = NULL;
    mote_error error = {0};
    mote_scene *scene = scene_of(text);
    options.directory = directory;
    options.config = config_with(2, &a);
    need(mote_run(scene, &options, &summary, &error), &error, "run");
    assert_balanced(&a);
    assert_int_equal(
        mote_snapshot_read(summary.checkpoint_file, &options.config, &snapshot, &error), MOTE_OK);
    assert_true(a.live > 0);
    options.resume = snapshot;
    assert_int_equal(mote_run(scene, &options, &summary, &error), MOTE_OK);
    mote_snapshot_destroy(snapshot);
    mote_scene_destroy(scene);
    assert_balanced(&a);
}

static void a_run_gives_everything_back(void **state)
{
    (void)state;
    run_and_resume(SCENE);
}

/* For the sanitizers: no operation on NULL arrays. */
static void an_empty_run_gives_everything_back(void **state)
{
    (void)state;
    run_and_resume(EMPTY);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "%s/mote-allocator-%d", P_tmpdir, (int)getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return remove_folder(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_world_gives_everything_back),
                                       cmocka_unit_test(a_run_gives_everything_back),
                                       cmocka_unit_test(an_empty_run_gives_everything_back)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
