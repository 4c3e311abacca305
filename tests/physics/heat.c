/*
 * Heat conduction between particles: conserved to rounding, without new extrema at any rate,
 * sources, losses, strengths. Closed forms are in `mote validate particles`.
 */
#include "worlds.h"

enum { ROWS = 1000 };

/* A displaced lattice in a periodic box; `more` is added to the force. */
static mote_world *warm_cube(const char *more, double step)
{
    mote_world *world = world_printf(
        1,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": %.17g},"
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [10, 10, 10]},"
        " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 10, \"ny\": 10, "
        "\"nz\": 10,"
        "   \"spacing\": 1, \"jitter\": 0.3}, \"mass\": 2000}],"
        " \"forces\": [{\"type\": \"heat\", \"range\": 2, \"specific_heat\": 5, \"initial\": 20, %s}]}",
        step, more);
    assert_int_equal(mote_world_rows(world, 0), ROWS);
    return world;
}

static void set_random(mote_world *world, uint64_t seed)
{
    double *t = numbers_of(world, "temperature");
    for (int k = 0; k < ROWS; ++k) {
        t[k] = random_between(&seed, 100, 400);
    }
}

static void find_range(const mote_world *world, double *low, double *high, double *sum)
{
    const double *t = numbers_of(world, "temperature");
    *low = *high = t[0];
    *sum = 0;
    for (int k = 0; k < ROWS; ++k) {
        *low = fmin(*low, t[k]);
        *high = fmax(*high, t[k]);
        *sum += t[k];
    }
}

static void heat_is_kept_and_makes_no_new_extremes(void **state)
{
    (void)state;
    /* the last requires thousands of substeps */
    static const double CONDUCTIVITIES[] = {0.01, 3, 2000};
    for (int k = 0; k < 3; ++k) {
        char more[64];
        double before[3], after[3];
        snprintf(more, sizeof more, "\"conductivity\": %g", CONDUCTIVITIES[k]);
        mote_world *world = warm_cube(more, 0.5);
        set_random(world, 1);
        find_range(world, &before[0], &before[1], &before[2]);
        for (int step = 0; step < 4; ++step) {
            step_by(world, 1);
            find_range(world, &after[0], &after[1], &after[2]);
            assert_true(after[0] >= before[0] - 1e-9 && after[1] <= before[1] + 1e-9);
            assert_near(after[2], before[2], 1e-11 * before[2]);
            memcpy(before, after, sizeof before);
        }
        if (k == 2) {
            assert_true(after[1] - after[0] < 1); /* equilibrated */
        }
        mote_world_destroy(world);
    }
}

/* C dT/dt = loss (ambient - T): each step is one explicit step. */
static void losses_follow_their_closed_form(void **state)
{
    (void)state;
    mote_world *world = warm_cube("\"conductivity\": 0, \"ambient\": 300, \"loss\": 0.5", 0.1);
    step_by(world, 40);
    double expected = 300 - 280 * pow(1 - 0.1 * 0.5 / 10, 40);
    for (int k = 0; k < ROWS; ++k) {
        assert_near(numbers_of(world, "temperature")[k], expected, 1e-9);
    }
    mote_world_destroy(world);
}

/* Wrapped into the box, where regions are defined. */
static double height(const double *x)
{
    return x[2] < 0 ? x[2] + 10 : x[2];
}

/* start sets once, hold prescribes and may follow a curve, feed adds power; later sources take
 * precedence. */
static void heat_sources_set_fix_and_add(void **state)
{
    (void)state;
    mote_world *world = warm_cube(
        "\"conductivity\": 0, \"sources\": ["
        "{\"type\": \"start\", \"temperature\": 77},"
        "{\"type\": \"hold\", \"temperature\": [[0, 100], [10, 200]],"
        " \"region\": {\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [11, 11, 3.5]}},"
        "{\"type\": \"feed\", \"power\": 4,"
        " \"region\": {\"type\": \"box\", \"min\": [-1, -1, 6.5], \"max\": [11, 11, 11]}}]",
        0.1);
    const double *x = numbers_of(world, "x"), *t = numbers_of(world, "temperature");
    for (int k = 0; k < ROWS; ++k) {
        assert_near(t[k], height(x + 3 * k) < 3.5 ? 100 : 77, 0);
    }
    step_by(world, 50);
    for (int k = 0; k < ROWS; ++k) {
        double z = height(x + 3 * k), expected = z < 3.5 ? 150 : z > 6.5 ? 77 + 5 * 4 / 10.0 : 77;
        assert_near(t[k], expected, 1e-9);
    }
    mote_world_destroy(world);
}

static void strength_follows_the_curve(void **state)
{
    (void)state;
    mote_world *world =
        warm_cube("\"conductivity\": 0.2, \"strength\": [[0, 1], [200, 1], [300, 0.25]]", 0.1);
    const double *t = numbers_of(world, "temperature"), *s = numbers_of(world, "strength");
    assert_near(s[0], 1, 0);
    set_random(world, 7);
    step_by(world, 3);
    for (int k = 0; k < ROWS; ++k) {
        double expected = t[k] < 200 ? 1 : t[k] > 300 ? 0.25 : 1 - 0.75 * (t[k] - 200) / 100;
        assert_near(s[k], expected, 1e-12);
    }
    mote_world_destroy(world);
}

/* Heat of a particle with the specific heat 5, melting at 250 K with 300 J/kg. */
static double enthalpy(const mote_world *world)
{
    const double *t = numbers_of(world, "temperature"), *f = numbers_of(world, "liquid");
    double sum = 0;
    for (int k = 0; k < ROWS; ++k) {
        sum += 2 * (5 * t[k] + 300 * f[k]);
    }
    return sum;
}

/* Melting and freezing exchange latent heat: the enthalpy is conserved, and at the melting point
 * alone particles are partly liquid. */
static void latent_heat_is_absorbed_and_released(void **state)
{
    (void)state;
    mote_world *world = warm_cube("\"conductivity\": 3, \"melting_point\": 250, "
                                  "\"latent_heat\": 300, \"liquid_strength\": 0.2",
                                  0.1);
    const double *t = numbers_of(world, "temperature"), *f = numbers_of(world, "liquid");
    const double *s = numbers_of(world, "strength");
    int partly = 0;
    set_random(world, 5);
    double before = enthalpy(world);
    step_by(world, 30);
    assert_near(enthalpy(world) / before, 1, 1e-12);
    for (int k = 0; k < ROWS; ++k) {
        assert_true(t[k] > 250 ? f[k] == 1 : t[k] < 250 ? f[k] == 0 : f[k] >= 0 && f[k] <= 1);
        assert_near(s[k], 1 - 0.8 * f[k], 1e-12);
        partly += f[k] > 0 && f[k] < 1;
    }
    assert_true(partly > 10);
    mote_world_destroy(world);
}

/* A species with its own curve and melting point beside one with those of the force. */
static void species_have_their_own_curves(void **state)
{
    (void)state;
    mote_world *world = world_printf(
        1,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.1},"
        " \"species\": [{\"name\": \"wax\"}, {\"name\": \"iron\"}],"
        " \"bodies\": [{\"species\": \"wax\", \"mesh\": {\"type\": \"points\", \"positions\": "
        "[[0, 0, 0]]}}, {\"species\": \"iron\", \"mesh\": {\"type\": \"points\", \"positions\": "
        "[[9, 0, 0]]}}],"
        " \"forces\": [{\"type\": \"heat\", \"range\": 2, \"specific_heat\": 5, \"initial\": 400,"
        "   \"conductivity\": 1, \"strength\": [[300, 1], [500, 0.5]], \"species\": [{\"type\":"
        "   \"species_heat\", \"of\": \"wax\", \"melting_point\": 350, \"liquid_strength\": 0.1,"
        "   \"strength\": 1, \"specific_heat\": 10}],"
        "   \"sources\": [{\"type\": \"feed\", \"power\": 100}]}]}");
    const double *t = numbers_of(world, "temperature"), *s = numbers_of(world, "strength");
    assert_near(s[0], 0.1, 1e-15);
    assert_near(s[1], 0.75, 1e-15);
    step_by(world, 10);
    assert_near(t[0], 410, 1e-9);
    assert_near(t[1], 420, 1e-9);
    mote_world_destroy(world);
}

/* Conductivities beyond 10,000 substeps are rejected with a remedy. */
static void too_fast_is_refused(void **state)
{
    (void)state;
    mote_error error = {0};
    mote_world *world = warm_cube("\"conductivity\": 1e9", 0.5);
    assert_int_equal(mote_world_step(world, NULL, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "smaller step");
    mote_world_destroy(world);
}

/* A region is periodic: a particle drifting through a heated box is heated in every period. */
static void regions_are_repeated_in_every_period(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 90, \"step\": 0.25},"
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [10, 10, 10]},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[5, 5, 5]]}, \"velocity\": "
        "[1, -0.7, 0]}],"
        " \"forces\": [{\"type\": \"heat\", \"range\": 2, \"conductivity\": 1, \"specific_heat\": "
        "5, \"initial\": 20,"
        "   \"sources\": [{\"type\": \"feed\", \"power\": 10,"
        "     \"region\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [10, 10, 10]}}]}]}",
        1);
    step_by(world, 200);
    assert_near(numbers_of(world, "x")[0], 55, 1e-9);
    assert_near(numbers_of(world, "temperature")[0], 20 + 50 * 10 / 5.0, 1e-9);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_are_repeated_in_every_period),
        cmocka_unit_test(heat_is_kept_and_makes_no_new_extremes),
        cmocka_unit_test(losses_follow_their_closed_form),
        cmocka_unit_test(heat_sources_set_fix_and_add),
        cmocka_unit_test(strength_follows_the_curve),
        cmocka_unit_test(latent_heat_is_absorbed_and_released),
        cmocka_unit_test(species_have_their_own_curves),
        cmocka_unit_test(too_fast_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
