/* Rigid bodies and deformable ones under implicit integrators: they rest on each other at long
 * steps, impulses are equal and opposite, and results do not depend on threads. */
#include "worlds.h"

#include <math.h>

#define JELLY(z0, z1) \
    "{\"name\": \"jelly\", \"mesh\": {\"type\": \"block\", \"min\": [-0.3, -0.3, " z0 \
    "], \"max\": [0.3, 0.3, " z1 \
    "], \"nx\": 5, \"ny\": 5, \"nz\": 4, \"tetrahedra\": 5}, \"density\": 1000, \"model\": {\"type\": \"fem\", " \
    "\"material\": {\"type\": \"stable_neo_hookean\", \"young\": 3e4, \"poisson\": 0.4}}}"
#define BOX(side, z0, z1, more) \
    "{\"name\": \"box\", \"model\": \"rigid\", \"density\": 400, " more \
    "\"shape\": {\"type\": \"box\", \"min\": [-" side ", -" side ", " z0 "], \"max\": [" side \
    ", " side ", " z1 "]}}"
#define WORLD(integrator, more, bodies) \
    "{\"time\": {\"end\": 10, \"step\": 0.016666666666666666}, \"integrator\": \"" integrator \
    "\", " more "\"bodies\": [" bodies "]}"
#define GROUND "\"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.6}], "

static const double *column(const mote_world *world, const char *system, const char *name)
{
    return numbers_in(world, mote_world_system_find(world, system), name);
}

static double kinetic(mote_world *world)
{
    mote_measures m;
    assert_int_equal(mote_world_measure(world, &m, NULL), MOTE_OK);
    return m.kinetic;
}

/* The lowest (-1) or highest (1) node above the inner part of the jelly. */
static double extreme(const mote_world *world, double sign)
{
    const double *x = column(world, "forces", "x");
    int64_t rows = mote_world_rows(world, mote_world_system_find(world, "forces"));
    double most = -INFINITY;
    for (int64_t k = 0; k < rows; ++k) {
        most = fabs(x[3 * k]) < 0.1 && fabs(x[3 * k + 1]) < 0.1 ? fmax(most, sign * x[3 * k + 2])
                                                                : most;
    }
    return sign * most;
}

/* At rest from `steps` to 10 s: position of the box, and of the jelly's surface below or above it. */
static void check_rest(const char *scene, int steps, double sign, double half)
{
    mote_world *world = world_of(scene, 1);
    take_steps(world, steps, scene);
    double z = column(world, "rigid", "x")[2], start = kinetic(world);
    take_steps(world, 600 - steps, scene);
    double after = column(world, "rigid", "x")[2];
    assert_true(start < 1e-2 && kinetic(world) < 1e-3 && kinetic(world) <= start + 1e-9);
    assert_true(fabs(after - z) < 2e-3);
    /* neither sunk in nor held above: the node of zero radius is at the surface */
    assert_true(fabs(extreme(world, sign) - (after - sign * half)) < 1e-3);
    mote_world_destroy(world);
}

static void bodies_rest(void **state)
{
    (void)state;
    check_rest(
        WORLD("implicit_euler", GROUND, JELLY("0", "0.3") ", " BOX("0.22", "0.301", "0.501", "")),
        150, 1, 0.1);
    check_rest(
        WORLD("implicit_euler", GROUND, JELLY("0.201", "0.501") ", " BOX("0.5", "0", "0.2", "")),
        150, -1, 0.1);
    check_rest(WORLD("bdf2", GROUND, JELLY("0", "0.3") ", " BOX("0.22", "0.301", "0.501", "")), 400,
               1, 0.1);
}

/* A heavy jelly on a light plate that lies on the ground: the support is part of the solve. */
static void supports_act(void **state)
{
    (void)state;
    check_rest(
        WORLD("linear_implicit", GROUND, JELLY("0.021", "0.321") ", " BOX("0.5", "0", "0.02", "")),
        150, -1, 0.01);
}

/* A small box on a jelly of large triangles, between the nodes; the ground carries both. */
static void a_box_stands_on_a_triangle(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 10, \"step\": 0.016666666666666666}, \"integrator\": "
        "\"implicit_euler\", \"colliders\": [{\"name\": \"ground\", \"shape\": {\"type\": "
        "\"plane\"}, \"friction\": 0.6}], \"observables\": [{\"type\": \"collider_load\", "
        "\"collider\": \"ground\"}], \"bodies\": [{\"mesh\": {\"type\": \"block\", \"min\": [-0.3, "
        "-0.3, 0], \"max\": [0.3, 0.3, 0.3], \"nx\": 2, \"ny\": 2, \"nz\": 2, \"tetrahedra\": 5}, "
        "\"density\": 1000, \"model\": {\"type\": \"fem\", \"material\": {\"type\": "
        "\"stable_neo_hookean\", \"young\": 3e4, \"poisson\": 0.4}}}, {\"model\": \"rigid\", "
        "\"density\": 400, \"shape\": {\"type\": \"box\", \"min\": [0.1, 0.08, 0.33], \"max\": "
        "[0.2, 0.18, 0.43]}}]}",
        1);
    double load[6], z;
    (void)state;
    take_steps(world, 240, "triangle");
    z = column(world, "rigid", "x")[2];
    observe(world, 0, load);
    assert_true(z > 0.33 && z < 0.35 && kinetic(world) < 1e-5);
    assert_true(fabs(load[2] / (-9.81 * (108 + 0.4)) - 1) < 1e-4);
    mote_world_destroy(world);
}

/* Two nodes rebound from a plate with half of their speed. */
static void restitution_acts(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.005}, \"integrator\": \"implicit_euler\", \"gravity\": "
        "[0, 0, 0], \"bodies\": [{\"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0.2], \"end\": "
        "[0.01, 0, 0.2], \"segments\": 1}, \"mass\": 1, \"radius\": 0.02, \"velocity\": [0, 0, -2], "
        "\"model\": {\"type\": \"spring\", \"k\": 10}}, {\"model\": \"rigid\", \"fixed\": true, "
        "\"restitution\": 0.5, \"shape\": {\"type\": \"box\", \"min\": [-1, -1, -0.1], \"max\": [1, "
        "1, 0]}}]}",
        1);
    (void)state;
    take_steps(world, 40, "rebound");
    assert_true(fabs(column(world, "forces", "v")[2] - 1) < 0.01);
    mote_world_destroy(world);
}

/* A jelly of 108 kg that is solved by constraints comes to rest on a box. */
static void constraints_rest(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 10, \"step\": 0.016666666666666666}, " GROUND
        "\"bodies\": [{\"mesh\": {\"type\": \"block\", \"min\": [-0.3, -0.3, 0.201], \"max\": "
        "[0.3, 0.3, 0.501], \"nx\": 5, \"ny\": 5, \"nz\": 4, \"tetrahedra\": 5}, \"density\": 1000, "
        "\"model\": {\"type\": \"xpbd\"}}, " BOX("0.5", "0", "0.2", "") "]}",
        1);
    (void)state;
    take_steps(world, 240, "constraints");
    assert_true(kinetic(world) < 1e-2);
    mote_world_destroy(world);
}

#define MEETING(integrator) \
    WORLD(integrator, "\"gravity\": [0, 0, 0], ", \
          JELLY("0", \
                "0.3") ", " BOX("0.15", "0.32", "0.52", \
                                "\"velocity\": [0.3, 0, -3], \"angular_velocity\": [0, 2, 1], "))

/* Linear momentum to the tolerance of the linear solver; angular momentum to second order. */
static void momentum_is_conserved(void **state)
{
    const char *scenes[] = {MEETING("implicit_euler"), MEETING("bdf2"), MEETING("linear_implicit")};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_of(scenes[k], 1);
        mote_measures before, after;
        assert_int_equal(mote_world_measure(world, &before, NULL), MOTE_OK);
        take_steps(world, 40, scenes[k]);
        assert_int_equal(mote_world_measure(world, &after, NULL), MOTE_OK);
        assert_true(fabs(column(world, "rigid", "v")[2] + 3) > 1); /* they have met */
        for (int i = 0; i < 3; ++i) {
            assert_true(fabs(after.momentum[i] - before.momentum[i]) < 2e-4);
            assert_true(fabs(after.angular_momentum[i] - before.angular_momentum[i]) < 0.1);
        }
        assert_true(after.kinetic + after.elastic < before.kinetic);
        mote_world_destroy(world);
    }
}

static void threads_agree(void **state)
{
    const char *scene =
        WORLD("implicit_euler", GROUND, JELLY("0", "0.3") ", " BOX("0.22", "0.301", "0.501", ""));
    const int threads[] = {1, 2, 3, 8};
    uint64_t hash = 0;
    (void)state;
    for (int k = 0; k < 4; ++k) {
        mote_world *world = world_of(scene, threads[k]);
        take_steps(world, 40, scene);
        uint64_t now = mote_world_state_hash(world);
        assert_true(k == 0 || now == hash);
        hash = now;
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_rest),
        cmocka_unit_test(supports_act),
        cmocka_unit_test(a_box_stands_on_a_triangle),
        cmocka_unit_test(restitution_acts),
        cmocka_unit_test(constraints_rest),
        cmocka_unit_test(momentum_is_conserved),
        cmocka_unit_test(threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
