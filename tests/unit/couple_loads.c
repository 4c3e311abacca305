/*
 * Loads on colliders by contact constraints, of implicit schemes and in static equilibrium: they
 * balance weight and momentum.
 */
#include "worlds.h"

#include <math.h>

/* A block of 8 kg in contact with the plane, or with a slope of 3 in 10, by the direction of
 * gravity. */
#define BLOCK(gravity, friction, contact) \
    "{\"time\": {\"end\": 1, \"step\": 2e-3}, \"gravity\": " gravity "," \
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0]," \
    "   \"max\": [0.2, 0.2, 0.2], \"nx\": 4, \"ny\": 4, \"nz\": 4, \"tetrahedra\": 5}," \
    "   \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 4e4," \
    "   \"poisson\": 0.3}}}]," \
    " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"ground\"}]," \
    " \"colliders\": [{\"name\": \"ground\", \"shape\": {\"type\": \"plane\"}, \"friction\": " friction \
    ", " contact "}]}"
#define BOUNCE "\"contact\": \"bounce\""

enum { STEPS = 60 };
static const double WEIGHT = 8 * 9.81, H = 2e-3;

static mote_world *block_with(const char *text, const char *integrator)
{
    mote_scene *scene = scene_of(text);
    mote_config config = config_with(2, NULL);
    set_in_scene(scene, "integrator", integrator);
    return world_of_last(scene, &config);
}

/* The rate of momentum is gravity minus the load, in every step while the block deforms and
 * rebounds. */
static void check_balance(const char *text, const double gravity[3], const char *integrator,
                          double allowed)
{
    mote_world *world = block_with(text, integrator);
    double worst = 0, least = INFINITY;
    for (int step = 0; step < STEPS; ++step) {
        mote_measures before = measures_of(world);
        double load[6];
        step_by(world, 1);
        mote_measures after = measures_of(world);
        observe(world, 0, load);
        least = fmin(least, -load[2]);
        for (int k = 0; k < 3; ++k) {
            double rate = (after.momentum[k] - before.momentum[k]) / H;
            worst = fmax(worst, fabs(rate - 8 * gravity[k] + load[k]));
        }
    }
    print_message("%s: out of balance by %.1e of the weight, least load %.3g N\n", integrator,
                  worst / WEIGHT, least);
    assert_true(worst < allowed * WEIGHT);
    assert_true(least > 0.1 * WEIGHT); /* in permanent contact */
    mote_world_destroy(world);
}

static void implicit_contacts_balance_momentum(void **state)
{
    static const char *const SCHEMES[] = {
        "{\"type\": \"implicit_euler\", \"solver\": {\"type\": \"cg\", \"tolerance\": 1e-12}}",
        "{\"type\": \"implicit_euler\", \"iterations\": 10, \"tolerance\": 1e-10, \"solver\": \"cholesky\"}",
        "{\"type\": \"implicit_euler\", \"matrix_free\": true,"
        " \"solver\": {\"type\": \"cg\", \"tolerance\": 1e-12}}",
        "{\"type\": \"linear_implicit\", \"solver\": {\"type\": \"cg\", \"tolerance\": 1e-12}}",
        "{\"type\": \"implicit_midpoint\", \"tolerance\": 1e-10, \"solver\": \"cholesky\"}",
        "{\"type\": \"newmark\", \"tolerance\": 1e-10, \"solver\": \"cholesky\"}",
    };
    static const double DOWN[3] = {0, 0, -9.81}, SLOPE[3] = {-2.82, 0, -9.396};
    (void)state;
    for (size_t k = 0; k < sizeof SCHEMES / sizeof *SCHEMES; ++k) {
        check_balance(BLOCK("[0, 0, -9.81]", "0", BOUNCE), DOWN, SCHEMES[k], 1e-8);
        check_balance(BLOCK("[-2.82, 0, -9.396]", "0.1", BOUNCE), SLOPE, SCHEMES[k], 1e-8);
    }
}

/* After a static solve, and in the following steps. */
static void the_weight_is_the_load(void **state)
{
    static const char *const SCHEMES[] = {"implicit_euler", "implicit_midpoint", "newmark", "bdf2",
                                          "linear_implicit"};
    (void)state;
    for (size_t k = 0; k < sizeof SCHEMES / sizeof *SCHEMES; ++k) {
        char name[40];
        snprintf(name, sizeof name, "\"%s\"", SCHEMES[k]);
        mote_world *world = block_with(BLOCK("[0, 0, -9.81]", "0.5", BOUNCE), name);
        double load[6];
        observe(world, 0, load);
        assert_true(load[2] == 0); /* not requested yet */
        solve_static(world);
        observe(world, 0, load);
        print_message("%s: %.12g N in equilibrium, ", SCHEMES[k], load[2]);
        assert_true(fabs(load[2] + WEIGHT) < 1e-7 * WEIGHT);
        assert_true(fabs(load[3] + 0.1 * WEIGHT) < 1e-5 * WEIGHT); /* about the block's edge */
        step_by(world, 5);
        observe(world, 0, load);
        print_message("%.12g N after five steps\n", load[2]);
        assert_true(fabs(load[2] + WEIGHT) < 1e-4 * WEIGHT);
        mote_world_destroy(world);
    }
}

/* On a slope friction reacts to the tangential force. */
static void friction_is_part_of_the_load(void **state)
{
    (void)state;
    mote_world *world =
        block_with(BLOCK("[-2.82, 0, -9.396]", "0.6", BOUNCE), "\"implicit_euler\"");
    double load[6];
    solve_static(world);
    observe(world, 0, load);
    assert_true(fabs(load[0] + 8 * 2.82) < 1e-6 * WEIGHT);
    assert_true(fabs(load[2] + 8 * 9.396) < 1e-6 * WEIGHT);
    mote_world_destroy(world);
}

static void penalty_has_static_loads(void **state)
{
    (void)state;
    mote_world *world = block_with(
        BLOCK("[0, 0, -9.81]", "0.3", "\"contact\": {\"type\": \"penalty\", \"stiffness\": 1e5}"),
        "\"implicit_euler\"");
    double load[6];
    solve_static(world);
    observe(world, 0, load);
    assert_true(fabs(load[2] + WEIGHT) < 1e-6 * WEIGHT);
    step_by(world, 1);
    observe(world, 0, load);
    assert_true(fabs(load[2] + WEIGHT) < 1e-3 * WEIGHT);
    mote_world_destroy(world);
}

/* A particle of 8 kg in the corner of three planes: each reacts along its normal. */
static void a_corner_shares_the_load(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"integrator\": \"implicit_euler\","
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}, \"mass\": 8}],"
        " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"a\"},"
        "   {\"type\": \"collider_load\", \"collider\": \"b\"},"
        "   {\"type\": \"collider_load\", \"collider\": \"c\"}, {\"type\": \"collider_load\"}],"
        " \"colliders\": [{\"name\": \"a\", \"shape\": {\"type\": \"plane\", \"normal\": [3, 0, 4]}},"
        "   {\"name\": \"b\", \"shape\": {\"type\": \"plane\", \"normal\": [-3, 4, 12]}},"
        "   {\"name\": \"c\", \"shape\": {\"type\": \"plane\", \"normal\": [-3, -4, 12]}}]}",
        1);
    double load[4][6];
    solve_static(world);
    for (int k = 0; k < 4; ++k) {
        observe(world, k, load[k]);
    }
    /* 10 s (3, 0, 4)/5 + 13 s (-3, 4, 12)/13 + 13 s (-3, -4, 12)/13 = (0, 0, 32 s) */
    assert_true(fabs(load[1][2] / 12 + WEIGHT / 32) < 1e-9 * WEIGHT);
    assert_true(fabs(load[1][1] + load[2][1]) < 1e-9 * WEIGHT && load[1][1] < 0);
    assert_true(fabs(load[0][0] / 3 - load[0][2] / 4) < 1e-9 * WEIGHT);
    assert_true(fabs(load[3][0]) < 1e-6 * WEIGHT && fabs(load[3][2] + WEIGHT) < 1e-6 * WEIGHT);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(implicit_contacts_balance_momentum),
        cmocka_unit_test(the_weight_is_the_load),
        cmocka_unit_test(friction_is_part_of_the_load),
        cmocka_unit_test(penalty_has_static_loads),
        cmocka_unit_test(a_corner_shares_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
