/*
 * Colliders in periodic domains: a particle bounces in any period as in the first, also off
 * colliders across the boundary; containers and floors are unaffected.
 */
#include "worlds.h"

/* One particle per text; `offset` periods away. */
static void run_orbit(const char *colliders, const char *periodic, double radius,
                      const double offset[3], int steps, double position[3])
{
    mote_world *world = world_printf(
        1,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.01}, \"integrator\": "
        "\"velocity_verlet\","
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 2, 2], \"periodic\": \"%s\"},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[%.17g, %.17g, %.17g]]}, "
        "\"radius\": %g,"
        "   \"velocity\": [0.7, -0.31, 0.53]}], \"colliders\": [%s]}",
        periodic, 0.25 + offset[0], 1.1 + offset[1], 0.8 + offset[2], radius, colliders);
    step_by(world, steps);
    const double *x = numbers_of(world, "x");
    for (int k = 0; k < 3; ++k) {
        position[k] = x[k] - offset[k];
    }
    mote_world_destroy(world);
}

static void every_period_is_alike(void **state)
{
    (void)state;
    static const char BALLS[] =
        "{\"shape\": {\"type\": \"sphere\", \"center\": [1, 1, 1], \"radius\": 0.4}, \"restitution\": 1},"
        "{\"shape\": {\"type\": \"sphere\", \"center\": [2, 2, 2], \"radius\": 0.5}, \"restitution\": 1},"
        "{\"shape\": {\"type\": \"box\", \"min\": [-0.2, 0.9, 1.7], \"max\": [0.2, 1.3, 2.1]}, "
        "\"restitution\": 1}";
    const double offsets[3][3] = {{0, 0, 0}, {4, -6, 2}, {-128, 64, 0}};
    double position[3][3];
    for (int k = 0; k < 3; ++k) {
        run_orbit(BALLS, "xyz", 0.05, offsets[k], 2000, position[k]);
        for (int c = 0; c < 3; ++c) {
            /* amplification of rounding at 128 by about thirty bounces off curved surfaces */
            assert_near(position[k][c], position[0][c], k == 1 ? 1e-6 : 1e-2);
        }
    }
    /* it was reflected: free flight would end elsewhere */
    assert_true(fabs(position[0][0] - (0.25 + 14)) > 1);
}

/* A ball centred on the boundary is hit from both sides at the same distance. */
static void a_ball_on_the_border_is_whole(void **state)
{
    (void)state;
    static const double STARTS[2] = {1.0, 3.0}; /* the ball's images at 0, 2 and 4 */
    for (int k = 0; k < 2; ++k) {
        for (int side = -1; side < 2; side += 2) {
            mote_world *world = world_printf(
                1,
                "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.01},"
                " \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 2, 2]},"
                " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[%g, 0, 0]]}, "
                "\"radius\": 0.1,"
                "   \"velocity\": [%d, 0, 0]}],"
                " \"colliders\": [{\"shape\": {\"type\": \"sphere\", \"radius\": 0.3}}]}",
                STARTS[k], side);
            step_by(world, 200);
            assert_near(numbers_of(world, "x")[0], STARTS[k] + 0.6 * side, 1e-9);
            mote_world_destroy(world);
        }
    }
}

/* A floor along the periodic axes, and a container, act as without a period. */
static void floors_and_containers(void **state)
{
    (void)state;
    static const char FLOOR[] =
        "{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 0.2], \"normal\": [0, 0, 1]},"
        " \"restitution\": 1}, {\"shape\": {\"type\": \"plane\", \"point\": [0, 0, 1.8],"
        " \"normal\": [0, 0, -1]}, \"restitution\": 1}";
    static const char TANK[] =
        "{\"shape\": {\"type\": \"box\", \"min\": [0.1, 0.1, 0.1], \"max\": [1.9, 1.9, 1.9]},"
        " \"inside\": true, \"restitution\": 1}";
    const double here[3] = {0, 0, 0}, there[3] = {20, -8, 0};
    double a[3], b[3];
    run_orbit(FLOOR, "xy", 0.05, here, 1000, a);
    run_orbit(FLOOR, "xy", 0.05, there, 1000, b);
    assert_near(a[0], 0.25 + 7, 1e-9);
    assert_near(a[1], 1.1 - 3.1, 1e-9);
    assert_near(a[2], b[2], 1e-9);
    assert_true(a[2] > 0.24 && a[2] < 1.76);
    run_orbit(TANK, "xyz", 0.05, here, 1000, a);
    run_orbit(TANK, "xyz", 0.05, there, 1000, b);
    for (int k = 0; k < 3; ++k) {
        assert_true(a[k] > 0.14 && a[k] < 1.86);
        assert_near(a[k], b[k], 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_period_is_alike),
        cmocka_unit_test(a_ball_on_the_border_is_whole),
        cmocka_unit_test(floors_and_containers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
