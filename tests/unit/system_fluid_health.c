/*
 * Warnings about inaccurate results of a fluid; and densities of frames at their own positions.
 */
#include "fluid_worlds.h"

#include <math.h>

/* A block of 0.3 m in a tank, with further parameters of its fluid and phase. */
static mote_world *block_of(const char *step, const char *more, const char *phase)
{
    return world_printf(
        1,
        "{\"time\": {\"end\": 1, \"step\": %s}, \"fluid\": {\"spacing\": 0.05, %s, \"phases\": [{%s\"fill\":"
        " [{\"type\": \"box\", \"min\": [0.05, 0.05, 0.05], \"max\": [0.35, 0.35, 0.35]}]}]},"
        " \"colliders\": [{\"name\": \"tank\", \"inside\": true, \"friction\": 0, \"restitution\": 1,"
        " \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, 1]}}]}",
        step, more, phase);
}

#define CFL "{\"type\": \"cfl\", \"max\": 0.002}"
#define SLOW "is below ten times the"

/* ---- sound ---- */

static void need_slow_sound(const char *more, const char *phase, const char *text)
{
    mote_world *world = block_of(CFL, more, phase);
    if (text) {
        need_warning(world, text);
    } else {
        assert_null(warning_with(world, SLOW));
    }
    mote_world_destroy(world);
}

/* c = sqrt(1000) = 31.6 m/s; a block of six particles, 0.25 m from the lowest to the highest, falls
   with 2.21 m/s. */
static void slow_sound_is_warned_about_at_start(void **state)
{
    (void)state;
    need_slow_sound("\"pressure\": \"wcsph\"", "", NULL);
    need_slow_sound("\"pressure\": \"wcsph\"", "\"velocity\": [100, 0, 0], ",
                    "fluid.pressure.state.stiffness: the speed of sound, 31.6 m/s, " SLOW
                    " initial speed of 100 m/s");
    need_slow_sound("\"pressure\": \"wcsph\"", "\"velocity\": [100, 0, 0], ",
                    "set it to 1e+06 or more, for a speed of sound of 1e+03 m/s");
    need_slow_sound(
        "\"pressure\": {\"type\": \"wcsph\", \"state\": {\"type\": \"tait\", \"stiffness\": 1.1e6}}",
        "\"velocity\": [100, 0, 0], ", NULL);
    need_slow_sound(
        "\"pressure\": {\"type\": \"wcsph\", \"state\": {\"type\": \"tait\", \"stiffness\": 400}}",
        "", "sqrt(2 g depth), of 2.21 m/s");
    need_slow_sound(
        "\"pressure\": {\"type\": \"wcsph\", \"state\": {\"type\": \"ratio\", \"stiffness\": 4e5}}",
        "", "set it to 4.9");
    need_slow_sound("\"pressure\": {\"type\": \"mueller2003\", \"stiffness\": 400}", "",
                    "fluid.pressure.stiffness: the speed of sound, 20 m/s");
    need_slow_sound(
        "\"pressure\": \"wcsph\", \"emitters\": [{\"center\": [0.7, 0.5, 0.5], \"direction\": [1, 0, 0],"
        " \"width\": 0.2, \"height\": 0.15, \"speed\": 5}]",
        "", "initial speed of 5 m/s");
    /* gases are compressible, and incompressible solvers have no speed of sound */
    need_slow_sound("\"pressure\": {\"type\": \"wcsph\", \"state\": \"ideal_gas\"}",
                    "\"velocity\": [100, 0, 0], ", NULL);
    need_slow_sound("\"pressure\": \"dfsph\"", "\"velocity\": [100, 0, 0], ", NULL);
}

/* A block accelerated during the run exceeds the expected speed. */
static void slow_sound_is_warned_about_when_the_flow_gets_fast(void **state)
{
    (void)state;
    mote_world *world = block_of(CFL, "\"pressure\": \"wcsph\"", "");
    assert_null(warning_with(world, SLOW));
    double *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = 4;
    }
    mote_world_invalidate(world, 0);
    step_by(world, 1);
    need_warning(world, SLOW " fastest particle's speed of 4");
    mote_world_destroy(world);
}

/* ---- densities ---- */

/* Steps with these density errors as input of the check: the largest in `dense` of 216
 * particles. */
static void pretend(mote_world *world, int steps, double most, int dense)
{
    mo_fluid_system *fluid = fluid_system_of(world);
    fluid->fluid.report.density_error_max = most;
    for (int64_t row = 0; row < fluid->fluid.rows; ++row) {
        fluid->fluid.density[row] = row < dense ? (float)(1 + most) : 1;
    }
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(
            mo_fluid_system_check_density(fluid, &(mo_step_time){0.1, 0.001, 0.101, 10}, NULL),
            MOTE_OK);
    }
}

#define DENSE "the density error is"

static void density_errors_that_last_are_warned_about(void **state)
{
    (void)state;
    static const char *const SOLVERS[] = {"\"pressure\": \"dfsph\"", "\"pressure\": \"iisph\"",
                                          "\"pressure\": \"pbf\"", "\"pressure\": \"wcsph\""};
    for (int k = 0; k < 4; ++k) {
        mote_world *world = block_of("0.0005", SOLVERS[k], "");
        step_by(world, 1);
        pretend(world, 200, 0.5, 2); /* less than 1 % of the particles */
        pretend(world, 49, 0.2, 3);  /* an impact */
        pretend(world, 1, 0.05, 3);
        pretend(world, 49, 0.2, 3);
        assert_null(warning_with(world, DENSE));
        pretend(world, 1, 0.2, 3);
        need_warning(world, DENSE " 0.28 % on average and 20 % at most, near particle");
        mote_world_destroy(world);
        world = block_of("0.0005", SOLVERS[k], "");
        step_by(world, 1);
        pretend(world, 1, 0.2, 216);
        need_warning(world, DENSE " 20 % on average");
        mote_world_destroy(world);
    }
    /* isph does not control particles at walls, and a gas has no constant density */
    mote_world *world =
        block_of("0.0005", "\"pressure\": \"isph\", \"shifting\": \"lind2012\"", "");
    step_by(world, 1);
    pretend(world, 200, 0.4, 50);
    assert_null(warning_with(world, DENSE));
    pretend(world, 1, 0.4, 60);
    need_warning(world, DENSE);
    mote_world_destroy(world);
    world = block_of("0.0005", "\"pressure\": {\"type\": \"wcsph\", \"state\": \"ideal_gas\"}", "");
    step_by(world, 1);
    pretend(world, 200, 2, 216);
    assert_null(warning_with(world, DENSE));
    mote_world_destroy(world);
}

/* 100 m/s against a wall, with a speed of sound of 32 m/s. */
static void squeezed_fluid_is_warned_about(void **state)
{
    (void)state;
    mote_world *world = block_of(CFL, "\"pressure\": \"wcsph\"", "\"velocity\": [100, 0, 0], ");
    while (mote_world_time(world) < 0.008) {
        step_by(world, 1);
    }
    need_warning(world, DENSE);
    need_warning(world, "raise the stiffness of the equation of state");
    mote_world_destroy(world);
    world = block_of(CFL, "\"pressure\": \"dfsph\"", "\"velocity\": [3, 0, 0], ");
    while (mote_world_time(world) < 0.3) {
        step_by(world, 1);
    }
    assert_null(warning_with(world, DENSE));
    mote_world_destroy(world);
}

/* ---- containers ---- */

/* Fixed steps eight times too large: warned about before the first one, then reported as
 * unstable. */
static void fluid_that_blows_up_is_said_to(void **state)
{
    (void)state;
    mote_world *world = block_of(
        "0.01", "\"pressure\": \"wcsph\", \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.01}",
        "");
    need_warning(
        world,
        "time.step: 0.01 s is above 0.000629 s, the largest stable step of an explicit pressure solver");
    for (int k = 0; k < 60; ++k) {
        step_by(world, 1);
        const double *x = numbers_of(world, "x");
        for (int64_t n = 0; n < 3 * mote_world_rows(world, 0); ++n) {
            assert_true(x[n] >= 0 && x[n] <= 1);
        }
    }
    need_warning(
        world,
        "penetrated their container in one step: the results are invalid from here on; the step of "
        "0.01 s is above the");
    mote_world_destroy(world);
}

/* ---- columns ---- */

/* The density column agrees with the measured density errors, to rounding; returns the largest. */
static double need_densities_of_now(mote_world *world)
{
    mote_column column = column_of(world, 0, "density");
    mote_error error = {0};
    double mean, most, sum = 0, largest = 0;
    assert_int_equal(mote_world_density_error(world, &mean, &most, &error), MOTE_OK);
    for (int64_t row = 0; row < column.rows; ++row) {
        double over = fmax((double)((const float *)column.data)[row] / 1000 - 1, 0);
        sum += over;
        largest = fmax(largest, over);
    }
    assert_near(largest, most, 1e-6);
    assert_near(sum / (double)column.rows, mean, 1e-6);
    return most;
}

static void need_pressures_of_state(mote_world *world)
{
    mote_column density = column_of(world, 0, "density"),
                pressure = column_of(world, 0, "pressure");
    for (int64_t row = 0; row < density.rows; ++row) {
        double delta = (double)((const float *)density.data)[row] / 1000;
        double p = fmax(1000.0 * 1000 / 7 * (pow(delta, 7) - 1), 0);
        assert_near(((const float *)pressure.data)[row], p, 2 + 1e-4 * p);
    }
}

static void derived_densities_are_those_of_the_positions(void **state)
{
    static const char *const SOLVERS[] = {
        "\"wcsph\"",       "{\"type\": \"wcsph\", \"density\": \"continuity\"}",
        "\"mueller2003\"", "\"dfsph\"",
        "\"iisph\"",       "\"pbf\""};
    (void)state;
    for (size_t k = 0; k < sizeof SOLVERS / sizeof *SOLVERS; ++k) {
        char more[200];
        snprintf(
            more, sizeof more,
            "\"jitter\": 0.1, \"pressure\": %s, \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.05}",
            SOLVERS[k]);
        static const char THROWN[] = "\"velocity\": [2, 0, 0], ";
        mote_world *queried = block_of(CFL, more, THROWN), *alone = block_of(CFL, more, THROWN);
        mote_world_derive(queried);
        double most = need_densities_of_now(queried); /* before any step, too */
        for (int n = 0; n < 12; ++n) {
            step_by(queried, 4);
            step_by(alone, 4);
            mote_world_derive(queried);
            most = fmax(most, need_densities_of_now(queried));
            if (k == 0) {
                need_pressures_of_state(queried);
            }
        }
        assert_true(most > 1e-3); /* nonzero */
        assert_same_state(queried, alone);
        mote_world_destroy(queried);
        mote_world_destroy(alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_sound_is_warned_about_at_start),
        cmocka_unit_test(slow_sound_is_warned_about_when_the_flow_gets_fast),
        cmocka_unit_test(density_errors_that_last_are_warned_about),
        cmocka_unit_test(squeezed_fluid_is_warned_about),
        cmocka_unit_test(fluid_that_blows_up_is_said_to),
        cmocka_unit_test(derived_densities_are_those_of_the_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
