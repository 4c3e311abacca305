/*
 * Wind on surfaces: closed forms of the force on plates, both laws; gusts and turbulence that are
 * correlated and reproducible; a fluttering flag.
 */
#include "worlds.h"

#define PLATE \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-6}, \"integrator\": \"%s\", " \
    "\"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"u\": [2, 0, 0], \"v\": [0, %.17g, %.17g], " \
    "\"columns\": 5, \"rows\": 4}, \"mass\": 1, \"velocity\": [0, 0, %g]}], \"forces\": [{\"type\": " \
    "\"wind\", \"velocity\": [0, 0, 10], \"density\": 1.3, \"drag\": 1.1, \"lift\": 0.7, " \
    "\"friction\": 0.05, \"law\": \"%s\"}]}"

/* Total force on a plate of 2 m x 1.5 m inclined by `angle` from the normal position. */
static void check_plate(const char *law, double angle, double speed, const double expected[3])
{
    double c = cos(angle), s = sin(angle), sum[3] = {0, 0, 0};
    mote_world *world = world_printf(1, PLATE, "symplectic_euler", 1.5 * c, 1.5 * s, speed, law);
    step_by(world, 1);
    const double *a = numbers_of(world, "a"), *mass = numbers_of(world, "mass");
    for (int row = 0; row < 20; ++row) {
        for (int k = 0; k < 3; ++k) {
            sum[k] += mass[row] * a[3 * row + k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(sum[k] - expected[k]) < 1e-3)) {
            fail_msg("%s, angle %g: force %d is %g N, expected %g N", law, angle, k, sum[k],
                     expected[k]);
        }
    }
    mote_world_destroy(world);
}

/* rho/2 c_d A v^2 normal to the wind, with the relative velocity; inclined by the formula of
 * wind.c. */
static void plates_receive_the_force_of_their_law(void **state)
{
    (void)state;
    const double half = 0.5 * 1.3 * 3, zero = 0, u = 10, u4 = 6;
    check_plate("flat_plate", 0, 0, (double[]){0, 0, half * 1.1 * u * u});
    check_plate("keckeisen2004", 0, 0, (double[]){0, 0, half * 1.1 * u * u});
    check_plate("flat_plate", 0, 4, (double[]){0, 0, half * 1.1 * u4 * u4});
    check_plate("flat_plate", 0, u, (double[]){zero, zero, zero});
    double angle = 0.6, w = u * cos(angle), n[3] = {0, -sin(angle), cos(angle)};
    double pressure = half * w * (0.7 * (u - w) + 1.1 * w), slip[3] = {0, -w * n[1], u - w * n[2]};
    check_plate("flat_plate", angle, 0,
                (double[]){0, pressure * n[1] + half * 0.05 * u * slip[1],
                           pressure * n[2] + half * 0.05 * u * slip[2]});
    check_plate(
        "keckeisen2004", angle, 0,
        (double[]){0, half * w * 0.7 * u * n[1], half * w * (1.1 * u + 0.7 * (u * n[2] - w))});
}

/* A closed surface is exposed on its front only: a cube receives the force on its front face. */
static void closed_bodies_receive_it_on_their_front(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-6}, \"bodies\": [{\"mesh\": "
        "{\"type\": \"block\", \"nx\": 3, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, \"mass\": 1}], "
        "\"forces\": [{\"type\": \"wind\", \"velocity\": [5, 0, 0], \"density\": 1.2, \"drag\": 1, "
        "\"friction\": 0}]}",
        1);
    step_by(world, 1);
    double sum = 0;
    for (int row = 0; row < 27; ++row) {
        sum += numbers_of(world, "mass")[row] * numbers_of(world, "a")[3 * row];
    }
    assert_near(sum, 0.5 * 1.2 * 25, 1e-3);
    mote_world_destroy(world);
}

/* ---- the flag ---- */

#define FLAG \
    "{\"time\": {\"end\": 9, \"step\": 0.0004}, \"integrator\": \"symplectic_euler\", \"bodies\": [" \
    "{\"mesh\": {\"type\": \"cloth\", \"u\": [1.5, 0, 0], \"v\": [0, 0, 0.25], \"columns\": 25, " \
    "\"rows\": 5}, \"density\": 0.3, \"model\": {\"type\": \"spring\", \"k\": 20, \"shear\": 0.3, " \
    "\"bend\": 0.6, \"damping_spring\": 0.002}, \"pins\": [{\"region\": {\"type\": \"box\", " \
    "\"min\": [-0.01, -1, -1], \"max\": [0.01, 1, 1]}}]}], \"forces\": [{\"type\": \"wind\", " \
    "\"velocity\": [%g, 0, 0], \"lift\": 1.2, \"turbulence\": 0.01, \"seed\": %d, \"gust\": %g, \"gust_period\": 0.2, \"gust_duration\": 0.1}]}"

enum { SAMPLES = 100, TIP = 2 * 25 + 24 };

/* The deflection of the middle of the free edge, 50 times a second from t = 2 s on. */
static void record_tip(mote_world *world, double *y)
{
    for (int k = 0; k < SAMPLES; ++k) {
        advance_to(world, 2 + 0.02 * k);
        y[k] = numbers_of(world, "x")[3 * TIP + 1];
    }
}

/* In 8 m/s the tip oscillates by at least a tenth of the length, several times per second. */
static void a_flag_flutters(void **state)
{
    (void)state;
    double y[SAMPLES], mean = 0, most = 0;
    int crossings = 0;
    mote_world *world = world_printf(1, FLAG, 8.0, 0, 0.0);
    record_tip(world, y);
    for (int k = 0; k < SAMPLES; ++k) {
        mean += y[k] / SAMPLES;
    }
    for (int k = 1; k < SAMPLES; ++k) {
        most = fmax(most, fabs(y[k] - mean));
        crossings += (y[k] - mean) * (y[k - 1] - mean) < 0;
    }
    if (!(most > 0.15 && fabs(mean) < 0.5 * most && crossings >= 4 && crossings <= 30)) {
        fail_msg("amplitude %g m, mean %g m, %d crossings in 2 s", most, mean, crossings);
    }
    mote_world_destroy(world);
}

/* The same seed gives the same wind on any number of threads and after a restart, another seed
 * another one, and gusts act. */
static void winds_are_repeatable(void **state)
{
    (void)state;
    mote_world *a = world_printf(1, FLAG, 8.0, 3, 0.5), *b = world_printf(3, FLAG, 8.0, 3, 0.5);
    mote_world *other = world_printf(1, FLAG, 8.0, 4, 0.5),
               *calm = world_printf(1, FLAG, 8.0, 3, 0.);
    step_by(a, 300);
    copy_state(a, b);
    step_by(a, 300);
    step_by(b, 300);
    step_by(other, 600);
    step_by(calm, 600);
    assert_true(mote_world_state_hash(a) == mote_world_state_hash(b));
    assert_true(mote_world_state_hash(a) != mote_world_state_hash(other));
    assert_true(mote_world_state_hash(a) != mote_world_state_hash(calm));
    mote_world_destroy(a);
    mote_world_destroy(b);
    mote_world_destroy(other);
    mote_world_destroy(calm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_receive_the_force_of_their_law),
        cmocka_unit_test(closed_bodies_receive_it_on_their_front),
        cmocka_unit_test(a_flag_flutters),
        cmocka_unit_test(winds_are_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
