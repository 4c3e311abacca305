/*
 * Viscosities by the shear rate; the target velocity gradient of peer2015; the plain Laplacian.
 */
#include "fluid_worlds.h"

#include "fluid/rheology/rheology.h"
#include "fluid/viscosity/shear.h"

#include <math.h>
#include <string.h>

/* ---- laws ---- */

static void laws_follow_their_formulas(void **state)
{
    (void)state;
    struct {
        double exponent, rate, least, most;
    } power = {0.5, 2, 0.1, 4};
    struct {
        double exponent, time, least;
    } carreau = {0.5, 3, 0.2};
    const mo_rheology_type *p =
        (const mo_rheology_type *)mo_family_find(&mo_rheologies, "power_law");
    const mo_rheology_type *c =
        (const mo_rheology_type *)mo_family_find(&mo_rheologies, "carreau1972");
    assert_near(p->viscosity(&power, 3, 2), 3, 1e-12);
    assert_near(p->viscosity(&power, 3, 8), 1.5, 1e-12);
    assert_near(p->viscosity(&power, 3, 0), 12, 1e-12);
    assert_near(p->viscosity(&power, 3, 1e9), 0.3, 1e-12);
    assert_near(c->viscosity(&carreau, 3, 0), 3, 1e-12);
    assert_near(c->viscosity(&carreau, 3, 1e12), 0.6, 1e-5);
    assert_near(c->viscosity(&carreau, 3, 1), 3 * (0.2 + 0.8 * pow(10, -0.25)), 1e-12);
}

/* A disordered block with a free surface that shears at 4/s: nu = 0.1 (4/1)^(-1/2). */
static void shear_rates_are_exact_in_linear_flows(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        mote_world *world = world_printf(
            1,
            "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0001},"
            " \"fluid\": {\"dimension\": %d, \"spacing\": 0.05, \"jitter\": 0.2, \"viscosity\":"
            "  {\"type\": \"corotational\", \"nu\": 0.1, \"law\": {\"type\": \"power_law\","
            "   \"exponent\": 0.5}}, \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\":"
            "   [0, 0, %d], \"max\": [0.5, 0.5, 0.5]}], \"flow\": {\"type\": \"expression\","
            "   \"velocity\": [\"4*y\", \"0\", \"0\"]}}]}}",
            dimension, dimension == 2 ? -1 : 0);
        mo_fluid *f = fluid_of(world);
        mo_shear shear = {0};
        mote_error error = {0};
        const struct {
            double nu, wall;
            mo_method law;
        } *params = f->terms.list[0].method.params;
        assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
        assert_int_equal(mo_shear_create(&shear, f, params->nu, params->law, &error), MOTE_OK);
        assert_int_equal(mo_shear_update(&shear, f, &error), MOTE_OK);
        for (int64_t row = 0; row < f->rows; ++row) {
            assert_near((double)shear.row[row], 0.05, 1e-5);
        }
        mo_shear_release(&shear, f);
        mote_world_destroy(world);
    }
}

/* ---- peer2015 ---- */

static mote_world *blob_of(int dimension, double density, int threads)
{
    return world_printf(
        threads,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01},"
        " \"fluid\": {\"dimension\": %d, \"spacing\": 0.05, \"jitter\": 0.2, \"mass_scale\": 0.7,"
        "  \"viscosity\": {\"type\": \"peer2015\", \"tolerance\": 1e-4},"
        "  \"artificial_viscosity\": 0, \"phases\": ["
        "  {\"fill\": [{\"type\": \"box\", \"min\": [0, 0, %d], \"max\": [0.5, 0.5, 0.5]}],"
        "   \"flow\": {\"type\": \"noise\", \"speed\": 0.1, \"length\": 0.2}},"
        "  {\"density\": %g, \"fill\": [{\"type\": \"box\", \"min\": [0.5, 0, %d],"
        "   \"max\": [0.7, 0.5, 0.5]}]}]}}",
        dimension, dimension == 2 ? -1 : 0, density, dimension == 2 ? -1 : 0);
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

static void targets_conserve_momenta(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        mote_world *world = blob_of(2 + k % 2, k < 2 ? 1000 : 300, 1);
        mo_vec3 turn, turned, before = momentum_of(world, &turn);
        double kinetic = measures_of(world).kinetic, mass = measures_of(world).mass;
        double scale = sqrt(2 * kinetic * mass);
        step_by(world, 5);
        mo_vec3 after = momentum_of(world, &turned);
        assert_true(mo_length(mo_sub(after, before)) < 1e-6 * scale);
        assert_true(mo_length(mo_sub(turned, turn)) < 1e-6 * scale);
        assert_true(measures_of(world).kinetic < 0.5 * kinetic);
        mote_world_destroy(world);
    }
}

static void rigid_rotation_is_its_own_target(void **state)
{
    (void)state;
    mote_world *world = blob_of(3, 1000, 1);
    const double *x = numbers_of(world, "x");
    double *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = 10 - 2 * x[3 * row + 1];
        v[3 * row + 1] = 2 * x[3 * row];
        v[3 * row + 2] = 0;
    }
    mote_world_invalidate(world, 0);
    double before = measures_of(world).kinetic;
    step_by(world, 1);
    assert_near(measures_of(world).kinetic, before, 1e-7 * before);
    mote_world_destroy(world);
}

static void targets_have_the_same_bits(void **state)
{
    (void)state;
    mote_world *one = blob_of(3, 300, 1), *three = blob_of(3, 300, 3), *other = blob_of(3, 300, 1);
    step_by(one, 2);
    step_by(three, 4);
    copy_state(one, other);
    step_by(one, 2);
    step_by(other, 2);
    assert_same_state(one, three);
    assert_same_state(one, other);
    mote_world_destroy(one);
    mote_world_destroy(three);
    mote_world_destroy(other);
}

/* A slab on a floor: its loss of momentum is the reaction, on every boundary. */
static void targets_rub_at_solids(void **state)
{
    static const char *const BOUNDARIES[] = {"continuum",   "akinci2012", "fluid_layers",
                                             "density_map", "volume_map", "samples",
                                             "geometric"};
    (void)state;
    for (size_t k = 0; k < sizeof BOUNDARIES / sizeof *BOUNDARIES; ++k) {
        mo_vec3 turn;
        mote_world *world = world_printf(
            1,
            "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01},"
            " \"domain\": {\"min\": [0, -1, -1], \"max\": [0.4, 1, 1], \"periodic\": \"x\"},"
            " \"fluid\": {\"dimension\": 2, \"spacing\": 0.02, \"viscosity\": {\"type\":"
            "  \"peer2015\", \"tolerance\": 1e-5}, \"boundary\": \"%s\","
            "  \"phases\": [{\"velocity\": [1, 0, 0], \"fill\": [{\"type\": \"box\","
            "   \"min\": [0, 0, -1], \"max\": [0.4, 0.2, 1]}]}]},"
            " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"floor\"}],"
            " \"colliders\": [{\"name\": \"floor\", \"shape\": {\"type\": \"plane\","
            "   \"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}]}",
            BOUNDARIES[k]);
        double before = momentum_of(world, &turn).x, load[6];
        step_by(world, 1);
        double left = momentum_of(world, &turn).x;
        observe(world, 0, load);
        assert_near(0.01 * load[0], before - left, 1e-4 * before);
        /* (1 + xi)/2 of the velocity is left, and a little of the inertia */
        assert_true(left > 0.74 * before && left < 0.8 * before);
        mote_world_destroy(world);
    }
}

/* ---- plain ---- */

/* A uniform flow is accelerated along itself; differences of velocities do not do that. */
static void plain_sums_accelerate_uniform_flow(void **state)
{
    (void)state;
    static const char *const METHODS[] = {"mueller2003", "plain"};
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
            " \"domain\": {\"min\": [0, 0, -1], \"max\": [1, 1, 1], \"periodic\": \"xy\"},"
            " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05, \"viscosity\": {\"type\": \"%s\","
            "  \"nu\": 0.001}, \"phases\": [{\"velocity\": [1, 0, 0], \"fill\": [{\"type\":"
            "  \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}]}]}}",
            METHODS[k]);
        double before = measures_of(world).kinetic;
        step_by(world, 40);
        double grown = measures_of(world).kinetic / before;
        assert_true(k == 0 ? fabs(grown - 1) < 1e-6 : grown > 1.05);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_follow_their_formulas),
        cmocka_unit_test(shear_rates_are_exact_in_linear_flows),
        cmocka_unit_test(targets_conserve_momenta),
        cmocka_unit_test(rigid_rotation_is_its_own_target),
        cmocka_unit_test(targets_have_the_same_bits),
        cmocka_unit_test(targets_rub_at_solids),
        cmocka_unit_test(plain_sums_accelerate_uniform_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
