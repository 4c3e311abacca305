/* Rigid bodies in a world: stacks stand, impulses between systems are equal and opposite, planes
 * stay planes, and a run that is resumed in the middle of a collapse continues exactly. */
#include "worlds.h"

#include <math.h>

static double *rigid_numbers(const mote_world *world, const char *name)
{
    return numbers_in(world, mote_world_system_find(world, "rigid"), name);
}

static void ten_boxes_stand(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 2, \"step\": 0.005}, \"bodies\": [{\"model\": \"rigid\", "
        "\"shape\": {\"type\": \"box\", \"min\": [-0.5, -0.5, 0], \"max\": [0.5, 0.5, 1]}, "
        "\"copies\": [{\"count\": 10, \"step\": [0, 0, 1]}]}], \"colliders\": [{\"shape\": "
        "{\"type\": \"plane\"}}]}",
        1);
    const double *x = rigid_numbers(world, "x");
    (void)state;
    take_steps(world, 200, "stack");
    for (int k = 0; k < 10; ++k) { /* sideways a tenth of a millimetre, down two */
        assert_true(fabs(x[3 * k]) < 1e-4 && fabs(x[3 * k + 1]) < 1e-4);
        assert_true(fabs(x[3 * k + 2] - (k + 0.5)) < 2e-3);
    }
    mote_world_destroy(world);
}

/* A rigid ball flies into a particle at rest, both ways of integration. */
static void check_exchange(const char *integrator)
{
    char text[700];
    mote_measures before, after;
    snprintf(
        text, sizeof text,
        "{\"gravity\": [0, 0, 0], \"integrator\": \"%s\", \"time\": {\"end\": 1, \"step\": "
        "0.005}, \"bodies\": [{\"name\": \"ball\", \"model\": \"rigid\", \"mass\": 2, "
        "\"velocity\": [1, 0, 0], \"friction\": 0, \"shape\": {\"type\": \"sphere\", \"radius\": "
        "0.2}}, {\"name\": \"grain\", \"mass\": 1, \"radius\": 0.1, \"mesh\": {\"type\": "
        "\"points\", \"positions\": [[0.5, 0.05, 0]]}}]}",
        integrator);
    mote_world *world = world_of(text, 1);
    assert_int_equal(mote_world_measure(world, &before, NULL), MOTE_OK);
    take_steps(world, 150, integrator);
    assert_int_equal(mote_world_measure(world, &after, NULL), MOTE_OK);
    const double *v = numbers_in(world, mote_world_system_find(world, "forces"), "v"),
                 *u = rigid_numbers(world, "v");
    assert_true(v[0] > 0.3 && u[0] < 0.8);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(after.momentum[k] - before.momentum[k]) < 1e-12);
        assert_true(fabs(after.angular_momentum[k] - before.angular_momentum[k]) < 1e-3);
    }
    assert_true(after.kinetic <= before.kinetic * (1 + 1e-9));
    mote_world_destroy(world);
}

static void impulses_are_equal_and_opposite(void **state)
{
    (void)state;
    check_exchange("symplectic_euler");
    check_exchange("implicit_euler");
}

static void a_plane_world_stays_plane(void **state)
{
    mote_world *world = world_of(
        "{\"up\": \"y\", \"rigid\": {\"dimension\": 2}, \"time\": {\"end\": 2, \"step\": 0.005}, "
        "\"bodies\": [{\"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": [0, 1, -0.5], "
        "\"max\": [0.5, 1.3, 0.5]}, \"angular_velocity\": [1, 2, 3], \"velocity\": [0.5, 0, 4], "
        "\"copies\": [{\"count\": 3, \"step\": [0.2, 0.6, 0]}]}], \"colliders\": [{\"shape\": "
        "{\"type\": \"plane\", \"normal\": [0, 1, 0]}}]}",
        1);
    const double *x = rigid_numbers(world, "x"), *w = rigid_numbers(world, "w");
    (void)state;
    take_steps(world, 300, "plane");
    for (int k = 0; k < 3; ++k) {
        assert_true(x[3 * k + 2] == 0 && w[3 * k] == 0 && w[3 * k + 1] == 0);
        assert_true(x[3 * k + 1] > 0.14 && x[3 * k + 1] < 2);
    }
    mote_world_destroy(world);
}

/* A kinematic paddle pushes a ball along. */
static void kinematic_bodies_push(void **state)
{
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 2, \"step\": 0.005}, \"bodies\": [{\"name\": "
        "\"paddle\", \"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": [-0.1, -1, -1], "
        "\"max\": [0, 1, 1]}, \"motion\": {\"type\": \"translate\", \"velocity\": [1, 0, 0]}}, "
        "{\"name\": \"ball\", \"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": "
        "[0.5, 0, 0], \"radius\": 0.2}}]}",
        1);
    const double *x = rigid_numbers(world, "x"), *v = rigid_numbers(world, "v");
    (void)state;
    take_steps(world, 200, "paddle");
    assert_true(fabs(x[0] - 0.95) < 1e-9);
    assert_true(fabs(v[3] - 1) < 1e-3 && fabs(x[3] - 1.2) < 2e-3);
    mote_world_destroy(world);
}

/* The velocity of a box after it has slid for 0.2 s on a collider. */
static double slide(const char *friction)
{
    mote_world *world = world_printf(
        1,
        "{\"time\": {\"end\": 1, \"step\": 0.005}, \"bodies\": [{\"model\": \"rigid\", "
        "\"velocity\": [2, 0, 0], \"friction\": 0.4, \"shape\": {\"type\": \"box\", \"min\": "
        "[0, 0, 0], \"max\": [0.4, 0.4, 0.2]}}], \"colliders\": [{%s\"shape\": {\"type\": "
        "\"plane\"}}]}",
        friction);
    take_steps(world, 40, friction);
    double v = rigid_numbers(world, "v")[0];
    mote_world_destroy(world);
    return v;
}

/* A collider whose friction is not given takes the body's; 0 is frictionless. */
static void friction_of_a_pair_is_the_geometric_mean(void **state)
{
    (void)state;
    assert_true(fabs(slide("") - (2 - 0.4 * 9.81 * 0.2)) < 1e-3);
    assert_true(fabs(slide("\"friction\": 0.1, ") - (2 - 0.2 * 9.81 * 0.2)) < 1e-3);
    assert_true(fabs(slide("\"friction\": 0, ") - 2) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_boxes_stand),
        cmocka_unit_test(impulses_are_equal_and_opposite),
        cmocka_unit_test(a_plane_world_stays_plane),
        cmocka_unit_test(kinematic_bodies_push),
        cmocka_unit_test(friction_of_a_pair_is_the_geometric_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
