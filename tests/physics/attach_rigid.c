/* Nodes of position-based bodies attached to rigid bodies: impulses are equal and opposite, weights
 * are supported, bodies at rest stay so, and all threads and restored worlds agree. */
#include "worlds.h"

#include <math.h>

#define BODY(more) \
    "{\"name\": \"box\", \"model\": \"rigid\", \"mass\": 0.5, \"shape\": {\"type\": \"box\", " \
    "\"min\": [0.4, 0.4, 0.8], \"max\": [0.6, 0.6, 1]}" more "}"
#define CLOTH(constraint, more) \
    "{\"name\": \"cloth\", \"density\": 0.1, \"mesh\": {\"type\": \"cloth\", \"origin\": [0, 0, " \
    "1], \"columns\": 11, \"rows\": 11}, \"model\": {\"type\": \"xpbd\", \"damping\": 3, " \
    "\"constraints\": [\"distance\", {\"type\": \"attach\", \"body\": \"box\", \"region\": " \
    "{\"type\": \"box\", \"min\": [0.35, 0.35, 0.9], \"max\": [0.65, 0.65, 1.1]}" constraint \
    "}]}" more "}"

/* Without gravity and pins the momenta of cloth and body add up to the initial ones. */
static void impulses_are_opposite(void **state)
{
    mote_measures before, after;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [" CLOTH(
            "", "") ", " BODY(", \"velocity\": [1, 0.5, -2], \"angular_velocity\": [1, 0, "
                              "2]") "]}",
        1);
    (void)state;
    assert_int_equal(mote_world_measure(world, &before, NULL), MOTE_OK);
    take_steps(world, 30, "free");
    assert_int_equal(mote_world_measure(world, &after, NULL), MOTE_OK);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(after.momentum[k] - before.momentum[k]) < 1e-12);
    }
    const double *v = numbers_in(world, mote_world_system_find(world, "constraints"), "v");
    assert_true(fabs(v[3 * 60 + 2] + 1.3) < 0.5); /* the middle moves with the body */
    assert_true(after.kinetic < before.kinetic);
    mote_world_destroy(world);
}

/* The nodes of the patch stay at their points of the body. */
static double worst_gap(const mote_world *world)
{
    const double *x = numbers_in(world, mote_world_system_find(world, "constraints"), "x");
    const double *c = numbers_in(world, mote_world_system_find(world, "rigid"), "x");
    const double *q = numbers_in(world, mote_world_system_find(world, "rigid"), "q");
    double worst = 0;
    for (int j = 4; j <= 6; ++j) {
        for (int i = 4; i <= 6; ++i) {
            const double *node = x + 3 * (11 * j + i);
            double d[3] = {node[0] - c[0], node[1] - c[1], node[2] - c[2]};
            double r[3] = {0.1 * i - 0.5, 0.1 * j - 0.5, 0.1};
            worst = fmax(worst, fabs(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) -
                                     sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2])));
        }
    }
    assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-9);
    return worst;
}

/* A body hangs on a cloth that is held at its corners. */
static void a_cloth_carries_a_body(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 10, \"step\": 0.01}, \"bodies\": [" CLOTH(
            "",
            ", \"pins\": [{\"nodes\": [0, 10, 110, 120]}]") ", " BODY(", \"linear_damping\": 5, \"angular_damping\": 5") "]}",
        1);
    (void)state;
    take_steps(world, 300, "hanging");
    const double *v = numbers_in(world, mote_world_system_find(world, "rigid"), "v");
    const double *x = numbers_in(world, mote_world_system_find(world, "rigid"), "x");
    assert_true(fabs(v[0]) + fabs(v[1]) + fabs(v[2]) < 0.01);
    assert_true(x[2] > 0.5 && x[2] < 0.9);
    assert_true(worst_gap(world) < 2e-3);
    mote_world_destroy(world);
}

/* A cloth on a body that stands on the ground does not move it, nor does the body pull it. */
static void a_body_at_rest_stays(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 10, \"step\": 0.0166667}, \"bodies\": [" CLOTH("", "") ", " BODY(
            "") "], \"colliders\": [{\"name\": \"ground\", \"friction\": 0.5, \"shape\": "
                "{\"type\": \"plane\", \"point\": [0, 0, 0.8]}}]}",
        1);
    (void)state;
    take_steps(world, 180, "standing");
    const double *x = numbers_in(world, mote_world_system_find(world, "rigid"), "x");
    const double *v = numbers_in(world, mote_world_system_find(world, "constraints"), "v");
    assert_true(fabs(x[0] - 0.5) < 1e-3 && fabs(x[1] - 0.5) < 1e-3 && fabs(x[2] - 0.9) < 1e-3);
    assert_true(fabs(v[3 * 60 + 2]) < 0.02);
    assert_true(worst_gap(world) < 1e-3);
    mote_world_destroy(world);
}

/* Soft attachments, with damping, of a tumbling body. */
static const char SOFT[] = "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [" CLOTH(
    ", \"compliance\": 1e-3, \"damping\": 0.01",
    ", \"pins\": [{\"nodes\": [0, 10]}]") ", " BODY(", \"angular_velocity\": [0, 3, 1]") "], "
                                                                                         "\"colliders\": [{\"name\": \"ground\", \"shape\": {\"type\": \"plane\", \"point\": [0, 0, "
                                                                                         "0.3]}}]}";

static void threads_and_resumes_agree(void **state)
{
    const int threads[] = {2, 3, 8};
    mote_world *one = world_of(SOFT, 1), *resumed = world_of(SOFT, 2);
    (void)state;
    take_steps(one, 30, "before");
    copy_state(one, resumed);
    take_steps(one, 30, "one thread");
    take_steps(resumed, 30, "resumed");
    assert_same_state(one, resumed);
    for (int k = 0; k < 3; ++k) {
        mote_world *more = world_of(SOFT, threads[k]);
        take_steps(more, 60, "more threads");
        assert_same_state(one, more);
        mote_world_destroy(more);
    }
    mote_world_destroy(one);
    mote_world_destroy(resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_are_opposite), cmocka_unit_test(a_cloth_carries_a_body),
        cmocka_unit_test(a_body_at_rest_stays), cmocka_unit_test(threads_and_resumes_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
