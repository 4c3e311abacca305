/* Stresses of finite elements for output, against closed forms. */
#include "worlds.h"

#include <math.h>

static const double YOUNG = 1e5, POISSON = 0.3;

/* ---- P of principal stretches, by the materials' papers ---- */

typedef void stress_fn(const double s[3], double p[3]);

static double mu(void)
{
    return YOUNG / (2 * (1 + POISSON));
}

static double lambda(void)
{
    return YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON));
}

static void corotated(const double s[3], double p[3])
{
    for (int k = 0; k < 3; ++k) {
        p[k] = 2 * mu() * (s[k] - 1) + lambda() * (s[0] + s[1] + s[2] - 3);
    }
}

static void stvk(const double s[3], double p[3])
{
    double trace = 0.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3);
    for (int k = 0; k < 3; ++k) {
        p[k] = s[k] * (mu() * (s[k] * s[k] - 1) + lambda() * trace);
    }
}

static void neo_hookean(const double s[3], double p[3])
{
    for (int k = 0; k < 3; ++k) {
        p[k] = mu() * (s[k] - 1 / s[k]) + lambda() * log(s[0] * s[1] * s[2]) / s[k];
    }
}

static void stable_neo_hookean(const double s[3], double p[3])
{
    double m = 4 * mu() / 3, l = lambda() + 5 * mu() / 6, alpha = 1 + 0.75 * m / l;
    double sum = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], volume = s[0] * s[1] * s[2];
    for (int k = 0; k < 3; ++k) {
        p[k] = m * (1 - 1 / (sum + 1)) * s[k] + l * (volume - alpha) * volume / s[k];
    }
}

static void arap(const double s[3], double p[3])
{
    for (int k = 0; k < 3; ++k) {
        p[k] = YOUNG * (s[k] - 1);
    }
}

static const struct {
    const char *name, *constants;
    stress_fn *stress;
    bool linear;
} MATERIALS[] = {
    {"linear", "\"young\": 1e5, \"poisson\": 0.3", corotated, true},
    {"corotated", "\"young\": 1e5, \"poisson\": 0.3", corotated, false},
    {"stvk", "\"young\": 1e5, \"poisson\": 0.3", stvk, false},
    {"hooke",
     "\"young\": [1e5, 1e5, 1e5], \"shear\": [38461.538461538461, 38461.538461538461, "
     "38461.538461538461]",
     stvk, false},
    {"neo_hookean", "\"young\": 1e5, \"poisson\": 0.3", neo_hookean, false},
    {"stable_neo_hookean", "\"young\": 1e5, \"poisson\": 0.3", stable_neo_hookean, false},
    {"arap", "\"young\": 1e5", arap, false}};

enum { COUNT = sizeof MATERIALS / sizeof *MATERIALS };

/* The transverse stretch with zero transverse stress, by bisection. */
static double across_of(stress_fn *stress, double along)
{
    double low = 0.5, high = 1.5, p[3];
    for (int k = 0; k < 80; ++k) {
        double s[3] = {along, 0.5 * (low + high), 0.5 * (low + high)};
        stress(s, p);
        *(p[1] > 0 ? &high : &low) = s[1];
    }
    return 0.5 * (low + high);
}

static mote_world *create_block(int k)
{
    return world_printf(
        1,
        "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"bodies\": [{\"density\": 1000,"
        " \"mesh\": {\"type\": \"block\", \"max\": [0.4, 0.2, 0.2], \"nx\": 4, \"ny\": 3, \"nz\": 3,"
        "  \"tetrahedra\": 6}, \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"%s\", %s}}}]}",
        MATERIALS[k].name, MATERIALS[k].constants);
}

/* A bar in tension along x, then rotated about z: a uniaxial stress along the bar. */
static void bars_have_the_stress_of_their_material(void **state)
{
    (void)state;
    for (int n = 0; n < 3 * COUNT; ++n) {
        int k = n % COUNT;
        double along = n < COUNT ? 1.25 : n < 2 * COUNT ? 0.8 : 1.1, turn = n < 2 * COUNT ? 0 : 0.7;
        if (MATERIALS[k].linear) {
            turn = 0; /* not rotation invariant */
        }
        double across = across_of(MATERIALS[k].stress, along), s[3] = {along, across, across}, p[3];
        MATERIALS[k].stress(s, p);
        double expected = MATERIALS[k].linear ? p[0] : p[0] / (across * across);
        mote_world *world = create_block(k);
        double *x = numbers_of(world, "x");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            double a = along * x[3 * row], b = across * x[3 * row + 1];
            x[3 * row] = cos(turn) * a - sin(turn) * b;
            x[3 * row + 1] = sin(turn) * a + cos(turn) * b;
            x[3 * row + 2] *= across;
        }
        mote_world_invalidate(world, 0);
        mote_world_derive(world);
        const double *stress = numbers_of(world, "stress"), *mises = numbers_of(world, "von_mises");
        double c = cos(turn), d = sin(turn), unit[6] = {c * c, d * d, 0, c * d, 0, 0};
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            assert_true(fabs(mises[row] - fabs(expected)) < 1e-7 * YOUNG);
            for (int i = 0; i < 6; ++i) {
                assert_true(fabs(stress[6 * row + i] - expected * unit[i]) < 1e-7 * YOUNG);
            }
        }
        mote_cells cells;
        assert_int_equal(mote_world_cells(world, 0, &cells, NULL), MOTE_OK);
        assert_int_equal(cells.count, 3 * 2 * 2 * 6);
        for (int64_t e = 0; e < cells.count; ++e) {
            assert_true(fabs(cells.stress[6 * e] - expected * unit[0]) < 1e-7 * YOUNG);
            assert_true(cells.rows[4 * e + 3] >= 0 &&
                        cells.rows[4 * e + 3] < mote_world_rows(world, 0));
        }
        mote_world_destroy(world);
    }
}

/* A sheet in 1 % tension: transverse stress in plane strain, none in plane stress. */
static void plane_bodies_know_their_third_axis(void **state)
{
    static const char *const KINDS[] = {"plane_stress", "plane_strain"};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_printf(
            1,
            "{\"time\": {\"end\": 1, \"step\": 1e-3}, \"bodies\": [{\"density\": 1000,"
            " \"mesh\": {\"type\": \"cloth\", \"u\": [1, 0, 0], \"v\": [0, 1, 0], \"columns\": 4, "
            "\"rows\": 4},"
            " \"model\": {\"type\": \"fem\", \"triangles\": \"%s\","
            "  \"material\": {\"type\": \"linear\", \"young\": 1e5, \"poisson\": 0.3}}}]}",
            KINDS[k]);
        double *x = numbers_of(world, "x");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            x[3 * row] *= 1.01;
        }
        mote_world_derive(world);
        const double *s = numbers_of(world, "stress");
        double l = k ? lambda() : YOUNG * POISSON / (1 - POISSON * POISSON);
        assert_true(fabs(s[0] - 0.01 * (2 * mu() + l)) < 1e-8 * YOUNG);
        assert_true(fabs(s[1] - 0.01 * l) < 1e-8 * YOUNG);
        assert_true(fabs(s[2] - (k ? 0.01 * l : 0)) < 1e-8 * YOUNG);
        mote_cells cells;
        assert_int_equal(mote_world_cells(world, 0, &cells, NULL), MOTE_OK);
        assert_int_equal(cells.count, 18);
        assert_int_equal(cells.rows[3], -1);
        mote_world_destroy(world);
    }
}

/* Compressed to a plane the stress is large, but finite. */
static void squashed_elements_have_numbers(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT; ++k) {
        mote_world *world = create_block(k);
        double *x = numbers_of(world, "x");
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            x[3 * row + 2] = 0;
        }
        mote_world_derive(world);
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            assert_true(isfinite(numbers_of(world, "von_mises")[row]));
        }
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_have_the_stress_of_their_material),
        cmocka_unit_test(plane_bodies_know_their_third_axis),
        cmocka_unit_test(squashed_elements_have_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
