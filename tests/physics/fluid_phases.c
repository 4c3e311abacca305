/*
 * Two fluids of very different densities in a tank, one above the other. The diagonal of implicit
 * solvers is compared with the response to a pressure at one particle; then densities, and
 * convergence.
 */
#include "worlds.h"

#include "system/fluid/fluid.h"
#include "world/world.h"

#include <stdlib.h>

static mote_world *layers(double bottom, double top, const char *pressure, const char *step)
{
    return world_printf(
        2,
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": %s},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.04, \"pressure\": %s,"
        "   \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.002},"
        "   \"phases\": [{\"density\": %g, \"fill\": [{\"type\": \"box\", \"min\": [0.02, 0.02, -1],"
        "     \"max\": [0.38, 0.18, 1]}]}, {\"density\": %g, \"fill\": [{\"type\": \"box\","
        "     \"min\": [0.02, 0.18, -1], \"max\": [0.38, 0.34, 1]}]}]},"
        " \"colliders\": [{\"name\": \"tank\", \"inside\": true,"
        "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.4, 0.5, 1]}}]}",
        step, pressure, bottom, top);
}

/* L_i of a pressure at i alone, by the solver's passes. */
static void the_diagonal_is_the_response_of_a_row_to_its_pressure(void **state)
{
    mote_world *world = layers(1000, 1, "\"dfsph\"", "0.001");
    mo_fluid *f = &((mo_fluid_system *)world->systems[0].state)->fluid;
    mote_error error = {0};
    (void)state;
    step_by(world, 5);
    assert_int_equal(mo_fluid_update(f, 0.005, &error), MOTE_OK);
    float *k = calloc((size_t)f->rows, sizeof *k), *rate = calloc((size_t)f->rows, sizeof *rate);
    for (int64_t row = 0; row < f->rows; ++row) {
        k[row] = 1;
        mo_fluid_pack_numbers(f, k);
        mo_fluid_accelerate(f, k);
        mo_fluid_rates(f, f->acceleration, false, rate);
        double should = (double)(f->diagonal[row] * f->specific[row]);
        if (!(fabs((double)rate[row] + should) <= 1e-4 * should)) {
            fail_msg("row %lld: the diagonal is %g, a pressure gives %g", (long long)row, should,
                     (double)-rate[row]);
        }
        k[row] = 0;
    }
    free(k);
    free(rate);
    mote_world_destroy(world);
}

/* The centres of the fluids: that of density `heavy` is below or above the other's. */
static double center_of(mote_world *world, int phase)
{
    const double *x = numbers_of(world, "x");
    const int32_t *phases = integers_of(world, "phase");
    double sum = 0, count = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        bool in = phases[row] == phase;
        sum += in ? x[3 * row + 1] : 0;
        count += in;
    }
    return sum / count;
}

static void light_fluid_lies_on_heavy_fluid(void **state)
{
    static const char *const SOLVERS[] = {"\"dfsph\"", "\"iisph\"", "\"pbf\""};
    (void)state;
    for (int s = 0; s < 3; ++s) {
        for (double ratio = 10; ratio <= 1000; ratio *= 10) {
            mote_world *world = layers(1000, 1000 / ratio, SOLVERS[s], "0.004");
            step_by(world, 75);
            mote_fluid_summary summary = mote_world_fluid(world);
            if (summary.unconverged > 0 || !(summary.density_error_max < 0.05) ||
                !(center_of(world, 1) - center_of(world, 0) > 0.14)) {
                fail_msg("%s, 1000 to %g: %lld steps not solved, densest %g, layers %g m apart",
                         SOLVERS[s], 1000 / ratio, (long long)summary.unconverged,
                         summary.density_error_max, center_of(world, 1) - center_of(world, 0));
            }
            mote_world_destroy(world);
        }
    }
}

/* The light fluid must support the heavy one, with a displacement in inverse proportion: this
 * requires iterations and small steps. */
static void heavy_fluid_is_supported_by_light_fluid(void **state)
{
    static const struct {
        double ratio;
        const char *step;
    } CASES[] = {{10, "0.004"}, {100, "0.002"}, {1000, "0.0005"}};
    static const char *const SOLVERS[] = {"dfsph", "iisph", "pbf"};
    (void)state;
    for (int s = 0; s < 3; ++s) {
        for (int c = 0; c < 3; ++c) {
            char pressure[100];
            snprintf(pressure, sizeof pressure, "{\"type\": \"%s\", \"max_iterations\": 10000}",
                     SOLVERS[s]);
            mote_world *world = layers(1000 / CASES[c].ratio, 1000, pressure, CASES[c].step);
            step_by(world, 12);
            mote_fluid_summary summary = mote_world_fluid(world);
            if (summary.unconverged > 0 || !(summary.density_error_max < 0.1)) {
                fail_msg("%s, %g below 1000: %lld steps not solved, densest %g", SOLVERS[s],
                         1000 / CASES[c].ratio, (long long)summary.unconverged,
                         summary.density_error_max);
            }
            mote_world_destroy(world);
        }
    }
}

/* With too few iterations it is compressed, which is reported; values stay finite. */
static void compressed_light_fluid_is_warned_about(void **state)
{
    static const char *const SOLVERS[] = {"{\"type\": \"dfsph\", \"max_iterations\": 20}",
                                          "{\"type\": \"iisph\", \"max_iterations\": 20}"};
    (void)state;
    for (int s = 0; s < 2; ++s) {
        mote_world *world = layers(1, 1000, SOLVERS[s], "{\"type\": \"cfl\", \"max\": 0.004}");
        step_by(world, 240);
        assert_true(mo_warned(&world->warnings, "phases") &&
                    mo_warned(&world->warnings, "pressure"));
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_diagonal_is_the_response_of_a_row_to_its_pressure),
        cmocka_unit_test(light_fluid_lies_on_heavy_fluid),
        cmocka_unit_test(heavy_fluid_is_supported_by_light_fluid),
        cmocka_unit_test(compressed_light_fluid_is_warned_about)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
