/*
 * Consistent masses of finite elements: the mass matrix, momenta, frequencies, with every
 * integrator.
 */
#include "worlds.h"

#include <math.h>

static const char FREE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": %g}, \"integrator\": %s,"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [0.4, 0.2, 0.2],"
    "   \"nx\": 5, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5},"
    "  \"model\": {\"type\": \"fem\", \"mass\": \"%s\","
    "   \"material\": {\"type\": \"stvk\", \"young\": 1e5, \"poisson\": 0.3}}}]}";

/* A rotation, and a stretch that involves the masses. */
static void set_off(mote_world *world)
{
    double *v = numbers_of(world, "v"), *x = numbers_of(world, "x");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        const double *p = x + 3 * row;
        v[3 * row] = 0.3 - 2 * p[1] + 3 * p[0] * p[0];
        v[3 * row + 1] = 2 * p[0];
        v[3 * row + 2] = 0.1 + p[0];
    }
    mote_world_invalidate(world, 0);
}

/* For a linear velocity field the consistent kinetic energy and angular momentum are exact: v =
 * (0, x, 0) on [0, L] x A has 1/2 rho A L^3/3 and rho A L^3/3 about z. */
static void measures_are_those_of_the_body(void **state)
{
    (void)state;
    mote_world *world = world_printf(1, FREE, 1e-3, "\"implicit_euler\"", "consistent");
    double *v = numbers_of(world, "v"), *x = numbers_of(world, "x");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row + 1] = x[3 * row];
    }
    mote_measures m = measures_of(world);
    double moment = 1000 * 0.04 * pow(0.4, 3) / 3;
    assert_true(fabs(m.mass - 16) < 1e-12);
    assert_true(fabs(m.kinetic - 0.5 * moment) < 1e-12 * moment);
    assert_true(fabs(m.angular_momentum[2] - moment) < 1e-12 * moment);
    assert_true(fabs(m.momentum[1] - 16 * 0.2) < 1e-12);
    mote_world_destroy(world);
}

/* The same motion with all integrators, including explicit ones, which solve with the mass
 * matrix; it differs from that of lumped masses. */
static void integrators_agree(void **state)
{
    static const struct {
        const char *integrator;
        double step, tolerance; /* of the displacement */
    } CASES[] = {
        {"\"velocity_verlet\"", 1e-5, 1e-5},
        {"\"rk4\"", 1e-4, 1e-4},
        {"{\"type\": \"newmark\", \"tolerance\": 1e-11}", 1e-4, 1e-2},
        {"{\"type\": \"newmark\", \"tolerance\": 1e-11, \"matrix_free\": true}", 1e-4, 1e-2},
        {"{\"type\": \"implicit_midpoint\", \"tolerance\": 1e-11}", 1e-4, 1e-2},
        {"{\"type\": \"bdf2\", \"tolerance\": 1e-11}", 1e-4, 3e-2},
        {"\"implicit_euler\"", 1e-5, 3e-2},
        {"{\"type\": \"linear_implicit\"}", 1e-5, 3e-2}};
    double found[3 * 45], first[3 * 45];
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        mote_world *world = world_printf(1, FREE, CASES[k].step, CASES[k].integrator, "consistent");
        set_off(world);
        mote_measures before = measures_of(world);
        step_by(world, (int)lround(0.02 / CASES[k].step));
        mote_measures after = measures_of(world);
        assert_int_equal(mote_world_rows(world, 0), 45);
        memcpy(k == 0 ? first : found, numbers_of(world, "x"), sizeof found);
        double off = 0;
        for (int n = 0; n < 135 && k > 0; ++n) {
            off = fmax(off, fabs(found[n] - first[n]));
        }
        print_message("%s: off by %.2e\n", CASES[k].integrator, off);
        assert_true(off <=
                    /* the deformation is about 0.01 besides the rigid motion */
                    0.01 * CASES[k].tolerance);
        for (int n = 0; n < 3; ++n) {
            assert_true(fabs(after.momentum[n] - before.momentum[n]) < 1e-7);
        }
        mote_world_destroy(world);
    }
    mote_world *world = world_printf(1, FREE, 1e-5, "\"rk4\"", "lumped");
    set_off(world);
    step_by(world, 2000);
    double off = 0;
    for (int n = 0; n < 135; ++n) {
        off = fmax(off, fabs(numbers_of(world, "x")[n] - first[n]));
    }
    print_message("lumped: off by %.2e\n", off);
    assert_true(off > 3e-4);
    mote_world_destroy(world);
}

static const char BAR[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-3}, \"integrator\": \"implicit_euler\","
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [1, 0.01, 0.01],"
    "   \"nx\": %d, \"ny\": 2, \"nz\": 2, \"tetrahedra\": 5},"
    "  \"model\": {\"type\": \"fem\", \"mass\": \"%s\","
    "   \"material\": {\"type\": \"linear\", \"young\": 1e6, \"poisson\": 0}}, \"pins\": [{\"set\": "
    "\"x0\"}]}]}";

static double lowest(const char *format, int n, const char *mass, double least)
{
    double omega[60];
    mote_world *world = world_printf(1, format, n, mass);
    int count = mote_world_rows(world, 0) > 30 ? 40 : 10;
    find_modes(world, count, omega);
    mote_world_destroy(world);
    int k = 0;
    while (k < count - 1 && omega[k] < least) {
        ++k;
    }
    return omega[k];
}

/* Longitudinal waves in a bar of nu = 0 fixed at one end: omega = pi/2 c/L. In the limit of a
 * thin bar of n elements the consistent masses are those of the one-dimensional chain, omega =
 * sqrt(6 (1 - cos a)/(2 + cos a)) n c/L with a = pi/(2 n), above the exact value; the lumped
 * ones are sqrt(2 (1
 * - cos a)) n c/L, below it. Bending, torsion and breathing have other frequencies. */
static void frequencies_come_from_above(void **state)
{
    double c = sqrt(1e6 / 1000), exact = 1.5707963267948966 * c;
    (void)state;
    for (int n = 2; n <= 4; n += 2) {
        double a = 1.5707963267948966 / n;
        double above = n * c * sqrt(6 * (1 - cos(a)) / (2 + cos(a))),
               below = n * c * sqrt(2 * (1 - cos(a)));
        double consistent = lowest(BAR, n + 1, "consistent", 0.995 * above);
        double lumped = lowest(BAR, n + 1, "lumped", 0.995 * below);
        print_message("%d cells: %.6g and %.6g, chains %.6g and %.6g, exact %.6g\n", n, consistent,
                      lumped, above, below, exact);
        assert_true(consistent > exact && lumped < exact);
        assert_true(fabs(consistent - above) < 2e-3 * above);
        assert_true(fabs(lumped - below) < 2e-3 * below);
    }
}

/* Weight does not depend on the mass distribution: the same static equilibrium up to the
 * solver's tolerance. */
static void weight_is_the_same(void **state)
{
    static const char HANGING[] =
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"integrator\": \"implicit_euler\","
        " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [0.3, 0.1, 0.1],"
        "   \"nx\": 4, \"ny\": 2, \"nz\": 2, \"tetrahedra\": 5},"
        "  \"model\": {\"type\": \"fem\", \"mass\": \"%s\","
        "   \"material\": {\"type\": \"stvk\", \"young\": 1e5, \"poisson\": 0.3}}, \"pins\": [{\"set\": "
        "\"x0\"}]}]}";
    mote_world *world[2];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        world[k] = world_printf(1, HANGING, k ? "consistent" : "lumped");
        solve_static(world[k]);
    }
    for (int64_t n = 0; n < 3 * mote_world_rows(world[0], 0); ++n) {
        assert_true(fabs(numbers_of(world[0], "x")[n] - numbers_of(world[1], "x")[n]) < 1e-9);
    }
    mote_world_destroy(world[0]);
    mote_world_destroy(world[1]);
}

/* A moving clamp accelerates half a cell of the bar, consistently with all integrators. */
static void shaken_clamps_agree(void **state)
{
    static const char SHAKEN[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": %g}, \"integrator\": %s,"
        " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [0.2, 0.1, 0.1],"
        "   \"nx\": 3, \"ny\": 2, \"nz\": 2, \"tetrahedra\": 5},"
        "  \"model\": {\"type\": \"fem\", \"mass\": \"consistent\","
        "   \"material\": {\"type\": \"stvk\", \"young\": 1e5, \"poisson\": 0.3}},"
        "  \"pins\": [{\"set\": \"x0\", \"motion\": {\"type\": \"oscillate\", \"frequency\": 20,"
        "     \"amplitude\": [0.02, 0, 0]}}]}]}";
    static const char *const INTEGRATORS[] = {"\"velocity_verlet\"", "\"newmark\"",
                                              "\"implicit_midpoint\"", "\"bdf2\""};
    double tip[4];
    (void)state;
    for (int k = 0; k < 4; ++k) {
        mote_world *world = world_printf(1, SHAKEN, 5e-5, INTEGRATORS[k]);
        step_by(world, 600);
        tip[k] = numbers_of(world, "x")[3 * (mote_world_rows(world, 0) - 1)] - 0.2;
        print_message("%s: %.8g\n", INTEGRATORS[k], tip[k]);
        assert_true(fabs(tip[k] - tip[0]) < 1e-5);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_are_those_of_the_body),
        cmocka_unit_test(integrators_agree),
        cmocka_unit_test(frequencies_come_from_above),
        cmocka_unit_test(weight_is_the_same),
        cmocka_unit_test(shaken_clamps_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
