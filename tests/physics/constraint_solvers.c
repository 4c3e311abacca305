/*
 * Solvers of constraints: `newton` solves both equations of a substep for every constraint, and is
 * an implicit Euler step of the energy of finite elements; the others converge to its multipliers.
 */
#include "worlds.h"

#include <math.h>
#include <string.h>

static double quantity_of(const mote_world *world, const char *name)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity q = mote_world_quantity(world, k);
        if (strcmp(q.name, name) == 0) {
            return q.value;
        }
    }
    fail_msg("no quantity %s", name);
    return NAN;
}

/* A block held at one end that is bent by its weight. */
#define BLOCK(keys, model) \
    "{\"time\": {\"end\": 1, \"step\": 0.01}, " keys \
    "\"bodies\": [{\"name\": \"block\", \"density\": 1000, \"mesh\": " \
    "{\"type\": \"block\", \"max\": [0.4, 0.2, 0.2], \"nx\": 5, \"ny\": 3, \"nz\": 3, " \
    "\"tetrahedra\": 5}, \"pins\": [{\"set\": \"x0\"}], \"model\": " model "}]}"

#define SOLVER(name) "\"constraints\": {\"substeps\": 1, \"solver\": " name "}, "

static const char *const CONSTRAINTS[] = {
    "{\"type\": \"distance\", \"compliance\": 1e-5}",
    "{\"type\": \"distance\", \"compliance\": 1e-5, \"damping\": 0.01}",
    "{\"type\": \"distance\", \"compliance\": 1e-5, \"resists\": \"stretch\"}",
    "{\"type\": \"distance\", \"compliance\": 1e-5}, {\"type\": \"bend_isometric\", "
    "\"compliance\": 1e-2}",
    "{\"type\": \"distance\", \"compliance\": 1e-5}, {\"type\": \"bend_dihedral\", "
    "\"compliance\": 1e-2}",
    "{\"type\": \"distance\", \"compliance\": 1e-5}, {\"type\": \"area\", \"compliance\": 1e-5}",
    "{\"type\": \"distance\", \"compliance\": 1e-5}, {\"type\": \"volume\", \"compliance\": 1e-9}",
    "{\"type\": \"distance\", \"compliance\": 1e-5}, {\"type\": \"attach\", \"nodes\": [44], "
    "\"body\": \"block\", \"body_nodes\": [40], \"compliance\": 1}",
    "{\"type\": \"strain\", \"compliance\": 1e-5}",
    "{\"type\": \"strain_energy\", \"material\": {\"type\": \"stvk\", \"young\": 1e5}}",
    "\"strain_energy\"",
    "\"neo_hookean_pair\""};

static void test_residuals(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof CONSTRAINTS / sizeof *CONSTRAINTS; ++k) {
        mote_world *world = world_printf(
            1, BLOCK(SOLVER("\"newton\""), "{\"type\": \"xpbd\", \"constraints\": [%s]}"),
            CONSTRAINTS[k]);
        for (int n = 0; n < 5; ++n) {
            step_by(world, 1);
            double dual = quantity_of(world, "constraint_residual_max"),
                   primal = quantity_of(world, "constraint_residual_primal");
            bool damped = strstr(CONSTRAINTS[k], "damping") != NULL; /* not in this residual */
            if (!((damped || dual < 1e-7) && primal < 1e-6)) {
                fail_msg("%s: residuals %g, %g", CONSTRAINTS[k], dual, primal);
            }
        }
        mote_world_destroy(world);
    }
}

/* The largest distance of the nodes of two worlds. */
static double distance_of(const mote_world *a, const mote_world *b)
{
    const double *x = numbers_of(a, "x"), *y = numbers_of(b, "x");
    double worst = 0;
    for (int64_t k = 0; k < 3 * mote_world_rows(a, 0); ++k) {
        worst = fmax(worst, fabs(x[k] - y[k]));
    }
    return worst;
}

static void test_implicit_euler(void **state)
{
    mote_world *fem = world_of(
        BLOCK("\"integrator\": {\"type\": \"implicit_euler\", \"iterations\": 30, \"tolerance\": "
              "1e-12, \"definite\": false, \"solver\": \"cholesky\"}, ",
              "{\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 1e5}}"),
        1);
    mote_world *energy = world_of(
        BLOCK(SOLVER("{\"type\": \"newton\", \"tolerance\": 1e-12}"),
              "{\"type\": \"xpbd\", \"constraints\": [{\"type\": \"strain_energy\", \"material\": "
              "{\"type\": \"stvk\", \"young\": 1e5}}]}"),
        1);
    (void)state;
    step_by(fem, 20);
    step_by(energy, 20);
    assert_true(distance_of(fem, energy) < 1e-9);
    mote_world_destroy(fem);
    mote_world_destroy(energy);
}

/* Both have the equations that `newton` has without g; a linear constraint has the same g. */
static void test_sweeps(void **state)
{
    static const char *const SOLVERS[] = {"\"newton\"", "\"gauss_seidel\"",
                                          "{\"type\": \"newton_gauss_seidel\", \"sweeps\": 20}"};
    mote_world *worlds[3];
    (void)state;
    for (int k = 0; k < 3; ++k) {
        worlds[k] = world_printf(
            1,
            "{\"time\": {\"end\": 1, \"step\": 0.01}, \"constraints\": {\"substeps\": 1, "
            "\"iterations\": 300, \"solver\": %s}, \"bodies\": [{\"mass\": 1, \"pins\": "
            "[{\"nodes\": [0]}], \"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": "
            "[0, 0, -1], \"segments\": 10}, \"model\": {\"type\": \"xpbd\", \"constraints\": "
            "[{\"type\": \"distance\", \"compliance\": 1e-3}]}}]}",
            SOLVERS[k]);
        step_by(worlds[k], 20);
    }
    assert_true(distance_of(worlds[0], worlds[1]) < 1e-9);
    assert_true(distance_of(worlds[0], worlds[2]) < 1e-9);
    for (int k = 0; k < 3; ++k) {
        mote_world_destroy(worlds[k]);
    }
}

/* Rigid edges of a cloth leave hardly any motion: sweeps instead, and a finite state. */
static void test_rigid_cloth(void **state)
{
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.01}, \"constraints\": {\"solver\": \"newton\", "
        "\"substeps\": 2}, \"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"columns\": 8, \"rows\": "
        "8}, \"density\": 0.3, \"pins\": [{\"nodes\": [0]}], \"model\": \"xpbd\"}]}",
        1);
    (void)state;
    step_by(world, 10);
    assert_true(quantity_of(world, "constraint_residual_max") < 0.05);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residuals),
        cmocka_unit_test(test_implicit_euler),
        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_rigid_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
