/* Forces through a plane, and stresses of scalar elements, against closed forms. */
#include "worlds.h"

#include <math.h>

enum {
    ELEMENTS,
    AREA,
    FORCE,
    NORMAL_FORCE = 5,
    SHEAR_FORCE,
    NORMAL,
    SHEAR,
    NORMAL_MAX,
    SHEAR_MAX,
    NUMBERS
};

static const double YOUNG = 1e5;

/* Moves every node to F x, with F given by rows. */
static void deform(mote_world *world, const double f[9])
{
    double *x = numbers_of(world, "x");
    for (int64_t k = 0; k < mote_world_rows(world, 0); ++k) {
        double y[3];
        for (int i = 0; i < 3; ++i) {
            y[i] = f[3 * i] * x[3 * k] + f[3 * i + 1] * x[3 * k + 1] + f[3 * i + 2] * x[3 * k + 2];
        }
        memcpy(x + 3 * k, y, sizeof y);
    }
    mote_world_invalidate(world, 0);
}

#define BAR(model, plane) \
    "{\"time\": {\"end\": 1, \"step\": 0.01}, \"gravity\": [0, 0, 0], \"bodies\": [{\"density\": " \
    "1000, \"mesh\": {\"type\": \"block\", \"max\": [0.4, 0.2, 0.2], \"nx\": 5, \"ny\": 3, " \
    "\"nz\": 3, \"tetrahedra\": 5}, \"model\": " model "}], \"observables\": [{\"type\": " \
    "\"section_force\", " plane "}]}"

/* A bar under uniaxial tension: P = E l (l^2 - 1)/2 of stvk with nu = 0, on any of its sections. */
static void test_tension(void **state)
{
    static const char *const PLANES[] = {"\"point\": [0.2131, 0, 0]",
                                         "\"point\": [0.05, 0, 0], \"normal\": [2, 0, 0]"};
    const double l = 1.1, stretch[9] = {l, 0, 0, 0, 1, 0, 0, 0, 1},
                 force = 0.04 * YOUNG * l * (l * l - 1) / 2;
    (void)state;
    for (int k = 0; k < 2; ++k) {
        double v[NUMBERS];
        mote_world *world =
            world_printf(1,
                         BAR("{\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": "
                             "%g, \"poisson\": 0}}",
                             "%s"),
                         YOUNG, PLANES[k]);
        deform(world, stretch);
        observe(world, 0, v);
        assert_true(v[ELEMENTS] >= 20);
        assert_true(fabs(v[AREA] - 0.04) < 1e-14);
        assert_true(fabs(v[FORCE] / force - 1) < 1e-8);
        assert_true(fabs(v[NORMAL_FORCE] / force - 1) < 1e-8);
        assert_true(fabs(v[NORMAL] * 0.04 / force - 1) < 1e-8);
        assert_true(fabs(v[NORMAL_MAX] * 0.04 / force - 1) < 1e-8);
        assert_true(fabs(v[SHEAR_FORCE]) < 1e-8 * force && v[SHEAR_MAX] < 1e-8 * YOUNG);
        mote_world_destroy(world);
    }
}

/* On a plane inclined by 45 degrees the traction of a uniaxial stress s is s/2 normal and s/2 in
 * shear. */
static void test_inclined(void **state)
{
    double v[NUMBERS];
    const double l = 1.1, stretch[9] = {l, 0, 0, 0, 1, 0, 0, 0, 1},
                 stress = YOUNG * l * (l * l - 1) / 2;
    mote_world *world = world_printf(1,
                                     BAR("{\"type\": \"fem\", \"material\": {\"type\": \"stvk\", "
                                         "\"young\": %g, \"poisson\": 0}}",
                                         "\"point\": [0.22, 0, 0.1], \"normal\": [1, 0, 1]"),
                                     YOUNG);
    (void)state;
    deform(world, stretch);
    observe(world, 0, v);
    assert_true(fabs(v[AREA] - 0.04 * sqrt(2)) < 1e-12);
    assert_true(fabs(v[NORMAL] / (0.5 * stress) - 1) < 1e-8);
    assert_true(fabs(v[SHEAR] / (0.5 * stress) - 1) < 1e-8);
    assert_true(fabs(v[SHEAR_MAX] / (0.5 * stress) - 1) < 1e-8);
    mote_world_destroy(world);
}

/* fast_corotated: 2 mu (l - 1) + lambda (l - 1), nu = 0. */
static void test_fast_corotated(void **state)
{
    double v[NUMBERS];
    const double l = 1.1, stretch[9] = {l, 0, 0, 0, 1, 0, 0, 0, 1};
    mote_world *world =
        world_printf(1,
                     BAR("{\"type\": \"fast_corotated\", \"young\": %g, \"poisson\": 0}",
                         "\"point\": [0.2131, 0, 0]"),
                     YOUNG);
    (void)state;
    deform(world, stretch);
    observe(world, 0, v);
    assert_true(fabs(v[FORCE] / (0.04 * YOUNG * (l - 1)) - 1) < 1e-8);
    mote_world_destroy(world);
}

/* Volume elements have the isotropic stress k C, edges the tension k C. */
static void test_elements(void **state)
{
    double v[NUMBERS];
    const double l = 1.1, stretch[9] = {l, 0, 0, 0, 1, 0, 0, 0, 1};
    mote_world *solid = world_printf(
        1,
        BAR("{\"type\": \"elements\", \"length\": 0, \"volume\": %g}", "\"point\": [0.2131, 0, 0]"),
        YOUNG);
    mote_world *rope =
        world_of("{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"mass\": 1, \"mesh\": "
                 "{\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [1, 0, 0], \"segments\": 8}, "
                 "\"model\": {\"type\": \"elements\", \"length\": 70}}], \"observables\": "
                 "[{\"type\": \"section_force\", \"point\": [0.3, 0, 0]}]}",
                 1);
    (void)state;
    deform(solid, stretch);
    observe(solid, 0, v);
    assert_true(fabs(v[FORCE] / (0.04 * YOUNG * (l - 1)) - 1) < 1e-8);
    mote_world_derive(solid);
    const double *stress = numbers_of(solid, "element_stress");
    for (int64_t k = 0; k < mote_world_rows(solid, 0); ++k) {
        assert_true(fabs(stress[3 * k + 2] / (YOUNG * (l - 1)) - 1) < 1e-8 && stress[3 * k] == 0);
    }
    deform(rope, stretch);
    observe(rope, 0, v);
    assert_true(v[ELEMENTS] == 1 && v[AREA] == 0 && v[NORMAL] == 0);
    assert_true(fabs(v[FORCE] / (70 * (l - 1)) - 1) < 1e-8);
    mote_world_derive(rope);
    assert_true(fabs(numbers_of(rope, "element_stress")[3] / (70 * (l - 1)) - 1) < 1e-8);
    mote_world_destroy(solid);
    mote_world_destroy(rope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tension),
        cmocka_unit_test(test_inclined),
        cmocka_unit_test(test_fast_corotated),
        cmocka_unit_test(test_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
