/*
 * Contacts compared with closed forms: bounces, friction on slopes, turntables, corners,
 * containers, moving walls.
 */
#include "worlds.h"

#include "integrate/integrator.h"

#include <math.h>

#define POINT "\"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1]]}}]"

/* About 60 lossless bounces: schemes of second order and higher conserve energy; first-order
 * ones lose some. */
static void perfect_bounces_keep_energy(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[k];
        mote_world *world = world_with_integrator("{\"time\": {\"end\": 60, \"step\": 1}, " POINT
                                                  ", \"colliders\": [{\"shape\":"
                                                  " {\"type\": \"plane\"}, \"restitution\": 1}]}",
                                                  type->base.name, 0.004);
        mote_measures first, last;
        mote_world_measure(world, &first, NULL);
        advance_to(world, 60);
        mote_world_measure(world, &last, NULL);
        double change = (last.kinetic + last.potential) / (first.kinetic + first.potential) - 1;
        if (type->order >= 2 && !(fabs(change) < 1e-9)) {
            fail_msg("%s: energy changed by %g", type->base.name, change);
        }
        assert_true(numbers_of(world, "x")[2] > -1e-9);
        mote_world_destroy(world);
    }
}

/* A bounce with restitution e reaches e^2 of the height. */
static void restitution_is_the_ratio_of_speeds(void **state)
{
    (void)state;
    double e = 0.6, highest = 0, t0 = sqrt(2 / 9.81);
    mote_world *world = world_with_integrator("{\"time\": {\"end\": 60, \"step\": 1}, " POINT
                                              ", \"colliders\": [{\"shape\":"
                                              " {\"type\": \"plane\"}, \"restitution\": 0.6}]}",
                                              "velocity_verlet", 0.0005);
    advance_to(world, t0 + 0.01);
    for (int k = 0; k < 1000; ++k) {
        mote_world_step(world, NULL, NULL);
        highest = fmax(highest, numbers_of(world, "x")[2]);
    }
    assert_true(fabs(highest - e * e) < 1e-6); /* the top is sampled within h/2: g h^2/8 */
    mote_world_destroy(world);
}

/* tan(20 deg) = 0.364: mu = 0.5 sticks, mu = 0.2 slides with g (sin - mu cos). */
static void bodies_stick_or_slide_on_an_incline(void **state)
{
    (void)state;
    double s = sin(M_PI / 9), c = cos(M_PI / 9);
    for (int k = 0; k < mo_integrators.count; ++k) {
        const char *name = mo_integrators.methods[k]->name;
        for (int slides = 0; slides < 2; ++slides) {
            char text[400];
            snprintf(
                text, sizeof text,
                "{\"time\": {\"end\": 1, \"step\": 1}, \"bodies\": [{\"mesh\": {\"type\": \"points\","
                " \"positions\": [[0, 0, 0]]}}], \"colliders\": [{\"shape\": {\"type\": \"plane\", "
                "\"normal\":"
                " [%.17g, 0, %.17g]}, \"friction\": %g}]}",
                s, c, slides ? 0.2 : 0.5);
            mote_world *world = world_with_integrator(text, name, 0.001);
            advance_to(world, 1);
            double way = numbers_of(world, "x")[0] * c - numbers_of(world, "x")[2] * s;
            double expected = slides ? 0.5 * 9.81 * (s - 0.2 * c) : 0;
            if (!(fabs(way - expected) < (slides ? 0.005 * expected : 1e-12))) {
                fail_msg("%s, mu = %s: went %g, expected %g", name, slides ? "0.2" : "0.5", way,
                         expected);
            }
            mote_world_destroy(world);
        }
    }
}

/* Sticking particles rotate with a turntable. */
static void turntables_rotate_particles(void **state)
{
    (void)state;
    mote_world *world = world_with_integrator(
        "{\"time\": {\"end\": 10, \"step\": 1}, \"bodies\": [{\"velocity\": [0, 5, 0], \"mesh\":"
        " {\"type\": \"points\", \"positions\": [[1, 0, 0]]}}], \"colliders\": [{\"shape\":"
        " {\"type\": \"plane\"}, \"friction\": 100, \"motion\": {\"type\": \"rotate\","
        " \"speed\": 5}}]}",
        "velocity_verlet", 0.01);
    advance_to(world, 10);
    const double *x = numbers_of(world, "x");
    assert_true(fabs(hypot(x[0], x[1]) - 1) < 1e-6);
    assert_true(hypot(x[0] - cos(50.0), x[1] - sin(50.0)) < 1e-5);
    mote_world_destroy(world);
}

/* No particle leaves a box or a sphere, at the distance of its radius. */
static void nothing_leaves_an_inside_out_shape(void **state)
{
    (void)state;
    static const char *const SHAPES[] = {
        "{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 1]}",
        "{\"type\": \"sphere\", \"radius\": 1}"};
    for (int shape = 0; shape < 2; ++shape) {
        char text[500];
        snprintf(
            text, sizeof text,
            "{\"time\": {\"end\": 5, \"step\": 1}, \"bodies\": [{\"radius\": 0.05, \"velocity\": [7, 5, "
            "3], \"mesh\":"
            " {\"type\": \"points\", \"positions\": [[0, 0, 0], [0.3, 0.1, 0.2]]}}], \"colliders\":"
            " [{\"inside\": true, \"restitution\": 0.9, \"friction\": 0.1, \"shape\": %s}]}",
            SHAPES[shape]);
        mote_world *world = world_with_integrator(text, "velocity_verlet", 0.002);
        for (int k = 0; k < 2500; ++k) {
            mote_world_step(world, NULL, NULL);
            for (int row = 0; row < 2; ++row) {
                const double *x = numbers_of(world, "x") + 3 * row;
                double far = shape ? sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
                                   : fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
                assert_true(far <= 0.95 + 1e-9);
            }
        }
        mote_world_destroy(world);
    }
}

/* A particle forced into the corner of three planes ends outside all of them, at zero velocity. */
static void corners_are_respected(void **state)
{
    (void)state;
    mote_world *world = world_with_integrator(
        "{\"gravity\": [-3, -4, -9], \"time\": {\"end\": 5, \"step\": 1}, \"bodies\": "
        "[{\"radius\": 0.05, \"mesh\":"
        " {\"type\": \"points\", \"positions\": [[0.3, 0.4, 0.5]]}}], \"colliders\": ["
        " {\"shape\": {\"type\": \"plane\", \"normal\": [1, 0, 0]}},"
        " {\"shape\": {\"type\": \"plane\", \"normal\": [0, 1, 0]}},"
        " {\"shape\": {\"type\": \"plane\", \"normal\": [0, 0, 1]}}]}",
        "symplectic_euler", 0.01);
    advance_to(world, 5);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(numbers_of(world, "x")[k] - 0.05) < 1e-12);
        assert_true(fabs(numbers_of(world, "v")[k]) < 1e-12);
    }
    mote_world_destroy(world);
}

/* A moving wall moves a resting particle along; an elastic one gives it twice its speed. */
static void walls_push(void **state)
{
    (void)state;
    for (int elastic = 0; elastic < 2; ++elastic) {
        char text[500];
        snprintf(
            text, sizeof text,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 2, \"step\": 1}, \"bodies\": [{\"mesh\": "
            "{\"type\": \"points\","
            " \"positions\": [[1, 0, 0]]}}], \"colliders\": [{\"restitution\": %d, \"shape\": "
            "{\"type\": \"plane\","
            " \"normal\": [1, 0, 0]}, \"motion\": {\"type\": \"translate\", \"velocity\": [2, 0, 0]}}]}",
            elastic);
        mote_world *world = world_with_integrator(text, "velocity_verlet", 0.001);
        advance_to(world, 1.5);
        assert_true(fabs(numbers_of(world, "v")[0] - (elastic ? 4 : 2)) < 1e-9);
        assert_true(fabs(numbers_of(world, "x")[0] - (elastic ? 5 : 3)) < 1e-2);
        mote_world_destroy(world);
    }
}

/* Without projection a particle keeps its position and loses its normal velocity into the solid. */
static void position_none_changes_velocities_only(void **state)
{
    (void)state;
    mote_world *world = world_with_integrator(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1}, \"bodies\": [{\"velocity\":"
        " [1, 0, -1], \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0.0105]]}}],"
        " \"colliders\": [{\"position\": \"none\", \"friction\": {\"type\": \"scale\","
        " \"factor\": 0.5}, \"shape\": {\"type\": \"plane\"}}]}",
        "velocity_verlet", 0.001);
    advance_to(world, 0.011);
    assert_true(fabs(numbers_of(world, "x")[2] + 0.0005) < 1e-12);
    assert_true(numbers_of(world, "v")[2] == 0);
    assert_true(fabs(numbers_of(world, "v")[0] - 0.5) < 1e-12);
    mote_world_destroy(world);
}

/* The first CFL step accounts for the acceleration, an edit is detected, and sizes are required. */
static void cfl_keeps_its_promise(void **state)
{
    (void)state;
    mote_error error = {0};
    mote_step_report report;
    mote_world *world = world_with_integrator(
        "{\"time\": {\"end\": 9, \"step\": 1}, \"bodies\": [{\"radius\": 0.01, \"mesh\": {\"type\":"
        " \"points\", \"positions\": [[0, 0, 100]]}}]}",
        "velocity_verlet", 1);
    mote_world_destroy(world);
    mote_scene *scene = scene_of(
        "{\"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"factor\": 0.4, \"max\": 0.5}},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 100]]}}]}");
    assert_int_equal(mote_world_create(scene, NULL, &world, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "radius");
    set_in_scene(scene, "bodies[0].radius", "0.01");
    world = world_of_scene(scene, NULL);
    for (int k = 0; k < 200; ++k) {
        assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
        assert_true(report.courant <= 0.4 + 1e-9);
    }
    numbers_of(world, "v")[0] = 1000;
    mote_world_invalidate(world, 0);
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    assert_true(report.courant <= 0.4 + 1e-9);
    numbers_of(world, "x")[0] = NAN;
    mote_world_invalidate(world, 0);
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_ERROR_NUMERIC);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

/* A heavy soft block falls on the ground with long implicit steps (0.02 s, schemes without
 * ringing): it is supported as in static equilibrium. The mean height of a column under its
 * weight decreases by rho g H^2/(3 E), here 3.3 mm, and somewhat more with bulging. */
static void implicit_steps_feel_the_ground(void **state)
{
    (void)state;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const char *name = mo_integrators.methods[k]->name;
        if (!(mo_integrators.methods[k]->capabilities & MO_IMPLICIT)) {
            continue;
        }
        mote_world *world = world_with_integrator(
            "{\"time\": {\"end\": 9, \"step\": 1}, \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": "
            "\"block\","
            " \"min\": [0, 0, 0.01], \"max\": [1, 1, 1.01], \"nx\": 6, \"ny\": 6, \"nz\": 6, \"tetrahedra\": "
            "5},"
            " \"model\": {\"type\": \"fem\", \"damping_stiffness\": 0.02, \"material\": {\"type\": "
            "\"corotated\","
            " \"young\": 1e6, \"poisson\": 0}}}], \"colliders\": [{\"shape\": {\"type\": \"plane\"}}]}",
            name,
            strcmp(name, "implicit_midpoint") == 0 || strcmp(name, "newmark") == 0 ? 0.005 : 0.02);
        advance_to(world, 2);
        const double *x = numbers_of(world, "x");
        int64_t rows = mote_world_rows(world, 0);
        double mean = 0, lowest = 1;
        for (int64_t row = 0; row < rows; ++row) {
            mean += x[3 * row + 2] / (double)rows;
            lowest = fmin(lowest, x[3 * row + 2]);
        }
        if (!(fabs(0.5 - mean - 0.0033) < 0.0007 && lowest > -1e-9)) {
            fail_msg("%s: the block's mean height is %g, 0.4967 was expected; its lowest point %g",
                     name, mean, lowest);
        }
        mote_world_destroy(world);
    }
}

/* One step of 2 m through solids of 1 mm: a fixed plate, an approaching one, a ball, a periodic
 * image. The particle is reflected at the face where its path enters. */
static void fast_particles_collide_with_thin_solids(void **state)
{
    static const struct {
        const char *collider, *domain;
        double face, speed; /* of the solid's face, which is at `face` at the time of impact */
    } SOLIDS[] = {
        {"\"shape\": {\"type\": \"box\", \"min\": [0, -1, -1], \"max\": [0.001, 1, 1]}", "", 0, 0},
        {"\"shape\": {\"type\": \"box\", \"min\": [0.5, -1, -1], \"max\": [0.501, 1, 1]},"
         " \"motion\": {\"type\": \"translate\", \"velocity\": [-50, 0, 0]}",
         "", 0, -50},
        {"\"shape\": {\"type\": \"sphere\", \"center\": [0.0005, 0, 0], \"radius\": 0.0005}", "", 0,
         0},
        {"\"shape\": {\"type\": \"box\", \"min\": [5, -1, -1], \"max\": [5.001, 1, 1]}",
         ", \"domain\": {\"min\": [-2.5, -2.5, -2.5], \"max\": [2.5, 2.5, 2.5],"
         " \"periodic\": \"x\"}",
         0, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof SOLIDS / sizeof *SOLIDS; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"time\": {\"end\": 1, \"step\": 0.02}, \"gravity\": [0, 0, 0]%s,"
            " \"integrator\": \"velocity_verlet\", \"bodies\": [{\"velocity\": [100, 0, 0],"
            "   \"mesh\": {\"type\": \"points\", \"positions\": [[-1, 0, 0]]}}],"
            " \"colliders\": [{\"restitution\": 1, %s}]}",
            SOLIDS[k].domain, SOLIDS[k].collider);
        step_by(world, 1);
        /* impact at 10 ms, then reversed relative velocity */
        double after = 2 * SOLIDS[k].speed - 100;
        assert_near(numbers_of(world, "v")[0], after, 1e-9);
        assert_near(numbers_of(world, "x")[0], SOLIDS[k].face + 0.01 * after, 1e-3);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(perfect_bounces_keep_energy),
                                       cmocka_unit_test(restitution_is_the_ratio_of_speeds),
                                       cmocka_unit_test(bodies_stick_or_slide_on_an_incline),
                                       cmocka_unit_test(turntables_rotate_particles),
                                       cmocka_unit_test(nothing_leaves_an_inside_out_shape),
                                       cmocka_unit_test(corners_are_respected),
                                       cmocka_unit_test(walls_push),
                                       cmocka_unit_test(implicit_steps_feel_the_ground),
                                       cmocka_unit_test(fast_particles_collide_with_thin_solids),
                                       cmocka_unit_test(position_none_changes_velocities_only),
                                       cmocka_unit_test(cfl_keeps_its_promise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
