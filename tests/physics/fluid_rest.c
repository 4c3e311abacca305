/*
 * Quiescent water settles with the viscosity of water, by artificial viscosity alone, which does
 * not affect flows.
 */
#include "worlds.h"

#include <math.h>
#include <string.h>

static double number_of(const mote_world *world, const char *name)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity n = mote_world_quantity(world, k);
        if (strcmp(n.name, name) == 0) {
            return n.value;
        }
    }
    fail_msg("there is no number '%s'", name);
    return NAN;
}

/* The rms speed of a tank of 15 by 15 particles after 5 s, in units of sqrt(g H). */
static double speed_of(const char *method, const char *strength)
{
    mote_world *world = world_printf(
        1,
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": 0.004}, \"fluid\": {\"dimension\": 2, \"spacing\": "
        "0.05,"
        " %s, \"viscosity\": 1e-6, \"artificial_viscosity\": %s, \"phases\": [{\"fill\":"
        " [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.75, 0.75, 1]}]}]}, \"colliders\":"
        " [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.75, 1.5, "
        "1]}}]}",
        method, strength);
    double sum = 0, mass = measures_of(world).mass;
    step_by(world, 1150);
    for (int k = 0; k < 100; ++k) { /* averaged, since the residual motion fluctuates */
        step_by(world, 1);
        sum += measures_of(world).kinetic / 100;
    }
    mote_world_destroy(world);
    return sqrt(2 * sum / mass / (9.81 * 0.75));
}

static void water_comes_to_rest(void **state)
{
    static const char *const SOLVERS[] = {"\"pressure\": \"dfsph\"", "\"pressure\": \"iisph\"",
                                          "\"pressure\": \"pbf\"", "\"quality\": \"accurate\""};
    (void)state;
    for (int k = 0; k < 4; ++k) {
        double with = speed_of(SOLVERS[k], "\"hyperviscosity\""),
               without = speed_of(SOLVERS[k], "0");
        print_message("%s: %.2g %% of sqrt(g H), %.2g %% without artificial viscosity\n",
                      SOLVERS[k], 100 * with, 100 * without);
        assert_true(with < 0.005 && with < without);
    }
}

/* A disc in rigid rotation in free space keeps rotating. */
static void rigid_rotation_loses_nothing(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 1e-4}, \"fluid\": {"
        " \"dimension\": 2, \"spacing\": 0.05, \"viscosity\": 0.01, \"phases\": [{\"flow\": {\"type\": "
        "\"rotation\","
        " \"angular_velocity\": [0, 0, 2]}, \"fill\": [{\"type\": \"sphere\", \"center\": [0, 0, 0], "
        "\"radius\": 0.4}]}]}}",
        1);
    mote_measures before = measures_of(world);
    step_by(world, 1);
    assert_true(fabs(number_of(world, "viscosity_loss")) < 1e-9 * before.kinetic);
    assert_true(fabs(number_of(world, "artificial_viscosity_loss")) < 1e-9 * before.kinetic);
    step_by(world, 99);
    mote_measures after = measures_of(world);
    assert_near(after.angular_momentum[2], before.angular_momentum[2],
                1e-6 * before.angular_momentum[2]);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_comes_to_rest),
        cmocka_unit_test(rigid_rotation_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
