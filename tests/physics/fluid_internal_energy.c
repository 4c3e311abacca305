/*
 * The internal energy of weakly compressible fluids is part of the total energy: fluid released
 * from compression turns it into kinetic energy, without boundaries and in boxes of every boundary
 * with a potential.
 */
#include "worlds.h"

typedef struct release {
    const char *name, *fluid, *rest;
} release;

#define TANK \
    ", \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], " \
    "\"max\": [1, 1, 1]}}]"
static const release RELEASES[] = {
    {"drop", "", ""},
    {"drop of two densities",
     ", \"phases\": [{\"density\": 10, \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.5, "
     "0.25, 1]}]}, {\"density\": 1000, \"fill\": [{\"type\": \"box\", \"min\": [0, 0.25, -1], "
     "\"max\": [0.5, 0.5, 1]}]}]",
     ""},
    {"continuum", ", \"boundary\": \"continuum\"", TANK},
    {"samples", ", \"boundary\": \"samples\"", TANK},
    {"fluid_layers", ", \"boundary\": \"fluid_layers\"", TANK},
};

static mote_world *release_world(const release *r)
{
    return world_printf(
        1,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 5e-5}, \"fluid\": "
        "{\"dimension\": 2, \"spacing\": 0.05, \"mass_scale\": 1.08, \"relax\": false, "
        "\"artificial_viscosity\": 0, \"pressure\": {\"type\": \"wcsph\", \"state\": {\"type\": "
        "\"tait\", \"stiffness\": 400}}%s%s}%s}",
        r->fluid,
        strstr(r->fluid, "phases")
            ? ""
            : ", \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.5, 0.5, "
              "1]}]}]",
        r->rest);
}

static void internal_energy_becomes_kinetic(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof RELEASES / sizeof *RELEASES; ++k) {
        mote_world *world = release_world(&RELEASES[k]);
        mote_measures start, now;
        double most = 0, error = 0;
        assert_int_equal(mote_world_measure(world, &start, NULL), MOTE_OK);
        double stored = start.elastic;
        for (int step = 0; step < 400; ++step) {
            assert_int_equal(mote_world_step(world, NULL, NULL), MOTE_OK);
            assert_int_equal(mote_world_measure(world, &now, NULL), MOTE_OK);
            most = fmax(most, now.kinetic / stored);
            error = fmax(error, fabs(now.kinetic + now.elastic - stored) / stored);
        }
        print_message("%s: %.3g J, %.3f kinetic, error %.4f\n", RELEASES[k].name, stored, most,
                      error);
        assert_true(stored > 1 && most > 0.5 && error < 0.02);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(internal_energy_becomes_kinetic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
