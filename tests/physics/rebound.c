/* Rebounds that implicit steps damp: the warning, and whether its number is that of the run. */
#include "worlds.h"

#include <math.h>

/* An elastic cube of 0.2 m, sqrt(E/rho) = 14 m/s, falls on a floor. */
static const char CUBE[] =
    "{\"time\": {\"end\": 1, \"step\": %g}, \"integrator\": \"%s\", \"bodies\": [{\"density\": 1000,"
    " \"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0.05], \"max\": [0.2, 0.2, 0.25], \"nx\": 5,"
    " \"ny\": 5, \"nz\": 5, \"tetrahedra\": 5}, \"velocity\": [0, 0, -2], \"model\": {\"type\": \"fem\","
    " \"material\": {\"type\": \"stable_neo_hookean\", \"young\": 2e5, \"poisson\": 0.3}}}],"
    " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"restitution\": %g}]}";
/* A particle on a contact spring of 1e4 N/m: the impact lasts pi/100 s. */
static const char BALL[] =
    "{\"time\": {\"end\": 1, \"step\": %g}, \"integrator\": \"%s\", \"bodies\": [{\"mesh\": {\"type\": "
    "\"points\", \"positions\": [[0, 0, 0.06]]}, \"radius\": 0.05, \"mass\": 1, \"velocity\": [0, 0, "
    "-2]}], \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"restitution\": %g, \"contact\": "
    "{\"type\": \"penalty\", \"stiffness\": 1e4}}]}";

/* The largest upward momentum of the run, until 0.15 s. */
static double rebound(const char *scene, double h, const char *integrator, double restitution)
{
    mote_world *world = world_printf(1, scene, h, integrator, restitution);
    double most = 0;
    for (double t = 0; t < 0.15; t += 0.005) {
        advance_to(world, t);
        most = fmax(most, measures_of(world).momentum[2]);
    }
    mote_world_destroy(world);
    return most;
}

/* The percentage in the warning; -1: there is none. */
static double warned(const char *scene, double h, const char *integrator)
{
    mote_world *world = world_printf(1, scene, h, integrator, 0.9);
    const char *text = warning_with(world, "of the rebound's speed");
    const char *number = text ? strstr(text, "leave about ") : NULL;
    double percent = number ? atof(number + 12) : -1;
    mote_world_destroy(world);
    return percent;
}

static void damped_rebounds_are_reported(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const char *scene = k ? BALL : CUBE;
        double e = k ? 0.9 : 0, exact = rebound(scene, 1e-4, "velocity_verlet", e);
        for (double h = 0.002; h < 0.01; h *= 2) {
            double part = rebound(scene, h, "implicit_euler", e) / exact;
            double said = 0.01 * warned(scene, h, "implicit_euler");
            print_message("%s, %g s: %.2f of the rebound, %.2f in the warning\n",
                          k ? "ball" : "cube", h, part, said);
            assert_true(said > 0 && fabs(said - part) < 0.2);
        }
        assert_true(warned(scene, 2e-4, "implicit_euler") < 0);
        assert_true(warned(scene, 0.002, "bdf2") < 0 && warned(scene, 1e-4, "velocity_verlet") < 0);
    }
}

/* Schemes without numerical damping: coarse impacts. */
static void unresolved_impacts_are_reported(void **state)
{
    (void)state;
    mote_world *world = world_printf(1, CUBE, 0.01, "newmark", 0.5);
    need_warning(world, "the rebound may gain energy");
    mote_world_destroy(world);
    world = world_printf(1, CUBE, 0.01, "newmark", 0.0);
    assert_null(warning_with(world, "rebound"));
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damped_rebounds_are_reported),
                                       cmocka_unit_test(unresolved_impacts_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
