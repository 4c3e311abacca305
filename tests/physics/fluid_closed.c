/*
 * Closed and periodic domains without a free surface: without external work kinetic energy never
 * exceeds its initial value. Under a moving lid it is a small fraction of that at the speed of the
 * lid.
 */
#include "worlds.h"

#include <math.h>

/* Initial density errors off the lattice, whose relaxation adds a few joules. */
#define SLACK 1.01

static const char *const SOLVERS[] = {"dfsph", "iisph", "pbf"};

/* The largest kinetic energy until `end`, relative to the initial one, or in joules if that is
 * zero. */
static double largest_kinetic(mote_world *world, double end)
{
    double start = measures_of(world).kinetic, most = 0;
    while (mote_world_time(world) < end) {
        mote_error error = {0};
        assert_int_equal(mote_world_step(world, NULL, &error), MOTE_OK);
        most = fmax(most, measures_of(world).kinetic);
    }
    mote_world_destroy(world);
    print_message("largest kinetic energy %.4g\n", start > 0 ? most / start : most);
    return start > 0 ? most / start : most;
}

/* `columns` in the width of the box: 23.99 leave a gap, which is a free surface. */
static mote_world *eddies(const char *solver, const char *more, double nu, int dimension,
                          double columns)
{
    double depth = dimension == 2 ? 1 : 0.5, bottom = dimension == 2 ? -1 : 0;
    return world_printf(
        1,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\","
        " \"max\": 0.01, \"min\": 1e-4}},"
        " \"domain\": {\"min\": [0, 0, %g], \"max\": [1, 1, %g], \"periodic\": \"%s\"},"
        " \"fluid\": {\"dimension\": %d, \"spacing\": %.17g, \"pressure\": \"%s\", %s"
        "   \"viscosity\": {\"type\": \"laplacian\", \"nu\": %g},"
        "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, %g], \"max\": [1, 1, %g]}],"
        "     \"flow\": {\"type\": \"taylor_green\", \"speed\": 1, \"length\": 1}}]}}",
        bottom, depth, dimension == 2 ? "xy" : "xyz", dimension, 1 / columns, solver, more, nu,
        bottom, depth);
}

static void test_periodic(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof SOLVERS / sizeof *SOLVERS; ++k) {
        assert_true(largest_kinetic(eddies(SOLVERS[k], "", 1e-4, 2, 24), 0.4) < SLACK);
        assert_true(largest_kinetic(eddies(SOLVERS[k], "\"jitter\": 0.1,", 0, 2, 24), 0.4) < SLACK);
        assert_true(largest_kinetic(eddies(SOLVERS[k], "", 1e-4, 3, 12), 0.4) < SLACK);
    }
}

static void test_periodic_with_shifting(void **state)
{
    (void)state;
    const char *shifted = "\"jitter\": 0.1, \"shifting\": \"lind2012\",";
    for (size_t k = 0; k < sizeof SOLVERS / sizeof *SOLVERS; ++k) {
        assert_true(largest_kinetic(eddies(SOLVERS[k], shifted, 1e-3, 2, 24), 0.5) < SLACK);
        assert_true(largest_kinetic(eddies(SOLVERS[k], shifted, 1e-3, 2, 23.99), 0.5) < SLACK);
    }
}

/* From a lattice that the flow strains until its rows break, at a Reynolds number of 1000 and
 * Courant numbers of 0.4: the dissipation of the projection, of first order in the step, takes 13 %
 * of exp(-16 pi^2 nu t) in 0.8 s (docs/fluid_accuracy.md). */
static void compare_eddies(const char *fill, double nu, double loss)
{
    char more[80];
    snprintf(more, sizeof more, "\"quality\": \"accurate\", %s", fill);
    mote_world *world = eddies("isph", more, nu, 2, 40);
    double start = measures_of(world).kinetic, end = start, most = 0;
    while (mote_world_time(world) < 0.8) {
        step_by(world, 1);
        end = measures_of(world).kinetic;
        most = fmax(most, end);
    }
    double time = mote_world_time(world), expected = exp(-16 * M_PI * M_PI * nu * time) * start;
    mote_world_destroy(world);
    print_message("kinetic energy %.4f of theory, at most %.4f of its start\n", end / expected,
                  most / start);
    assert_true(most <= start && end < expected && end > (1 - loss) * expected);
}

/* Small and large perturbations break the lattice early and late. */
static void test_accurate_eddies(void **state)
{
    (void)state;
    compare_eddies("", 1e-3, 0.14);
    compare_eddies("\"jitter\": 0.001,", 1e-5, 0.14);
    compare_eddies("\"jitter\": 0.1,", 1e-3, 0.14);
}

/* Three phases in an over-filled periodic box, where the diagonal of the pressure system differs a
 * hundredfold between them: the uniform compression accelerates none. */
static void test_phases(void **state)
{
    (void)state;
    static const char *const METHODS[] = {"dfsph", "iisph", "pbf"};
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.002},"
            " \"domain\": {\"min\": [0, 0, -1], \"max\": [1, 1, 1], \"periodic\": \"xy\"},"
            " \"fluid\": {\"dimension\": 2, \"spacing\": 0.0562, \"pressure\": \"%s\","
            "   \"viscosity\": 1e-4, \"phases\": ["
            "   {\"density\": 1000, \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1],"
            "     \"max\": [1, 0.33333333333333, 1]}], \"flow\": {\"type\": \"taylor_green\","
            "     \"speed\": 0.3, \"length\": 1}},"
            "   {\"density\": 10, \"fill\": [{\"type\": \"box\", \"min\": [0, 0.33333333333333, -1],"
            "     \"max\": [1, 0.66666666666667, 1]}], \"flow\": {\"type\": \"taylor_green\","
            "     \"speed\": 0.3, \"length\": 1}},"
            "   {\"density\": 900, \"fill\": [{\"type\": \"box\", \"min\": [0, 0.66666666666667, -1],"
            "     \"max\": [1, 1, 1]}], \"flow\": {\"type\": \"taylor_green\", \"speed\": 0.3,"
            "     \"length\": 1}}]}}",
            METHODS[k]);
        assert_true(largest_kinetic(world, 0.1) < SLACK);
    }
}

/* 903 kg: at the speed of the lid it would have 450 J. */
static void test_cavity_with_shifting(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof SOLVERS / sizeof *SOLVERS; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\","
            " \"max\": 0.01, \"min\": 1e-4}},"
            " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05, \"pressure\": \"%s\", \"jitter\": 0.1,"
            "   \"shifting\": \"lind2012\", \"viscosity\": {\"type\": \"laplacian\", \"nu\": 1e-4},"
            "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0.025, 0.025, -1],"
            "     \"max\": [0.975, 0.975, 1]}]}]},"
            " \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1.1, 1]},"
            "   \"inside\": true}, {\"shape\": {\"type\": \"box\", \"min\": [-20, 1, -1], \"max\": [20, 1.1, "
            "1]},"
            "   \"motion\": {\"type\": \"translate\", \"velocity\": [1, 0, 0]}}]}",
            SOLVERS[k]);
        assert_true(largest_kinetic(world, 1) < 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_periodic_with_shifting),
        cmocka_unit_test(test_accurate_eddies),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_cavity_with_shifting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
