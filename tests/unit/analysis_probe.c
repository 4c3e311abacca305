/*
 * A probe: exactness for constants, linear and quadratic fields, its forms against operators at
 * particles, periodic images, and positions without particles.
 */
#include "worlds.h"

#include "analysis/probe.h"

#include <math.h>
#include <string.h>

enum { SIDE = 9, ROWS = SIDE * SIDE * SIDE };

static const double SPACING = 0.1;

typedef struct cloud {
    mo_memory memory;
    double x[3 * ROWS + 1], scalar[ROWS], vector[3 * ROWS];
    mo_probe probe;
} cloud;

static double noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

/* a + b . x, and a quadratic field with the Laplacian 2 + 4 - 1. */
static double linear(const double *x)
{
    return 2 + 3 * x[0] - x[1] + 0.5 * x[2];
}

static double quadratic(const double *x)
{
    return linear(x) + x[0] * x[0] + 2 * x[1] * x[1] - 0.5 * x[2] * x[2] + x[0] * x[2];
}

static void make_cloud(cloud *c, double jitter, bool periodic)
{
    uint64_t state = 3;
    mote_error error = {0};
    memset(c, 0, sizeof *c);
    mo_memory_init(&c->memory, NULL);
    for (int row = 0; row < ROWS; ++row) {
        const int at[3] = {row % SIDE, row / SIDE % SIDE, row / SIDE / SIDE};
        for (int k = 0; k < 3; ++k) {
            c->x[3 * row + k] = SPACING * (at[k] + 0.5 + jitter * noise(&state));
        }
    }
    c->probe = (mo_probe){
        .memory = &c->memory,
        .kernel = mo_kernel_make((const mo_kernel_type *)mo_family_find(&mo_kernels, "cubic"), 3,
                                 2.5 * SPACING),
        .form = MO_DIFFERENCE,
        .correction = MO_PROBE_SHEPARD};
    for (int k = 0; k < 3; ++k) {
        c->probe.domain.periodic[k] = periodic;
        c->probe.domain.high[k] = SPACING * SIDE;
    }
    need(mo_probe_create(&c->probe, &error), &error, "probe");
    need(mo_probe_set(&c->probe, ROWS, c->x, NULL, NULL, &error), &error, "particles");
}

static mo_vec3 single(const void *context, int64_t index)
{
    (void)index;
    return *(const mo_vec3 *)context;
}

static void ask(const cloud *c, mo_probe_operator operation, int components, const double *field,
                mo_vec3 x, double *out)
{
    mote_error error = {0};
    need(mo_probe_evaluate(&c->probe, operation, components, field, 1, single, &x, out, &error),
         &error, "evaluate");
}

static void release_cloud(cloud *c)
{
    mo_probe_release(&c->probe);
    assert_int_equal(c->memory.bytes, 0);
}

/* Constants are exact with Shepard's correction, inside, at the surface and beyond it. */
static void test_constants(void **state)
{
    (void)state;
    static cloud c;
    make_cloud(&c, 0.4, false);
    for (int row = 0; row < ROWS; ++row) {
        c.scalar[row] = 7;
    }
    const mo_vec3 positions[] = {{0.44, 0.41, 0.47}, {0.01, 0.4, 0.4}, {-0.1, -0.05, 0.5}};
    for (int k = 0; k < 3; ++k) {
        double value, gradient[3], laplacian;
        ask(&c, MO_PROBE_VALUE, 1, c.scalar, positions[k], &value);
        ask(&c, MO_PROBE_GRADIENT, 1, c.scalar, positions[k], gradient);
        ask(&c, MO_PROBE_LAPLACIAN, 1, c.scalar, positions[k], &laplacian);
        assert_true(fabs(value - 7) < 1e-13);
        assert_true(fabs(gradient[0]) + fabs(gradient[1]) + fabs(gradient[2]) < 1e-10);
        assert_true(fabs(laplacian) < 1e-8);
    }
    release_cloud(&c);
}

/* The fits are exact on disordered particles, also at the surface. */
static void test_fits(void **state)
{
    (void)state;
    static cloud c;
    make_cloud(&c, 0.4, false);
    c.probe.correction = MO_PROBE_LEAST_SQUARES;
    const mo_vec3 x = {0.03, 0.45, 0.87};
    const double at[3] = {x.x, x.y, x.z};
    double value, gradient[3], laplacian;
    for (int row = 0; row < ROWS; ++row) {
        c.scalar[row] = linear(c.x + 3 * row);
    }
    ask(&c, MO_PROBE_VALUE, 1, c.scalar, x, &value);
    ask(&c, MO_PROBE_GRADIENT, 1, c.scalar, x, gradient);
    assert_true(fabs(value - linear(at)) < 1e-12);
    assert_true(fabs(gradient[0] - 3) + fabs(gradient[1] + 1) + fabs(gradient[2] - 0.5) < 1e-11);
    for (int row = 0; row < ROWS; ++row) {
        c.scalar[row] = quadratic(c.x + 3 * row);
    }
    ask(&c, MO_PROBE_LAPLACIAN, 1, c.scalar, x, &laplacian);
    assert_true(fabs(laplacian - 5) < 1e-8);
    release_cloud(&c);
}

/* Divergence, curl and gradient of a rotation and an expansion agree. */
static void test_vectors(void **state)
{
    (void)state;
    static cloud c;
    make_cloud(&c, 0, false);
    for (int row = 0; row < ROWS; ++row) {
        const double *x = c.x + 3 * row;
        double *v = c.vector + 3 * row;
        v[0] = -2 * x[1] + 0.5 * x[0];
        v[1] = 2 * x[0] + 0.5 * x[1];
        v[2] = 0.5 * x[2];
    }
    static const mo_difference FORMS[] = {MO_DIFFERENCE, MO_SYMMETRIC, MO_PLAIN};
    for (int k = 0; k < 3; ++k) {
        double curl[3], divergence, gradient[9];
        mo_vec3 x = {0.45, 0.45, 0.45}; /* a particle: forms agree on a lattice */
        c.probe.form = FORMS[k];
        ask(&c, MO_PROBE_CURL, 3, c.vector, x, curl);
        ask(&c, MO_PROBE_DIVERGENCE, 3, c.vector, x, &divergence);
        ask(&c, MO_PROBE_GRADIENT, 3, c.vector, x, gradient);
        assert_true(fabs(curl[2] - 4) < 0.08);
        assert_true(fabs(curl[0]) + fabs(curl[1]) < 1e-9);
        assert_true(fabs(divergence - 1.5) < 0.03);
        assert_true(fabs(gradient[0] + gradient[4] + gradient[8] - divergence) < 1e-12);
        assert_true(fabs(gradient[3] - gradient[1] - curl[2]) < 1e-12);
    }
    release_cloud(&c);
}

/* Positions beyond a periodic box, and far from particles. */
static void test_images(void **state)
{
    (void)state;
    static cloud c;
    make_cloud(&c, 0.3, true);
    for (int row = 0; row < ROWS; ++row) {
        c.scalar[row] = sin(row);
    }
    double here, there, weight;
    ask(&c, MO_PROBE_VALUE, 1, c.scalar, (mo_vec3){0.02, 0.4, 0.88}, &here);
    ask(&c, MO_PROBE_VALUE, 1, c.scalar, (mo_vec3){0.92, -0.5, 1.78}, &there);
    assert_true(fabs(here - there) < 1e-12);
    release_cloud(&c);
    make_cloud(&c, 0.3, false);
    ask(&c, MO_PROBE_VALUE, 1, c.scalar, (mo_vec3){5, 5, 5}, &here);
    ask(&c, MO_PROBE_WEIGHT, 1, c.scalar, (mo_vec3){5, 5, 5}, &weight);
    assert_true(here == 0 && weight == 0);
    ask(&c, MO_PROBE_WEIGHT, 1, c.scalar, (mo_vec3){0.45, 0.45, 0.45}, &weight);
    assert_true(fabs(weight - 1) < 0.1);
    release_cloud(&c);
}

static void test_names(void **state)
{
    (void)state;
    mote_error error = {0};
    char name[40];
    mo_probe_label(MO_PROBE_GRADIENT, "v", 3, 5, name, sizeof name);
    assert_string_equal(name, "grad_v_y_dz");
    mo_probe_name(MO_PROBE_CURL, "v", name, sizeof name);
    assert_string_equal(name, "curl_v");
    assert_int_equal(mo_probe_components(MO_PROBE_CURL, 1), 0);
    assert_int_equal(mo_probe_choice(mo_probe_operator_names, "curl"), MO_PROBE_CURL);
    assert_int_equal(mo_probe_choice(mo_probe_operator_names, "cur"), -1);
    assert_int_equal(mo_probe_check(MO_PLAIN, MO_PROBE_LEAST_SQUARES, &error), MOTE_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants), cmocka_unit_test(test_fits),
        cmocka_unit_test(test_vectors),   cmocka_unit_test(test_images),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
