/*
 * Numerical health: non-finite values stop the run and are located, for every integrator and
 * system.
 */
#include "worlds.h"

#include "integrate/integrator.h"

#include <math.h>
#include <stdlib.h>

/* Two systems in one world: a drop (ids 0 to 63, of 'fluid') and three points (ids 64 to 66, of
   'stones'). */
#define DROP \
    "\"fluid\": {\"spacing\": 0.1, \"phases\": [{\"name\": \"water\", \"velocity\": [0.1, 0, 0], \"fill\": " \
    "[{\"type\": \"box\", \"min\": [5, 5, 5], \"max\": [5.4, 5.4, 5.4]}]}]}"
#define STONES(rest) \
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"stones\", " \
    "\"mesh\": {\"type\": \"points\", \"positions\": [[1, 0, 0], [2, 0, 0], [3, 0, 0]]}" rest \
    "}], " DROP "}"

static double *stones_of(const mote_world *world, const char *column)
{
    return numbers_in(world, mote_world_system_find(world, "forces"), column);
}

static mote_status step_until_failure(mote_world *world, int steps, mote_error *error)
{
    mote_status status = MOTE_OK;
    for (int k = 0; k < steps && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    return status;
}

static void need_failure(mote_world *world, int steps, const char *const *parts)
{
    mote_error error = {0};
    assert_int_equal(step_until_failure(world, steps, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "Likely cause: ");
    assert_says(error.text, "not finite");
    for (; *parts; ++parts) {
        assert_says(error.text, *parts);
    }
    mote_world_destroy(world);
}

/* ---- forces ---- */

/* The second point's force along y. */
static void spoil(void *context, const mote_force_view *view)
{
    if (view->first <= 1 && view->last > 1) {
        view->f[4] = *(const double *)context;
    }
}

static void a_callback_that_is_not_finite_stops_every_integrator(void **state)
{
    (void)state;
    static double numbers[] = {NAN, INFINITY, 1e308};
    for (int method = 0; method < mo_integrators.count; ++method) {
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
            mote_error error = {0};
            mote_world *world =
                world_with_integrator(STONES(""), mo_integrators.methods[method]->name, 0);
            assert_int_equal(mote_world_add_force(world, spoil, &numbers[k], &error), MOTE_OK);
            const char *parts[] = {"step ", "particle 65 of 'stones' (system forces)", "x = [2, ",
                                   NULL};
            need_failure(world, 3, parts);
        }
    }
}

static void a_callback_is_named_as_the_cause(void **state)
{
    (void)state;
    double number = NAN;
    mote_world *world = world_of(STONES(""), 2);
    assert_int_equal(mote_world_add_force(world, spoil, &number, NULL), MOTE_OK);
    const char *parts[] = {"its acceleration is not finite", "callback", "x = [2, 0, 0] m", NULL};
    need_failure(world, 1, parts);
}

static void spoil_torque(void *context, const mote_force_view *view)
{
    (void)context;
    if (view->first <= 1 && view->last > 1) {
        view->torque[3] = NAN;
    }
}

static void a_torque_that_is_not_finite_stops_the_run(void **state)
{
    (void)state;
    static const char *const schemes[] = {"rk4", "velocity_verlet", "implicit_midpoint"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; ++k) {
        mote_world *world = world_printf(1, "{\"integrator\": \"%s\", %s", schemes[k],
                                         STONES(", \"radius\": 0.1, \"oriented\": true") + 1);
        assert_int_equal(mote_world_add_force(world, spoil_torque, NULL, NULL), MOTE_OK);
        const char *parts[] = {"particle 65 of 'stones' (system forces)", "orientation", NULL};
        need_failure(world, 3, parts);
    }
}

/* Forces are finite in the initial state; the square of Newton's right-hand side is not. */
static void a_residual_that_is_not_finite_stops_the_run(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 0.1, \"step\": 0.01}, \"integrator\": \"implicit_euler\", \"bodies\": "
        "[{\"name\": \"rope\", \"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [1e-140, 0, 0], "
        "\"segments\": 4}, \"mass\": 1, \"model\": {\"type\": \"spring\", \"k\": 1e150}, \"pins\": "
        "[{\"set\": \"start\"}]}]}",
        1);
    const char *parts[] = {"step ", "of 'rope' (system forces)", "x = [", NULL};
    need_failure(world, 10, parts);
}

/* ---- positions and velocities ---- */

static void a_contact_that_spoils_positions_stops_the_run(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 0.1, \"step\": 0.001}, \"bodies\": [{\"mesh\": {\"type\": \"points\", "
        "\"positions\": [[1, 0.5, 1]]}, \"radius\": 0.1}], \"colliders\": [{\"shape\": {\"type\": \"box\", "
        "\"min\": [0, 0, 0], \"max\": [2, 1, 1.5]}, \"inside\": true}, {\"shape\": {\"type\": \"plane\", "
        "\"point\": [-1e150, 0, 0], \"normal\": [-1, 0, 1]}}]}",
        1);
    const char *parts[] = {"particle 0 of 'body0'", "before the step: [1, 0.5, 1] m",
                           "colliders[1]", NULL};
    need_failure(world, 1, parts);
}

/* f = 1e4 m v: grows by a factor of 11 per step. */
static void drive(void *context, const mote_force_view *view)
{
    (void)context;
    for (int64_t k = 3 * view->first; k < 3 * view->last; ++k) {
        view->f[k] += 1e4 * view->mass[k / 3] * view->v[k];
    }
}

static void a_particle_without_a_radius_is_bounded_too(void **state)
{
    (void)state;
    mote_world *world = world_of(STONES(", \"velocity\": [1, 0, 0]"), 1);
    mote_error error = {0};
    assert_int_equal(mote_world_add_force(world, drive, NULL, &error), MOTE_OK);
    assert_int_equal(step_until_failure(world, 100, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "particle 64 of 'stones' (system forces)");
    assert_true(fabs(stones_of(world, "v")[0]) < 1e20);
    mote_world_destroy(world);
}

static void a_position_is_bounded_in_every_system(void **state)
{
    (void)state;
    static const char *const columns[] = {"x", "v"};
    static const double numbers[] = {NAN, 1e19};
    for (int k = 0; k < 8; ++k) {
        mote_world *world = world_of(STONES(""), 1);
        int system = k / 4;
        numbers_in(world, system, columns[k % 2])[3 * 2 + 1] = numbers[k / 2 % 2];
        mote_world_invalidate(world, system);
        bool fluid = system == mote_world_system_find(world, "fluid");
        const char *parts[] = {fluid ? "particle 2 of 'fluid' (system fluid)"
                                     : "particle 66 of 'stones' (system forces)",
                               "set by the caller", NULL};
        need_failure(world, 1, parts);
    }
}

static void a_temperature_is_bounded(void **state)
{
    (void)state;
    static const double numbers[] = {NAN, INFINITY, 1e31};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k) {
        mote_world *world = world_of(
            "{\"time\": {\"end\": 1, \"step\": 0.001}, \"forces\": [{\"type\": \"heat\", \"conductivity\": "
            "1, \"range\": 1, \"specific_heat\": 1}], \"bodies\": [{\"name\": \"a\", \"mesh\": {\"type\": "
            "\"points\", \"positions\": [[0, 0, 0], [5, 0, 0]]}}]}",
            1);
        numbers_of(world, "temperature")[1] = numbers[k];
        const char *parts[] = {"particle 1 of 'a' (system forces)", "temperature", NULL};
        need_failure(world, 1, parts);
    }
}

/* ---- sums, equilibria, modes ---- */

static void energies_are_finite_or_refused(void **state)
{
    (void)state;
    mote_world *world = world_of(STONES(", \"velocity\": [1e10, 0, 0]"), 1);
    mote_measures measures;
    mote_error error = {0};
    stones_of(world, "mass")[0] = 1e300;
    assert_int_equal(mote_world_measure(world, &measures, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "kinetic energy");
    mote_world_destroy(world);
}

#define STRETCHED(k, length) \
    "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"name\": \"rope\", \"mesh\": {\"type\": " \
    "\"rope\", \"start\": [0, 0, 0], \"end\": [" length \
    ", 0, 0], \"segments\": 2}, \"mass\": 1, \"model\": " \
    "{\"type\": \"spring\", \"k\": " k "}, \"pins\": [{\"set\": \"start\"}]}]}"

static void a_static_solve_with_forces_that_overflow_fails(void **state)
{
    (void)state;
    static const double ends[] = {1e17, 1.5}; /* of the forces, and of their squares */
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_of(STRETCHED("1e150", "1e-150"), 1);
        mote_error error = {0};
        numbers_of(world, "x")[6] = ends[k];
        mote_world_invalidate(world, 0);
        assert_int_equal(mote_world_solve_static(world, NULL, NULL, &error), MOTE_ERROR_NUMERIC);
        assert_says(error.text, "not finite");
        assert_says(error.text, "Likely cause");
        mote_world_destroy(world);
    }
}

static void modes_with_forces_that_are_not_finite_fail(void **state)
{
    (void)state;
    mote_world *world = world_of(STRETCHED("100", "1"), 1);
    double omega[1], number = NAN;
    mote_error error = {0};
    find_modes(world, 1, omega);
    assert_int_equal(mote_world_add_force(world, spoil, &number, &error), MOTE_OK);
    assert_int_equal(mote_world_modes(world, 1, omega, NULL, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "particle 1 of 'rope' (system forces)");
    mote_world_destroy(world);
}

/* ---- the Courant number ---- */

static void the_fastest_particle_is_named_with_its_system(void **state)
{
    (void)state;
    mote_world *world = world_of(STONES(", \"radius\": 0.001, \"velocity\": [10, 0, 0]"), 1);
    mote_step_report report;
    mote_error error = {0};
    assert_int_equal(mote_world_step(world, &report, &error), MOTE_OK);
    assert_true(fabs(report.courant - 5) < 1e-9);
    assert_int_equal(report.courant_id, 64);
    assert_int_equal(report.courant_system, mote_world_system_find(world, "forces"));
    need_warning(world, "particle 64 of 'stones' (system forces)");
    mote_world_destroy(world);
}

/* ---- outliers in speed ---- */

/* Balls at rest and a fast one, 'dart'. The water of a second system moves slowly. Ids: 64 of
 * the water, 216 of the balls, then the dart. */
static mote_world *world_with_dart(const char *speed)
{
    return world_printf(
        1,
        "{\"time\": {\"end\": 100, \"step\": {\"type\": \"cfl\", \"max\": 0.1}}, \"gravity\": [0, 0, 0], "
        "\"bodies\": [{\"name\": \"rest\", \"radius\": 0.1, \"velocity\": [0, 1, 0], \"mesh\": {\"type\": "
        "\"lattice\", \"kind\": \"sc\", \"nx\": 6, \"ny\": 6, \"nz\": 6, \"spacing\": 1}}, {\"name\": "
        "\"dart\", \"radius\": 0.1, \"velocity\": [%s, 0, 0], \"mesh\": {\"type\": \"points\", "
        "\"positions\": [[0, 0, 50]]}}], " DROP "}",
        speed);
}

static void strays_that_shorten_the_step_are_reported(void **state)
{
    (void)state;
    mote_world *world = world_with_dart("4");
    step_by(world, 500);
    assert_null(warning_with(world, "faster than the others")); /* not immediately */
    step_by(world, 60);
    const char *text = warning_with(world, "faster than the others");
    assert_non_null(text);
    assert_says(text, "particle 280 of 'dart' (system forces)");
    assert_says(text, "with 4 m/s");
    assert_says(text, "1 of ");
    assert_says(text, "speed_limit");
    mote_world_destroy(world);
}

static void a_step_that_all_need_is_not(void **state)
{
    (void)state;
    mote_world *world = world_with_dart("1.5");
    step_by(world, 700);
    assert_null(warning_with(world, "faster than the others"));
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callback_that_is_not_finite_stops_every_integrator),
        cmocka_unit_test(a_callback_is_named_as_the_cause),
        cmocka_unit_test(a_torque_that_is_not_finite_stops_the_run),
        cmocka_unit_test(a_residual_that_is_not_finite_stops_the_run),
        cmocka_unit_test(a_contact_that_spoils_positions_stops_the_run),
        cmocka_unit_test(a_particle_without_a_radius_is_bounded_too),
        cmocka_unit_test(a_position_is_bounded_in_every_system),
        cmocka_unit_test(a_temperature_is_bounded),
        cmocka_unit_test(energies_are_finite_or_refused),
        cmocka_unit_test(a_static_solve_with_forces_that_overflow_fails),
        cmocka_unit_test(modes_with_forces_that_are_not_finite_fail),
        cmocka_unit_test(the_fastest_particle_is_named_with_its_system),
        cmocka_unit_test(strays_that_shorten_the_step_are_reported),
        cmocka_unit_test(a_step_that_all_need_is_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
