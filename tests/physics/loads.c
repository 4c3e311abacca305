/*
 * Loads in static equilibrium: pressure on fixed bodies, and loads at the end of the scene's time.
 */
#include "worlds.h"

#include <math.h>
#include <string.h>

#define BEAM(loads) \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}," \
    " \"bodies\": [{\"density\": 1000, \"pins\": [{\"set\": \"start\"}], \"loads\": [" loads "]," \
    "  \"mesh\": {\"type\": \"beam\", \"segments\": 20, \"across\": 2, \"high\": 2}," \
    "  \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 1e6, \"poisson\": " \
    "0}}}]}"

/* The lowest position in equilibrium. */
static double rest_depth(const char *text, int64_t most_iterations)
{
    mote_world *world = world_of(text, 1);
    mote_static_report report = solve_static(world);
    const double *x = numbers_of(world, "x");
    double low = INFINITY;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        low = fmin(low, x[3 * row + 2]);
    }
    print_message("%lld iterations\n", (long long)report.iterations);
    assert_true(report.iterations <= most_iterations);
    mote_world_destroy(world);
    return low;
}

/* Pressure with little deflection of a beam equals its resultant as a dead load. */
static void pressure_is_a_force(void **state)
{
    (void)state;
    double start = rest_depth(BEAM(""), 40);
    double pressed = start - rest_depth(BEAM("{\"set\": \"top\", \"pressure\": 1}"), 20);
    double pulled = start - rest_depth(BEAM("{\"set\": \"top\", \"force\": [0, 0, -0.1]}"), 20);
    print_message("pressed %.8g m, pulled %.8g m\n", pressed, pulled);
    assert_true(pressed > 1e-4);
    assert_true(fabs(pressed / pulled - 1) < 1e-3);
}

/* A deflection of a tenth of the length is nearly linear. */
static void pressure_bends_far(void **state)
{
    (void)state;
    double start = rest_depth(BEAM(""), 40);
    double pressed = start - rest_depth(BEAM("{\"set\": \"top\", \"pressure\": 100}"), 40);
    double little = start - rest_depth(BEAM("{\"set\": \"top\", \"pressure\": 1}"), 20);
    print_message("pressed %.8g m, a hundred times less %.8g m\n", pressed, little);
    assert_true(fabs(pressed / (100 * little) - 1) < 0.02);
}

/* Plastic flow is disabled in a static solve, which is reported. */
static void fluid_at_rest_has_no_flow(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"density\": 1000,"
        " \"mesh\": {\"type\": \"beam\", \"segments\": 4, \"across\": 2, \"high\": 2}, \"pins\": [{\"set\": "
        "\"start\"}],"
        " \"loads\": [{\"set\": \"end\", \"force\": [500, 0, 0]}], \"model\": {\"type\": \"fem\", \"yield\": "
        "0.01,"
        " \"material\": {\"type\": \"stvk\", \"young\": 1e6, \"poisson\": 0}}}]}",
        1);
    solve_static(world);
    assert_int_equal(mote_world_warning_count(world), 1);
    assert_says(mote_world_warning(world, 0).text, "keeps the plastic strain fixed");
    mote_world_destroy(world);
}

static double lowest_frequency(const char *text)
{
    mote_scene *scene = scene_of(text);
    mote_error error = {0};
    double omega = 0;
    need(mote_run_modes(scene, NULL, NULL, 1, true, &omega, &error), &error, "modes");
    mote_scene_destroy(scene);
    return omega;
}

/* An increasing tension is fully applied at the end, and raises the frequencies. */
static void frequencies_at_rest_are_those_at_the_end(void **state)
{
    (void)state;
    double loose = lowest_frequency(BEAM("")),
           pulled = lowest_frequency(BEAM("{\"set\": \"end\", \"force\": [500, 0, 0]}")),
           growing = lowest_frequency(
               BEAM("{\"set\": \"end\", \"force\": [500, 0, 0], \"scale\": [[0, 0], [1, 1]]}"));
    print_message("loose %.6g, pulled %.6g, growing %.6g rad/s\n", loose, pulled, growing);
    assert_true(pulled > 1.5 * loose);
    assert_true(fabs(growing / pulled - 1) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_is_a_force),
                                       cmocka_unit_test(pressure_bends_far),
                                       cmocka_unit_test(fluid_at_rest_has_no_flow),
                                       cmocka_unit_test(frequencies_at_rest_are_those_at_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
