/*
 * Implicit viscosities: backward Euler at any step, momenta, friction at solids, phases, reports.
 */
#include "fluid_worlds.h"

#include <math.h>
#include <string.h>

static const char *const METHODS[] = {"weiler2018", "takahashi2015", "implicit_corotational"};
static const bool TURNS[] = {true, false,
                             true}; /* conserves angular momentum, and rigid rotation */
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* Members of the method's object with its own name and nu. */
static const char *viscosity_of(int method, const char *nu)
{
    static char text[200];
    snprintf(text, sizeof text, "{\"type\": \"%s\", \"nu\": %s, \"tolerance\": 1e-5}",
             METHODS[method], nu);
    return text;
}

static double number_of(const mote_world *world, const char *name)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity n = mote_world_quantity(world, k);
        if (strcmp(n.name, name) == 0) {
            return n.value;
        }
    }
    return NAN;
}

/* A box of fluid without gravity and solids, in which noise decays. */
static mote_world *blob_of(int dimension, int method, const char *nu, const char *other,
                           int threads)
{
    return world_printf(
        threads,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01},"
        " \"fluid\": {\"dimension\": %d, \"spacing\": 0.05, \"jitter\": 0.2, \"mass_scale\": 0.7,"
        "  \"viscosity\": %s, \"artificial_viscosity\": 0, \"phases\": ["
        "  {\"fill\": [{\"type\": \"box\", \"min\": [0, 0, %d], \"max\": [0.5, 0.5, 0.5]}],"
        "   \"flow\": {\"type\": \"noise\", \"speed\": 0.1, \"length\": 0.2}},"
        "  {%s \"fill\": [{\"type\": \"box\", \"min\": [0.5, 0, %d], \"max\": [0.7, 0.5, 0.5]}]}]}}",
        dimension, viscosity_of(method, nu), dimension == 2 ? -1 : 0, other,
        dimension == 2 ? -1 : 0);
}

static mo_vec3 momentum_of(mote_world *world, mo_vec3 *angular)
{
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v"),
                 *m = numbers_of(world, "mass");
    mo_vec3 sum = {0};
    *angular = sum;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        mo_vec3 p = mo_scale(m[row], mo_vec3_load(v + 3 * row));
        sum = mo_add(sum, p);
        *angular = mo_add(*angular, mo_cross(mo_vec3_load(x + 3 * row), p));
    }
    return sum;
}

/* With phases of other density and viscosity, at steps far beyond the explicit limit. */
static void momenta_are_conserved(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * METHOD_COUNT; ++k) {
        mote_world *world =
            blob_of(2 + k % 2, k / 2, "100", "\"density\": 300, \"viscosity\": 2,", 1);
        mo_vec3 turn, turned, before = momentum_of(world, &turn);
        double speed = sqrt(2 * measures_of(world).kinetic / measures_of(world).mass);
        step_by(world, 5);
        mo_vec3 after = momentum_of(world, &turned);
        double scale = speed * measures_of(world).mass;
        assert_true(number_of(world, "viscosity_iterations") > 0);
        assert_true(mo_length(mo_sub(after, before)) < 1e-6 * scale);
        assert_true(mo_length(mo_sub(turned, turn)) < (TURNS[k / 2] ? 1e-6 : 1) * scale);
        /* rigid motions remain */
        assert_true(2 * measures_of(world).kinetic < 0.5 * scale * speed);
        mote_world_destroy(world);
    }
}

/* Rigid motions change by the rounding of packed velocities, at 100 m/s. */
static void rigid_motions_are_not_damped(void **state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        mote_world *world = blob_of(2, k, "10", "", 1);
        const double *x = numbers_of(world, "x");
        double *v = numbers_of(world, "v");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            v[3 * row] = 100 - (TURNS[k] ? 2 * x[3 * row + 1] : 0);
            v[3 * row + 1] = TURNS[k] ? 2 * x[3 * row] : 0;
            v[3 * row + 2] = 0;
        }
        mote_world_invalidate(world, 0);
        double before = measures_of(world).kinetic;
        step_by(world, 1);
        assert_near(measures_of(world).kinetic, before, 1e-8 * before);
        assert_true(number_of(world, "viscosity_iterations") <= 5);
        mote_world_destroy(world);
    }
}

/* A step at the limit of rigidity leaves a rigid motion: noise decays by nu h/spacing^2. */
static void any_step_is_stable(void **state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        double before = INFINITY;
        static const char *const NU[] = {"0.01", "1", "1e3", "1e6"};
        for (int n = 0; n < 4; ++n) {
            mote_world *world = blob_of(2, k, NU[n], "", 1);
            step_by(world, 4);
            double kinetic = measures_of(world).kinetic;
            assert_true(kinetic < before);
            before = kinetic;
            mote_world_destroy(world);
        }
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        mote_world *one = blob_of(3, k, "1", "", 1), *three = blob_of(3, k, "1", "", 3);
        step_by(one, 4);
        step_by(three, 4);
        assert_same_state(one, three);
        mote_world_destroy(one);
        mote_world_destroy(three);
    }
}

/* ---- solids ---- */

/* A slab of a very viscous fluid sticks to the floor: it slows down by the friction as a rigid body
 * does, and the reaction is its loss of momentum. */
static void fluids_stick_to_solids(void **state)
{
    static const char *const BOUNDARIES[] = {"", "\"boundary\": \"akinci2012\", ",
                                             "\"boundary\": \"volume_map\", ",
                                             "\"boundary\": \"fluid_layers\", "};
    (void)state;
    for (int k = 0; k < 4 * METHOD_COUNT; ++k) {
        char text[1500];
        mo_vec3 turn;
        snprintf(text, sizeof text,
                 "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01},"
                 " \"domain\": {\"min\": [0, -1, -1], \"max\": [0.4, 1, 1], \"periodic\": \"x\"},"
                 " \"fluid\": {\"dimension\": 2, \"spacing\": 0.02, \"viscosity\": %s, %s"
                 "  \"phases\": [{\"velocity\": [1, 0, 0], \"fill\": [{\"type\": \"box\","
                 "   \"min\": [0, 0, -1], \"max\": [0.4, 0.2, 1]}]}]},"
                 " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"floor\"}],"
                 " \"colliders\": [{\"name\": \"floor\", \"shape\": {\"type\": \"plane\","
                 "   \"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}]}",
                 viscosity_of(k / 4, "0.5"), BOUNDARIES[k % 4]);
        mote_world *world = world_of(text, 1);
        double before = momentum_of(world, &turn).x, load[6];
        step_by(world, 1);
        double lost = before - momentum_of(world, &turn).x;
        observe(world, 0, load);
        assert_near(0.01 * load[0], lost, 1e-4 * lost);
        /* the slowest mode decays by nu (pi/2H)^2 = 31/s */
        assert_true(lost > 0.1 * before && lost < 0.5 * before);
        step_by(world, 20);
        assert_true(fabs(momentum_of(world, &turn).x) < 0.02 * before);
        mote_world_destroy(world);
    }
}

/* ---- reports ---- */

static void unfinished_solves_are_reported(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01}, \"fluid\": {\"spacing\": 0.05,"
        " \"viscosity\": {\"type\": \"weiler2018\", \"nu\": 1, \"max_iterations\": 2}, \"phases\":"
        " [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.5]}],"
        "   \"flow\": {\"type\": \"noise\", \"speed\": 1, \"length\": 0.2}}]}}",
        1);
    step_by(world, 2);
    need_warning(world, "the solve stopped after 2 iterations");
    mote_world_destroy(world);
}

/* The guess of the next step is part of a snapshot. */
static void snapshots_include_the_guess(void **state)
{
    (void)state;
    for (int k = 0; k < METHOD_COUNT; ++k) {
        mote_world *world = blob_of(2, k, "0.1", "", 1), *other = blob_of(2, k, "0.1", "", 1);
        step_by(world, 5);
        copy_state(world, other);
        step_by(world, 5);
        step_by(other, 5);
        assert_same_state(world, other);
        mote_world_destroy(world);
        mote_world_destroy(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momenta_are_conserved),
        cmocka_unit_test(rigid_motions_are_not_damped),
        cmocka_unit_test(any_step_is_stable),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(fluids_stick_to_solids),
        cmocka_unit_test(unfinished_solves_are_reported),
        cmocka_unit_test(snapshots_include_the_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
