/*
 * Surface tensions: momenta, threads, adhesion and its reaction on every boundary, limits.
 */
#include "fluid_worlds.h"

#include "fluid/boundary/boundary.h"
#include "fluid/pressure/pressure.h"

#include <math.h>

/* A cube of fluid, without gravity. */
static mote_world *cube_of(const char *pressure, int threads)
{
    return world_printf(
        threads,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0002},"
        " \"fluid\": {\"spacing\": 0.001, \"pressure\": \"%s\", \"surface_tension\": \"akinci2013\","
        "  \"artificial_viscosity\": 0, \"phases\": [{\"fill\": [{\"type\": \"box\","
        "   \"min\": [0, 0, 0], \"max\": [0.009, 0.008, 0.007]}]}, {\"density\": 300,"
        "   \"fill\": [{\"type\": \"box\", \"min\": [0.009, 0, 0], \"max\": [0.013, 0.008, 0.007]}]}]}}",
        pressure);
}

static mo_vec3 momentum_of(mote_world *world, double *scale)
{
    const double *v = numbers_of(world, "v"), *m = numbers_of(world, "mass");
    mo_vec3 sum = {0};
    *scale = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        sum = mo_add_scaled(sum, m[row], mo_vec3_load(v + 3 * row));
        *scale += m[row] * mo_length(mo_vec3_load(v + 3 * row));
    }
    return sum;
}

/* With every pressure solver that conserves it, among phases of other density. */
static void momentum_is_conserved(void **state)
{
    (void)state;
    static const char *const SOLVERS[] = {"dfsph", "iisph", "pbf", "wcsph"};
    for (int k = 0; k < 4; ++k) {
        double scale;
        mote_world *world = cube_of(SOLVERS[k], 1);
        step_by(world, 10);
        mo_vec3 sum = momentum_of(world, &scale);
        assert_true(scale > 0);
        assert_true(mo_length(sum) < 1e-5 * scale);
        mote_world_destroy(world);
    }
}

/* Corners of a cube are drawn in, faces are not pushed out. */
static void corners_become_round(void **state)
{
    (void)state;
    mote_world *world = cube_of("dfsph", 1);
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    mo_vec3 start = mo_vec3_load(x), middle = mo_vec3_make(0.0065, 0.004, 0.0035);
    step_by(world, 20);
    assert_true(mo_dot(mo_vec3_load(v), mo_sub(middle, start)) > 0);
    assert_true(mo_length(mo_sub(mo_vec3_load(x), middle)) < mo_length(mo_sub(start, middle)));
    mote_world_destroy(world);
}

/* A square of fluid that becomes round: momentum, and kinetic plus surface energy. */
static void surface_energy_is_conserved(void **state)
{
    (void)state;
    static const char *const SOLVERS[] = {"dfsph", "iisph", "pbf"};
    for (int k = 0; k < 3; ++k) {
        double scale;
        mote_measures before, after;
        mote_error error;
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0002},"
            " \"fluid\": {\"dimension\": 2, \"spacing\": 0.001, \"pressure\": \"%s\","
            "  \"surface_tension\": 0.072, \"phases\": [{\"fill\": [{\"type\": \"box\","
            "   \"min\": [0, 0, -1], \"max\": [0.012, 0.012, 1]}]}]}}",
            SOLVERS[k]);
        assert_int_equal(mote_world_measure(world, &before, &error), MOTE_OK);
        step_by(world, 200);
        assert_int_equal(mote_world_measure(world, &after, &error), MOTE_OK);
        mo_vec3 sum = momentum_of(world, &scale);
        assert_true(scale > 0);
        assert_true(mo_length(sum) < 1e-5 * scale);
        assert_true(before.elastic > 0 && after.elastic > 0 && after.elastic < before.elastic);
        assert_true(after.kinetic > 0 && after.kinetic + after.elastic < before.elastic);
        mote_world_destroy(world);
    }
}

/* A drop is accelerated towards a wetted plate, and away from one that repels; the plate receives
 * the opposite, so that only the distances known to its boundary matter. */
static void contact_angles_act_on_boundaries_with_distances(void **state)
{
    (void)state;
    static const char *const BOUNDARIES[] = {"continuum", "density_map", "volume_map", "geometric"};
    for (int k = 0; k < 4; ++k) {
        double right[2], scale;
        for (int wets = 0; wets < 2; ++wets) {
            mote_world *world = world_printf(
                1,
                "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0002},"
                " \"fluid\": {\"dimension\": 2, \"spacing\": 0.001, \"boundary\": \"%s\","
                "  \"surface_tension\": {\"type\": \"surface_energy\", \"contact_angle\": %d},"
                "  \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0.0015, 0, -1],"
                "   \"max\": [0.0095, 0.008, 1]}]}]}, \"colliders\": [{\"shape\": {\"type\":"
                "   \"plane\", \"normal\": [1, 0, 0], \"point\": [0, 0, 0]}}]}",
                BOUNDARIES[k], wets ? 10 : 170);
            step_by(world, 3);
            right[wets] = momentum_of(world, &scale).x;
            mote_world_destroy(world);
        }
        assert_true(right[1] < 0);
        assert_true(right[0] > right[1]);
    }
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        mote_world *world = cube_of("dfsph", 1 + 2 * k);
        step_by(world, 5);
        hashes[k] = mote_world_state_hash(world);
        mote_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

/* A drop below a plate: only adhesion accelerates it towards the plate. */
static void solids_attract_on_every_boundary(void **state)
{
    (void)state;
    for (int k = 0; k < mo_boundaries.count; ++k) {
        const char *boundary = mo_boundaries.methods[k]->name;
        double up[2];
        for (int adheres = 0; adheres < 2; ++adheres) {
            double scale;
            mote_world *world = world_printf(
                1,
                "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0002},"
                " \"fluid\": {\"spacing\": 0.001, \"boundary\": \"%s\", \"surface_tension\":"
                "  {\"type\": \"akinci2013\", \"gamma\": 1, \"adhesion\": %d}, \"phases\": [{\"fill\":"
                "  [{\"type\": \"box\", \"min\": [0, 0, -0.006], \"max\": [0.006, 0.006, 0]}]}]},"
                " \"colliders\": [{\"shape\": {\"type\": \"box\", \"min\": [-0.01, -0.01, 0],"
                "  \"max\": [0.02, 0.02, 0.01]}}]}",
                boundary, adheres ? 100 : 0);
            step_by(world, 5);
            up[adheres] = momentum_of(world, &scale).z;
            mote_world_destroy(world);
        }
        assert_true(up[1] > up[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_conserved),
        cmocka_unit_test(corners_become_round),
        cmocka_unit_test(surface_energy_is_conserved),
        cmocka_unit_test(contact_angles_act_on_boundaries_with_distances),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(solids_attract_on_every_boundary)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
