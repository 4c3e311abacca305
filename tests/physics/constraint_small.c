/*
 * Tiny position-based bodies that fall on the ground, soft and stiff, with long steps and few
 * iterations: unconverged, but no impact adds energy.
 */
#include "worlds.h"

#include <math.h>

#define FALL(time, keys, mesh, model) \
    "{\"time\": {\"end\": 1" time "}, " keys "\"bodies\": [{\"mesh\": " mesh \
    ", \"density\": 1000, \"model\": " model "}], " \
    "\"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.5}]}"

#define CUBE \
    "{\"type\": \"block\", \"min\": [0, 0, 0.2], \"max\": [0.2, 0.2, 0.4], \"nx\": 2, " \
    "\"ny\": 2, \"nz\": 2, \"tetrahedra\": 5}"
#define SMALL \
    "{\"type\": \"block\", \"min\": [0, 0, 0.01], \"max\": [0.01, 0.01, 0.02], \"nx\": 2, " \
    "\"ny\": 2, \"nz\": 2, \"tetrahedra\": 6}"
#define PAIR(young, poisson) \
    "{\"type\": \"xpbd\", \"constraints\": [{\"type\": \"neo_hookean_pair\", \"young\": " young \
    ", \"poisson\": " poisson "}]}"
#define ENERGY(material) \
    "{\"type\": \"xpbd\", \"constraints\": [{\"type\": \"strain_energy\", \"material\": " \
    "{\"type\": \"" material "\", \"young\": 1e8}}]}"

static const char *const SCENES[] = {
    FALL("", "", CUBE, "\"xpbd\""),
    FALL("", "", CUBE, "\"pbd\""),
    FALL("", "", SMALL, "\"xpbd\""),
    FALL("", "", CUBE, PAIR("1e2", "0.3")),
    FALL("", "", CUBE, PAIR("1e8", "0")),
    FALL("", "", CUBE, PAIR("1e8", "0.3")),
    FALL("", "", CUBE, PAIR("1e8", "0.49")),
    FALL("", "", CUBE, PAIR("1e10", "0.3")),
    FALL("", "", CUBE, ENERGY("stable_neo_hookean")),
    FALL("", "", CUBE, ENERGY("corotated")),
    FALL(", \"step\": 0.1", "", CUBE, "\"xpbd\""),
    FALL("", "\"constraints\": {\"solver\": \"jacobi\"}, ", CUBE, PAIR("1e8", "0.45")),
    FALL("", "\"constraints\": {\"solver\": \"newton_gauss_seidel\"}, ", CUBE, PAIR("1e7", "0.45")),
};

/* The height of the centre of mass stays below that of the start, and the body ends at rest. */
static void test_falls(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof SCENES / sizeof *SCENES; ++k) {
        mote_world *world = world_of(SCENES[k], 1);
        mote_measures measures;
        mote_error error;
        int steps = 0;
        assert_int_equal(mote_world_measure(world, &measures, &error), MOTE_OK);
        double start = measures.potential, most = start, fastest = 0;
        while (mote_world_time(world) < 2) {
            step_by(world, 1);
            assert_int_equal(mote_world_measure(world, &measures, &error), MOTE_OK);
            most = fmax(most, measures.potential);
            fastest = fmax(fastest, measures.kinetic);
            ++steps;
        }
        if (!(most <= 1.001 * start && measures.kinetic < 0.02 * fastest)) {
            fail_msg("scene %zu: potential energy %g J at the start, at most %g; kinetic energy at "
                     "most %g, %g after %d steps",
                     k, start, most, fastest, measures.kinetic, steps);
        }
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
