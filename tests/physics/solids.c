/*
 * Elastic solids: recovery from inverted configurations, conservation of energy and momenta, loads.
 */
#include "worlds.h"

#include "scene/catalog.h"
#include "solid/material/material.h"

#include <math.h>

static const char *constants_of(const char *material)
{
    return strcmp(material, "hooke") == 0
               ? "\"young\": [1e5, 6e4, 3e4], \"poisson\": [0.3, 0.3, 0.3], \"shear\": [4e4, 3e4, 2e4]"
               : "\"young\": 1e5";
}

/* ---- recovery ---- */

static const char CUBE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 10, \"step\": %.3g}, \"integrator\": \"symplectic_euler\","
    " \"bodies\": [{\"mesh\": {\"type\": \"block\", \"nx\": 4, \"ny\": 4, \"nz\": 4, \"tetrahedra\": 5},"
    "   \"density\": 1000, \"model\": {\"type\": \"fem\", \"damping_mass\": %.3g,"
    "   \"material\": {\"type\": \"%s\", %s}}}]}";

static uint64_t random_state;

static double random_unit(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 11) * 0x1p-53;
}

typedef enum squash { TO_A_PLANE, TO_A_POINT, AT_RANDOM, INSIDE_OUT, WAYS } squash;
static const char *const WAY[WAYS] = {"squashed to a plane", "squashed to a point",
                                      "with nodes at random", "turned inside out"};

static void deform(double *x, int64_t rows, squash how)
{
    random_state = 7;
    for (int64_t k = 0; k < 3 * rows; ++k) {
        if (how == TO_A_POINT || (how == TO_A_PLANE && k % 3 == 2)) {
            x[k] = 0.5;
        } else if (how == AT_RANDOM) {
            x[k] = random_unit();
        } else if (how == INSIDE_OUT && k % 3 == 2) {
            x[k] = -x[k];
        }
    }
}

static double distance(const double *x, int64_t a, int64_t b)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        sum += (x[3 * a + k] - x[3 * b + k]) * (x[3 * a + k] - x[3 * b + k]);
    }
    return sqrt(sum);
}

/* The largest difference between two shapes up to rigid motion: all distances, and the
 * orientation. */
static double shape_error(const double *x, const double *rest, int64_t rows)
{
    double worst = 0;
    for (int64_t a = 0; a < rows; ++a) {
        for (int64_t b = 0; b < a; ++b) {
            worst = fmax(worst, fabs(distance(x, a, b) - distance(rest, a, b)));
        }
    }
    const int64_t corner[3] = {3, 12, 48};
    double d[3][3];
    for (int k = 0; k < 9; ++k) {
        d[k / 3][k % 3] = x[3 * corner[k / 3] + k % 3] - x[k % 3];
    }
    double volume = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                    d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                    d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    return volume > 0 ? worst : 1;
}

static double recovered(const char *material, squash how)
{
    mote_world *world = world_printf(1, CUBE, 0.0002, 10.0, material, constants_of(material));
    int64_t rows = mote_world_rows(world, 0);
    double *x = numbers_of(world, "x"), *rest = malloc((size_t)(3 * rows) * sizeof *rest);
    memcpy(rest, x, (size_t)(3 * rows) * sizeof *rest);
    deform(x, rows, how);
    mote_world_invalidate(world, 0);
    advance_to(world, 8);
    double error = shape_error(x, rest, rows);
    free(rest);
    mote_world_destroy(world);
    return error;
}

/* A damped cube of one metre: recovery within some forty periods. */
static void squashed_bodies_come_back(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    for (int k = 0; k < mo_materials.count; ++k) {
        const mo_descriptor *material = mo_materials.methods[k];
        for (squash how = 0; how < WAYS; ++how) {
            uint32_t needed = MO_MATERIAL_RECOVERS | (how == TO_A_POINT ? MO_MATERIAL_UNFOLDS : 0);
            if ((material->capabilities & needed) == needed) {
                double error = recovered(material->name, how);
                if (!(error < 1e-3)) {
                    fail_msg("'%s' %s: a distance is off by %g m", material->name, WAY[how], error);
                }
            }
        }
    }
}

/* ---- energy ---- */

/* A free oscillating body: a symplectic scheme conserves its energy to second order. */
static double energy_drift(const char *material, double h)
{
    mote_measures before, after;
    double worst = 0;
    mote_world *world = world_printf(1, CUBE, h, 0.0, material, constants_of(material));
    assert_int_equal(mote_world_rows(world, 0), 64);
    double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    for (int64_t k = 0; k < 64; ++k) {
        v[3 * k] = 2 * x[3 * k] - 3 * x[3 * k + 1];
        v[3 * k + 1] = 3 * x[3 * k];
        v[3 * k + 2] = -2 * x[3 * k] * x[3 * k + 1];
    }
    mote_world_invalidate(world, 0);
    mote_world_measure(world, &before, NULL);
    for (int k = 1; k <= 10; ++k) {
        advance_to(world, 0.1 * k);
        mote_world_measure(world, &after, NULL);
        worst = fmax(worst, fabs(after.kinetic + after.elastic - before.kinetic - before.elastic));
    }
    assert_true(before.kinetic > 100 && after.elastic > 1);
    worst /= before.kinetic;
    mote_world_destroy(world);
    return worst;
}

static void free_bodies_conserve_energy(void **state)
{
    (void)state;
    for (int k = 0; k < mo_materials.count; ++k) {
        const char *name = mo_materials.methods[k]->name;
        double coarse = energy_drift(name, 0.0005), fine = energy_drift(name, 0.000125);
        /* symplectic Euler: the energy error is proportional to omega h of the fastest active
         * mode */
        if (!(coarse < 0.05 && fine < 0.4 * coarse)) {
            fail_msg("'%s': the energy changes by %g and %g of the kinetic", name, coarse, fine);
        }
    }
}

/* ---- loads ---- */

static const char LOADED[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"integrator\": \"symplectic_euler\","
    " \"bodies\": [{\"mass\": 2, \"mesh\": {\"type\": \"block\", \"nx\": 4, \"ny\": 4, \"nz\": 4, "
    "\"tetrahedra\": 5},"
    "   \"loads\": [%s]}]}";

/* Momentum after one step, divided by the step: the sum of the loads. */
static void apply_load(const char *loads, double sum[3], double torque[3])
{
    mote_measures m;
    mote_world *world = world_printf(1, LOADED, loads);
    assert_int_equal(mote_world_step(world, NULL, NULL), MOTE_OK);
    mote_world_measure(world, &m, NULL);
    for (int k = 0; k < 3; ++k) {
        sum[k] = m.momentum[k] / 0.001;
        torque[k] = m.angular_momentum[k] / 0.001;
    }
    mote_world_destroy(world);
}

static void assert_close(const double a[3], double x, double y, double z, double allowed)
{
    const double b[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(a[k] - b[k]) <= allowed)) {
            fail_msg("%c: %.17g instead of %.17g", 'x' + k, a[k], b[k]);
        }
    }
}

static void loads_add_up(void **state)
{
    double sum[3], torque[3];
    (void)state;
    apply_load("{\"set\": \"x1\", \"force\": [3, -4, 5]}", sum, torque);
    assert_close(sum, 3, -4, 5, 1e-12);
    /* a constant traction acts at the centroid of the face: (1, 1/2, 1/2) x F */
    assert_close(torque, 0.5 * 5 + 0.5 * 4, 0.5 * 3 - 5, -4 - 0.5 * 3, 1e-9);
    apply_load(
        "{\"nodes\": [5], \"force\": [1, 0, 0]}, {\"nodes\": [5], \"force\": [1, 2, 0], \"scale\": 0.5}",
        sum, torque);
    assert_close(sum, 1.5, 1, 0, 1e-12);
    apply_load("{\"set\": \"z1\", \"pressure\": 7}", sum, torque);
    assert_close(sum, 0, 0, -7, 1e-12);
    apply_load("{\"set\": \"all\", \"pressure\": 7}", sum, torque); /* on all sides */
    assert_close(sum, 0, 0, 0, 1e-12);
    assert_close(torque, 0, 0, 0, 1e-12);
    apply_load("{\"set\": \"x1\", \"force\": [1, 0, 0], \"scale\": [[0, 0.25], [1, 0.25]]}", sum,
               torque);
    assert_close(sum, 0.25, 0, 0, 1e-12);
}

/* A dead load has a potential: its work equals the energy gained. */
static void dead_loads_have_a_potential(void **state)
{
    mote_measures before, after;
    (void)state;
    mote_world *world = world_printf(1, LOADED, "{\"set\": \"all\", \"force\": [3, 1, 0]}");
    mote_world_measure(world, &before, NULL);
    for (int k = 0; k < 100; ++k) {
        mote_world_step(world, NULL, NULL);
    }
    mote_world_measure(world, &after, NULL);
    double gained = after.kinetic - before.kinetic, lost = before.potential - after.potential;
    /* symplectic Euler: offset by half a step */
    assert_true(gained > 0.01 && fabs(gained - lost) < 0.02 * gained);
    mote_world_destroy(world);
}

/* ---- threads, and restarts from a snapshot ---- */

static const char LARGE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.0005}, \"integrator\": \"%s\", \"bodies\": ["
    " {\"mesh\": {\"type\": \"block\", \"nx\": 23, \"ny\": 23, \"nz\": 23, \"tetrahedra\": 5}, \"density\": "
    "1000,"
    "  \"model\": {\"type\": \"fem\", \"damping_mass\": 1, \"damping_stiffness\": 0.001, \"yield\": 1e-4, "
    "\"creep\": 100,"
    "  \"material\": {\"type\": \"corotated\", \"young\": 1e5}}, \"pins\": [{\"set\": \"x0\"}],"
    "  \"loads\": [{\"set\": \"x1\", \"pressure\": 1e4}]},"
    " {\"mesh\": {\"type\": \"cloth\", \"origin\": [0, 2, 0], \"columns\": 60, \"rows\": 60}, \"density\": 1,"
    "  \"model\": {\"type\": \"elements\", \"length\": 10, \"area\": 5}}]}";

static uint64_t hash_after(const char *integrator, int threads, int steps)
{
    mote_world *world = world_printf(threads, LARGE, integrator);
    step_by(world, steps);
    uint64_t hash = mote_world_state_hash(world);
    mote_world_destroy(world);
    return hash;
}

/* 53,240 tetrahedra. */
static void the_same_bits_on_any_number_of_threads(void **state)
{
    static const char *const INTEGRATORS[] = {"symplectic_euler", "implicit_euler"};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        uint64_t one = hash_after(INTEGRATORS[k], 1, 3);
        assert_true(hash_after(INTEGRATORS[k], 2, 3) == one);
        assert_true(hash_after(INTEGRATORS[k], 3, 3) == one);
        assert_true(hash_after(INTEGRATORS[k], 8, 3) == one);
        assert_true(hash_after(INTEGRATORS[k], 1, 2) != one);
    }
}

/* Plastic strain is part of the state: a restored world continues bitwise. */
static void plastic_bodies_go_on_from_a_snapshot(void **state)
{
    (void)state;
    mote_world *world = world_printf(1, LARGE, "symplectic_euler");
    step_by(world, 4);
    mote_column column = column_of(world, 0, "plastic_strain");
    const double *plastic = column.data;
    int64_t flown = 0;
    for (int64_t k = 0; k < column.rows * column.components; ++k) {
        flown += plastic[k] != 0;
    }
    assert_true(flown > 1000);
    mote_world *other = world_printf(1, LARGE, "symplectic_euler");
    copy_state(world, other);
    step_by(world, 3);
    step_by(other, 3);
    assert_same_state(world, other);
    mote_world_destroy(world);
    mote_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squashed_bodies_come_back),
        cmocka_unit_test(free_bodies_conserve_energy),
        cmocka_unit_test(loads_add_up),
        cmocka_unit_test(dead_loads_have_a_potential),
        cmocka_unit_test(the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(plastic_bodies_go_on_from_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
