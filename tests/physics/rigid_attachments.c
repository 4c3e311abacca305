/* Joints of rigid bodies to moving colliders and to nodes of deformable bodies: prescribed motions
 * drive the bodies, forces are those of mechanics, impulses are equal and opposite. */
#include "worlds.h"

#include <math.h>

static mote_joint joint_of(const mote_world *world, const char *name)
{
    mote_joint joint = {0};
    assert_true(mote_world_joint_find(world, name, 0, &joint));
    return joint;
}

/* A ball fixed to an arm that turns once a second: centripetal force, weight, and the opposite load
 * on the arm. */
static void a_collider_drives_a_body(void **state)
{
    const double turn = 2 * 3.14159265358979323846, m = 2, r = 0.5;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.005}, \"bodies\": [{\"name\": \"ball\", \"model\": "
        "\"rigid\", \"mass\": 2, \"shape\": {\"type\": \"sphere\", \"center\": [0.5, 0, 0], "
        "\"radius\": 0.1}}], \"colliders\": [{\"name\": \"arm\", \"shape\": {\"type\": \"box\", "
        "\"min\": [-0.05, -0.05, -0.05], \"max\": [0.5, 0.05, 0.05]}, \"motion\": {\"type\": "
        "\"rotate\", \"speed\": 6.283185307179586}}], \"joints\": [{\"name\": \"bolt\", \"type\": "
        "\"fixed\", \"bodies\": [\"ball\"], \"collider\": \"arm\", \"point\": [0.5, 0, 0]}], "
        "\"observables\": [{\"type\": \"collider_load\", \"collider\": \"arm\"}]}",
        1);
    double load[6];
    (void)state;
    take_steps(world, 50, "arm");
    mote_joint bolt = joint_of(world, "bolt");
    const double *x = numbers_in(world, mote_world_system_find(world, "rigid"), "x");
    assert_true(fabs(x[0]) < 1e-6 && fabs(x[1] - r) < 1e-6); /* a quarter of a turn */
    double across = sqrt(bolt.force[0] * bolt.force[0] + bolt.force[1] * bolt.force[1]);
    assert_true(fabs(across / (m * turn * turn * r) - 1) < 1e-3);
    assert_true(fabs(bolt.force[2] - m * 9.81) < 1e-6);
    assert_true(bolt.error < 1e-9 && bolt.angle_error < 1e-6);
    observe(world, 0, load);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(load[k] + bolt.force[k]) < 1e-12);
    }
    mote_world_destroy(world);
}

#define ROPE \
    "{\"name\": \"rope\", \"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 2], \"end\": [0, 0, " \
    "1], \"segments\": 10}, \"mass\": 0.1, \"model\": {\"type\": \"spring\", \"k\": 5000, " \
    "\"damping_spring\": 1}"
#define WEIGHT \
    "{\"name\": \"weight\", \"model\": \"rigid\", \"mass\": 2, \"linear_damping\": 8, " \
    "\"shape\": {\"type\": \"sphere\", \"center\": [0, 0, 0.9], \"radius\": 0.1}}"
#define KNOT \
    "\"joints\": [{\"name\": \"knot\", \"type\": \"ball\", \"bodies\": [\"weight\", \"rope\"], "

/* A weight hangs on the last node of a rope; the joint transmits its weight. */
static void a_node_carries_a_body(void **state)
{
    mote_world *world =
        world_of("{\"time\": {\"end\": 1.5}, \"bodies\": [" ROPE
                 ", \"pins\": [{\"nodes\": [0]}]}, " WEIGHT "], " KNOT "\"node\": 10}]}",
                 1);
    (void)state;
    assert_int_equal(mote_world_advance(world, 1.5, NULL, NULL), MOTE_OK);
    mote_joint knot = joint_of(world, "knot");
    assert_true(fabs(knot.force[2] / (2 * 9.81) - 1) < 0.02);
    assert_true(knot.error < 1e-9);
    mote_world_destroy(world);
}

/* Without gravity and pins the momenta of weight and rope add up to the initial ones, while the
 * weight drags the rope along. The node is the one nearest to the point. */
static void impulses_of_nodes_are_opposite(void **state)
{
    mote_measures before, after;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1}, \"bodies\": [" ROPE "}, {\"name\": "
        "\"weight\", \"model\": \"rigid\", \"mass\": 2, \"velocity\": [1, 0.5, -2], "
        "\"angular_velocity\": [3, 0, 1], \"shape\": {\"type\": \"box\", \"min\": [-0.1, -0.1, "
        "0.8], \"max\": [0.1, 0.1, 1]}}], " KNOT "\"point\": [0, 0, 1.01]}]}",
        1);
    (void)state;
    assert_int_equal(mote_world_measure(world, &before, NULL), MOTE_OK);
    assert_int_equal(mote_world_advance(world, 0.3, NULL, NULL), MOTE_OK);
    assert_int_equal(mote_world_measure(world, &after, NULL), MOTE_OK);
    const double *v = numbers_in(world, mote_world_system_find(world, "forces"), "v");
    assert_true(fabs(v[30]) > 0.1); /* the last node */
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(after.momentum[k] - before.momentum[k]) < 1e-11);
        assert_true(fabs(after.angular_momentum[k] - before.angular_momentum[k]) < 2e-3);
    }
    assert_true(after.kinetic + after.elastic < 1.001 * before.kinetic);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_collider_drives_a_body),
                                       cmocka_unit_test(a_node_carries_a_body),
                                       cmocka_unit_test(impulses_of_nodes_are_opposite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
