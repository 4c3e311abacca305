/* Rigid bodies smaller than the spacing of the nodes meet the triangles between them: they do not
 * pass, and the momenta are conserved. */
#include "worlds.h"

#include <math.h>

/* A free square of 2 x 2 m with nodes 0.25 m apart, in the plane z = 0, and a body that falls on
 * it. */
static mote_world *cloth_and(const char *shape, int threads)
{
    return world_printf(
        threads,
        "{\"time\": {\"end\": 1, \"step\": 0.0005}, \"gravity\": [0, 0, 0], \"bodies\": [{\"mesh\": "
        "{\"type\": \"cloth\", \"origin\": [-1, -1, 0], \"u\": [2, 0, 0], \"v\": [0, 2, 0], "
        "\"columns\": 9, \"rows\": 9}, \"mass\": 1, \"radius\": 0.01, \"model\": {\"type\": "
        "\"spring\", \"k\": 400, \"damping_spring\": 1}}, {\"model\": \"rigid\", \"mass\": 0.5, \"friction\": 0, "
        "\"velocity\": [0.2, 0, -3], \"angular_velocity\": [3, 2, 1], \"shape\": %s}]}",
        shape);
}

/* A cube of 10 cm above the middle of a triangle, a ball, and a rod across an edge. */
static const char *const SHAPES[] = {
    "{\"type\": \"box\", \"min\": [0.05, 0.02, 0.1], \"max\": [0.15, 0.12, 0.2]}",
    "{\"type\": \"sphere\", \"center\": [0.09, 0.04, 0.15], \"radius\": 0.05}",
    "{\"type\": \"capsule\", \"start\": [0.03, 0.13, 0.15], \"end\": [0.2, 0.11, 0.15], "
    "\"radius\": 0.02}"};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

static int rigid_system(const mote_world *world)
{
    return mote_world_rows(world, 0) == 1 ? 0 : 1;
}

/* Height of the body above the mean of the cloth. */
static double height_of(const mote_world *world)
{
    int rigid = rigid_system(world);
    const double *x = numbers_in(world, 1 - rigid, "x");
    int64_t rows = mote_world_rows(world, 1 - rigid);
    double mean = 0;
    for (int64_t k = 0; k < rows; ++k) {
        mean += x[3 * k + 2] / (double)rows;
    }
    return numbers_in(world, rigid, "x")[2] - mean;
}

static void a_body_does_not_pass_between_nodes(void **state)
{
    (void)state;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        mote_world *world = cloth_and(SHAPES[k], 1);
        mote_measures before = measures_of(world), after;
        take_steps(world, 600, SHAPES[k]);
        after = measures_of(world);
        if (height_of(world) < 0.01) { /* it bounces: the centre of the cloth is below the mean */
            fail_msg("%s: at %g m", SHAPES[k], height_of(world));
        }
        assert_true(after.kinetic + after.elastic < before.kinetic * (1 + 1e-6));
        for (int i = 0; i < 3; ++i) {
            assert_near(after.momentum[i], before.momentum[i], 1e-12);
            assert_near(after.angular_momentum[i], before.angular_momentum[i], 1e-4);
        }
        mote_world_destroy(world);
    }
}

/* The cloth of other solvers, at longer steps. */
static void no_solver_lets_it_pass(void **state)
{
    static const char *const MODELS[] = {
        "\"model\": {\"type\": \"xpbd\"}", "\"model\": {\"type\": \"pbd\"}",
        "\"model\": {\"type\": \"spring\", \"k\": 400, \"damping_spring\": 1}"};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"time\": {\"end\": 1, \"step\": 0.004}, \"gravity\": [0, 0, 0], %s\"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"origin\": "
            "[-1, -1, 0], \"u\": [2, 0, 0], \"v\": [0, 2, 0], \"columns\": 9, \"rows\": 9}, "
            "\"mass\": 1, %s}, {\"model\": \"rigid\", \"mass\": 0.5, \"friction\": 0, "
            "\"velocity\": [0.2, 0, -3], \"angular_velocity\": [3, 2, 1], \"shape\": %s}]}",
            k == 2 ? "\"integrator\": \"implicit_euler\", " : "", MODELS[k], SHAPES[0]);
        mote_measures before = measures_of(world), after;
        take_steps(world, 75, MODELS[k]);
        after = measures_of(world);
        assert_true(height_of(world) > 0.01);
        assert_true(after.kinetic + after.elastic < before.kinetic * (1 + 1e-6));
        for (int i = 0; i < 3; ++i) {
            assert_near(after.momentum[i], before.momentum[i], 1e-5);
        }
        mote_world_destroy(world);
    }
}

/* Without a time step the scene chooses one that springs and damping allow; 1 ms is too long for
 * them, with or without a body, and the world says so. */
static void the_default_step_is_stable(void **state)
{
    static const char SCENE[] =
        "{\"time\": {\"end\": 1}, \"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"origin\": "
        "[-1, -1, 0], \"u\": [2, 0, 0], \"v\": [0, 2, 0], \"columns\": 9, \"rows\": 9}, \"mass\": "
        "1, \"model\": {\"type\": \"spring\", \"k\": 400, \"damping_spring\": 1}, \"pins\": "
        "[{\"nodes\": [0, 8, 72, 80]}]}, {\"model\": \"rigid\", \"mass\": 0.5, \"shape\": %s}]}";
    mote_world *world = world_printf(1, SCENE, SHAPES[0]);
    (void)state;
    assert_int_equal(mote_world_advance(world, 0.5, NULL, NULL), MOTE_OK);
    assert_true(height_of(world) > -0.5); /* it lies in the sagging cloth */
    assert_true(measures_of(world).kinetic < 5);
    mote_world_destroy(world);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    mote_world *one = cloth_and(SHAPES[0], 1), *three = cloth_and(SHAPES[0], 3);
    take_steps(one, 300, "one thread");
    take_steps(three, 300, "three threads");
    assert_memory_equal(numbers_in(one, rigid_system(one), "x"),
                        numbers_in(three, rigid_system(three), "x"), 3 * sizeof(double));
    mote_world_destroy(one);
    mote_world_destroy(three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_body_does_not_pass_between_nodes),
                                       cmocka_unit_test(no_solver_lets_it_pass),
                                       cmocka_unit_test(the_default_step_is_stable),
                                       cmocka_unit_test(threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
