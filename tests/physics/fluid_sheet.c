/*
 * A sheet of one layer of particles in three dimensions: neighbours are coplanar up to rounding, so
 * that the strain of the artificial viscosity is undetermined across it. It must stay finite, also
 * with the implicit viscosity, and bend under surface tension at the step of its limit.
 */
#include "fluid_worlds.h"

#include <math.h>

static void run_sheet(const char *viscosity)
{
    mote_error error = {0};
    mote_world *world = world_printf(
        1,
        "{\"up\": \"y\", \"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 0.01}},"
        " \"fluid\": {\"spacing\": 0.05, \"viscosity\": {\"type\": \"%s\", \"nu\": 0.05},"
        "  \"surface_tension\": {\"type\": \"akinci2013\", \"gamma\": 3}, \"phases\": [{"
        "  \"velocity\": [0.5, -1, 0], \"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0],"
        "  \"max\": [0.25, 0.3, 0.05]}]}]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1],"
        "  \"max\": [0.6, 0.8, 1]}}]}",
        viscosity);
    mote_measures first, last;
    need(mote_world_measure(world, &first, &error), &error, "measure");
    need(mote_world_advance(world, 0.1, NULL, &error), &error, viscosity);
    need(mote_world_measure(world, &last, &error), &error, "measure");
    assert_true(isfinite(last.kinetic) && last.kinetic < 4 * first.kinetic);
    mote_world_destroy(world);
}

static void test_sheet(void **state)
{
    (void)state;
    run_sheet("laplacian");
    run_sheet("implicit_corotational");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sheet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
