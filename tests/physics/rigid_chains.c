/* Chains whose links are in contact, solved directly, and a net of joints that is too large for
 * that. */
#include "worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double energy_of(mote_world *world)
{
    mote_measures m = measures_of(world);
    return m.kinetic + m.potential;
}

static double quantity_of(const mote_world *world, const char *name)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity q = mote_world_quantity(world, k);
        if (!strcmp(q.name, name)) {
            return q.value;
        }
    }
    fail_msg("no %s", name);
    return 0;
}

/* Lets a chain fall on the ground; its energy does not grow, and its joints stay closed. */
static void check_fall(const char *shape, int links, const char *joint, int steps)
{
    mote_world *world = world_printf(
        1,
        "{\"time\": {\"end\": 9, \"step\": 0.005}, \"rigid\": {\"solver\": \"direct\"}, \"bodies\": "
        "[{\"name\": \"link\", \"model\": \"rigid\", \"shape\": %s, \"angular_velocity\": [0.01, "
        "0.02, 0], \"copies\": [{\"count\": %d, \"step\": [0, 0, 0.1]}]}], \"joints\": [{\"type\": "
        "\"ball\", \"bodies\": [\"link\"], \"chain\": true, \"point\": [0, 0, 0.4]%s}], "
        "\"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.5}]}",
        shape, links, joint);
    double start = energy_of(world), last = start;
    for (int k = 0; k < steps; ++k) {
        take_steps(world, 1, shape);
        double now = energy_of(world);
        if (now > last + 1e-3 * start || quantity_of(world, "joint_error") > 1e-6) {
            fail_msg("%s: step %d, energy %g J after %g J, joint error %g m", shape, k, now, last,
                     quantity_of(world, "joint_error"));
        }
        last = now;
    }
    mote_world_destroy(world);
}

static void direct_chains_fall_on_the_ground(void **state)
{
    (void)state;
    check_fall("{\"type\": \"capsule\", \"start\": [0, 0, 0.31], \"end\": [0, 0, 0.39], "
               "\"radius\": 0.015}",
               8, "", 200);
}

/* Balls that touch where they are joined cannot bend: contacts and joints contradict each other,
 * and the chain is a rod. */
static void contradictions_do_not_explode(void **state)
{
    (void)state;
    check_fall("{\"type\": \"sphere\", \"center\": [0, 0, 0.35], \"radius\": 0.05}", 25,
               ", \"collide\": true", 400);
}

/* A square of SIDE x SIDE balls on joints hangs on its first row, and a box lies in its way. */
enum { SIDE = 24, LINE = 200 };

static char *net_scene(void)
{
    char *text = malloc(SIDE * SIDE * 3 * LINE);
    int at = sprintf(text, "{\"time\": {\"end\": 9, \"step\": 0.01}, \"bodies\": [{\"model\": "
                           "\"rigid\", \"mass\": 5, \"shape\": {\"type\": \"box\", \"min\": [10, "
                           "-1.5, -12], \"max\": [11, -0.5, -11]}, \"velocity\": [0, 4, 4]}");
    for (int k = 0; k < SIDE * SIDE; ++k) {
        at += sprintf(text + at,
                      ", {\"name\": \"b%d\", \"model\": \"rigid\", \"shape\": {\"type\": "
                      "\"sphere\", \"center\": [%d, 0, %d], \"radius\": 0.4}, \"mass\": 1, "
                      "\"fixed\": %s}",
                      k, k % SIDE, -k / SIDE, k < SIDE && k % 8 == 0 ? "true" : "false");
    }
    at += sprintf(text + at, "], \"joints\": [");
    for (int k = 1; k < SIDE * SIDE; ++k) {
        if (k % SIDE) {
            at += sprintf(text + at,
                          "%s{\"type\": \"ball\", \"bodies\": [\"b%d\", \"b%d\"], \"point\": [%g, "
                          "0, %d]}",
                          k > 1 ? ", " : "", k, k - 1, k % SIDE - 0.5, -k / SIDE);
        }
        if (k >= SIDE) {
            at += sprintf(text + at,
                          ", {\"type\": \"ball\", \"bodies\": [\"b%d\", \"b%d\"], \"point\": [%d, "
                          "0, %g]}",
                          k, k - SIDE, k % SIDE, -k / SIDE + 0.5);
        }
    }
    sprintf(text + at, "]}");
    return text;
}

static void a_net_stays_closed(void **state)
{
    char *scene = net_scene();
    mote_world *one = world_of(scene, 1), *three = world_of(scene, 3);
    (void)state;
    double largest = 0;
    for (int k = 0; k < 60; ++k) {
        take_steps(one, 1, "net");
        largest = fmax(largest, quantity_of(one, "joint_error"));
    }
    take_steps(three, 60, "net");
    assert_same_state(one, three);
    if (!(largest < 0.02)) {
        fail_msg("joint error of %g m", largest);
    }
    mote_world_destroy(one);
    mote_world_destroy(three);
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(direct_chains_fall_on_the_ground),
                                       cmocka_unit_test(contradictions_do_not_explode),
                                       cmocka_unit_test(a_net_stays_closed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
