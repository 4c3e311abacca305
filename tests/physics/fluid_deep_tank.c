/*
 * The accelerated pressure iteration in a deep tank: 80 rows of particles at steps of 4 ms, an
 * average density error of 0.01 %. Plain Jacobi needs 1,300 iterations, since pressure propagates
 * one layer per iteration; fewer iterations must not excite the fluid.
 */
#include "worlds.h"

#include "system/fluid/fluid.h"
#include "world/world.h"

enum { STEPS = 60 };

typedef struct tank {
    const char *pressure;
    double most; /* mean iterations per step */
} tank;

static void check(const tank *t)
{
    mote_world *world = world_printf(
        1,
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": 0.004},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.02, \"viscosity\": {\"type\": "
        "\"laplacian\", \"nu\": 1e-3},"
        "   \"pressure\": {\"type\": \"%s\", \"tolerance\": 1e-4, \"max_iterations\": 10000},"
        "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0.01, 0.01, -1], \"max\": "
        "[0.21, 1.61, 1]}]}]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1],"
        "   \"max\": [0.22, 2, 1]}}]}",
        t->pressure);
    const mo_fluid_report *report =
        &((const mo_fluid_system *)world->systems[0].state)->fluid.report;
    double iterations = 0, fall = 9.81 * 1.6 * measures_of(world).mass;
    for (int step = 0; step < STEPS; ++step) {
        mote_error error = {0};
        assert_int_equal(mote_world_step(world, NULL, &error), MOTE_OK);
        iterations += report->iterations;
        assert_true(report->density_error < 1e-4 || step == 0);
    }
    print_message("%s: %.0f iterations a step, kinetic energy %.2g of m g H\n", t->pressure,
                  iterations / STEPS, measures_of(world).kinetic / fall);
    assert_true(iterations / STEPS < t->most);
    assert_true(measures_of(world).kinetic < 1e-3 * fall);
    mote_world_destroy(world);
}

static void test_dfsph(void **state)
{
    (void)state;
    check(&(tank){"dfsph", 220});
}

static void test_iisph(void **state)
{
    (void)state;
    check(&(tank){"iisph", 220});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dfsph), cmocka_unit_test(test_iisph)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
