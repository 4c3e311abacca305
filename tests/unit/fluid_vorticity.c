/*
 * Vorticity methods: the curl, momentum, the adjoint pair of curls, energy, threads.
 */
#include "fluid_worlds.h"

#include "fluid/vorticity/vorticity.h"

#include <math.h>

static mote_world *vortices_of(const char *vorticity, const char *viscosity, int threads)
{
    return world_printf(
        threads,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.002},"
        " \"domain\": {\"min\": [0, 0, -1], \"max\": [1, 1, 1], \"periodic\": \"xy\"},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05, \"quality\": \"accurate\","
        "  \"artificial_viscosity\": 0, \"viscosity\": %s, \"vorticity\": %s, \"phases\": [{"
        "  \"flow\": {\"type\": \"taylor_green\", \"speed\": 1, \"length\": 1},"
        "  \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}]}]}}",
        viscosity, vorticity);
}

/* A free block that rotates and deforms, without viscosity. */
static mote_world *block_of(int dimension, const char *vorticity, int threads)
{
    return world_printf(
        threads,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
        " \"fluid\": {\"dimension\": %d, \"spacing\": 0.05, \"jitter\": 0.2, \"mass_scale\": 0.7,"
        "  \"pressure\": \"wcsph\", \"artificial_viscosity\": 0, \"vorticity\": %s, \"phases\": ["
        "  {\"fill\": [{\"type\": \"box\", \"min\": [0, 0, %d], \"max\": [0.5, 0.5, 0.3]}],"
        "   \"flow\": {\"type\": \"noise\", \"speed\": 0.1, \"length\": 0.2}}, {\"density\": 300,"
        "   \"fill\": [{\"type\": \"box\", \"min\": [0.5, 0, %d], \"max\": [0.7, 0.5, 0.3]}]}]}}",
        dimension, vorticity, dimension == 2 ? -1 : 0, dimension == 2 ? -1 : 0);
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

static void curl_of_rotation_is_twice_its_rate(void **state)
{
    (void)state;
    mote_world *world = vortices_of("0", "0", 1);
    mo_fluid *f = fluid_of(world);
    double *v = numbers_of(world, "v");
    const double *x = numbers_of(world, "x");
    float *curl = malloc(sizeof *curl * 4 * (size_t)mote_world_rows(world, 0));
    int64_t inside = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = -3 * x[3 * row + 1];
        v[3 * row + 1] = 3 * x[3 * row];
    }
    mote_error error;
    assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
    mo_vorticity_curl(f, curl);
    for (int64_t row = 0; row < f->rows; ++row) {
        bool middle = fabs(x[3 * row] - 0.5) < 0.3 && fabs(x[3 * row + 1] - 0.5) < 0.3;
        inside += middle;
        assert_true(!middle || fabs((double)curl[4 * row + 2] - 6) < 0.06);
    }
    assert_true(inside > 50);
    free(curl);
    mote_world_destroy(world);
}

static void micropolar_conserves_momentum(void **state)
{
    (void)state;
    for (int dimension = 2; dimension < 4; ++dimension) {
        double scale;
        mote_world *world =
            block_of(dimension, "{\"type\": \"micropolar\", \"transfer\": 0.01}", 1);
        mo_vec3 before = momentum_of(world, &scale);
        double *w = numbers_of(world, "spin");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            w[3 * row + 2] = 5 * sin((double)row);
            w[3 * row] = dimension == 3 ? cos((double)row) : 0;
        }
        mote_world_invalidate(world, 0);
        step_by(world, 10);
        assert_true(mo_length(mo_sub(momentum_of(world, &scale), before)) < 1e-6 * scale);
        mote_world_destroy(world);
    }
}

/* sum m v . a of the force by rotations is T sum (m/delta) w . curl v. */
static void curls_of_micropolar_are_adjoint(void **state)
{
    (void)state;
    mote_world *world = vortices_of("{\"type\": \"micropolar\", \"transfer\": 0.5}", "0", 1);
    mo_fluid *f = fluid_of(world);
    double *w = numbers_of(world, "spin"), *v = numbers_of(world, "v"), power = 0, gain = 0;
    const double *mass = numbers_of(world, "mass"), *a = mo_f64(f->columns.a);
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        w[3 * row + 2] = sin(1.7 * (double)row);
        v[3 * row] += 0.1 * cos(2.3 * (double)row);
    }
    mote_world_invalidate(world, 0);
    float *curl = malloc(sizeof *curl * 4 * (size_t)mote_world_rows(world, 0));
    mote_error error;
    assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
    assert_int_equal(mo_terms_accelerate(f, 0, 0.001, &error), MOTE_OK);
    mo_vorticity_curl(f, curl);
    for (int64_t row = 0; row < f->rows; ++row) {
        double delta = (double)f->total_density[row];
        power += mass[row] * (v[3 * row] * a[3 * row] + v[3 * row + 1] * a[3 * row + 1]);
        gain += 0.5 * mass[row] / (delta * delta) * w[3 * row + 2] * (double)curl[4 * row + 2];
    }
    assert_true(fabs(gain) > 0);
    assert_near(power, gain, 1e-4 * fabs(gain));
    free(curl);
    mote_world_destroy(world);
}

static double energy_after(const char *vorticity, const char *viscosity)
{
    mote_world *world = vortices_of(vorticity, viscosity, 1);
    step_by(world, 20);
    double energy = measures_of(world).kinetic;
    mote_world_destroy(world);
    return energy;
}

static void eddies_are_retained(void **state)
{
    (void)state;
    double plain = energy_after("0", "0.01");
    assert_true(energy_after("{\"type\": \"micropolar\", \"transfer\": 0.02}", "0.01") >
                1.01 * plain);
    assert_true(energy_after("{\"type\": \"confinement\", \"strength\": 0.3}", "0.01") >
                1.001 * plain);
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const METHODS[] = {"\"micropolar\"", "\"confinement\""};
    for (int k = 0; k < 2; ++k) {
        uint64_t hashes[2];
        for (int n = 0; n < 2; ++n) {
            mote_world *world = block_of(3, METHODS[k], 1 + 2 * n);
            step_by(world, 5);
            hashes[n] = mote_world_state_hash(world);
            mote_world_destroy(world);
        }
        assert_int_equal(hashes[0], hashes[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curl_of_rotation_is_twice_its_rate),
                                       cmocka_unit_test(micropolar_conserves_momentum),
                                       cmocka_unit_test(curls_of_micropolar_are_adjoint),
                                       cmocka_unit_test(eddies_are_retained),
                                       cmocka_unit_test(threads_give_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
