/*
 * Components of viscous flows: viscosity in every direction, kernels of single terms, shifting, the
 * projection.
 */
#include "fluid_worlds.h"

#include "fluid/shifting/shifting.h"
#include "fluid/viscosity/viscosity.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
enum { SIDE = 20 };

/* A periodic square of 20 x 20 particles. */
static mote_world *square_world(const char *more)
{
    return world_printf(
        2,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
        " \"domain\": {\"periodic\": \"xy\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05, \"pressure\": \"isph\", %s,"
        "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 1, 1]}]}]}}",
        more);
}

/* ---- viscosity ---- */

typedef struct shear {
    const char *method, *kernel, *fluid_kernel;
    double support;
    int wave[2]; /* direction of variation; the velocity is perpendicular */
} shear;

static mo_kernel kernel_of(const char *name, double support)
{
    return mo_kernel_make((const mo_kernel_type *)mo_family_find(&mo_kernels, name), 2, support);
}

/* The lattice sum of -nu k^2 u for spacing 1, in double precision. */
static double lattice_part(const shear *s, double *delta)
{
    mo_kernel kernel_of_force = kernel_of(s->kernel, s->support),
              weight = kernel_of(s->fluid_kernel, s->support);
    double k[2] = {2 * PI * s->wave[0] / SIDE, 2 * PI * s->wave[1] / SIDE},
           square = k[0] * k[0] + k[1] * k[1];
    double sum = 0;
    *delta = 0;
    for (int n = 0; n < 81; ++n) {
        double x = n % 9 - 4, y = n / 9 - 4, r2 = x * x + y * y, across = k[0] * y - k[1] * x;
        *delta += mo_kernel_w(&weight, sqrt(r2));
        if (r2 > 0) {
            double part = s->method[0] == 'l' ? 8 * across * across / (square * r2) : 2;
            sum -= part * (1 - cos(k[0] * x + k[1] * y)) *
                   mo_kernel_gradient(&kernel_of_force, sqrt(r2));
        }
    }
    return sum / (square * *delta);
}

/* The same of the fluid. */
static double fluid_part(const shear *s)
{
    char more[300];
    mote_error error = {0};
    snprintf(
        more, sizeof more,
        "\"artificial_viscosity\": 0, \"support\": %g, \"kernel\": \"%s\", \"viscosity\": {\"type\": "
        "\"%s\", \"nu\": 0.3, "
        "\"kernel\": \"%s\"}",
        s->support, s->fluid_kernel, s->method, s->kernel);
    mote_world *world = square_world(more);
    mo_fluid *f = fluid_of(world);
    double k[2] = {2 * PI * s->wave[0], 2 * PI * s->wave[1]}, along = 0, square = 0;
    const double *x = mo_f64(f->columns.x), *a = mo_f64(f->columns.a);
    double *v = mo_f64(f->columns.v);
    for (int64_t row = 0; row < mo_store_rows(f->store); ++row) {
        double wave = sin(k[0] * x[3 * row] + k[1] * x[3 * row + 1]);
        v[3 * row] = -k[1] * wave;
        v[3 * row + 1] = k[0] * wave;
    }
    assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
    float pressure_factor = f->gradient_factor[0];
    assert_int_equal(mo_terms_accelerate(f, 0, 1e-4, &error), MOTE_OK);
    /* as it was */
    assert_near((double)f->gradient_factor[0], (double)pressure_factor,
                1e-5 * fabs((double)pressure_factor));
    for (int64_t row = 0; row < 3 * f->rows; ++row) {
        along += a[row] * v[row];
        square += v[row] * v[row];
    }
    mote_world_destroy(world);
    return -along / square / (0.3 * (k[0] * k[0] + k[1] * k[1]));
}

/* morris1997 is equal along axes and diagonals; laplacian is exact on average, and with its own
 * kernel. */
static void viscosity_has_the_parts_of_its_lattice(void **state)
{
    static const struct {
        shear shear;
        double part;
    } CASES[] = {
        {{"morris1997", "cubic", "cubic", 2, {1, 0}}, 1.00},
        {{"morris1997", "cubic", "cubic", 2, {1, 1}}, 1.00},
        {{"morris1997", "wendland_c2", "wendland_c2", 3, {1, 0}}, 0.98},
        {{"morris1997", "wendland_c2", "wendland_c2", 3, {1, 1}}, 0.96},
        {{"laplacian", "cubic", "cubic", 2, {1, 0}}, 0.66},
        {{"laplacian", "cubic", "cubic", 2, {1, 1}}, 1.35},
        {{"laplacian", "cubic", "cubic", 3, {1, 0}}, 0.93},
        {{"laplacian", "poly6", "cubic", 2, {1, 0}}, 0.95},
        {{"morris1997", "quintic", "cubic", 3, {0, 1}}, 0.99},
    };
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        double delta, found = fluid_part(&CASES[k].shear),
                      sum = lattice_part(&CASES[k].shear, &delta);
        if (!(fabs(found - sum) < 2e-4) || !(fabs(found - CASES[k].part) < 0.01)) {
            fail_msg(
                "%s with %s, support %g, wave (%d, %d): %.4f of nu, of the lattice %.4f, expected %.2f",
                CASES[k].shear.method, CASES[k].shear.kernel, CASES[k].shear.support,
                CASES[k].shear.wave[0], CASES[k].shear.wave[1], found, sum, CASES[k].part);
        }
    }
}

/* ---- shifting ---- */

static const char SHIFTING[] =
    "\"support\": 3, \"kernel\": \"wendland_c2\", \"shifting\": \"lind2012\"";

/* Positions off the lattice by up to 0.3 spacings. */
static void shake(mo_fluid *f)
{
    uint64_t random = 4;
    for (int64_t row = 0; row < mo_store_rows(f->store); ++row) {
        for (int k = 0; k < 2; ++k) {
            mo_f64(f->columns.x)[3 * row + k] += random_between(&random, -0.015, 0.015);
        }
    }
}

static void flow_at(const double *x, double *v)
{
    v[0] = sin(2 * PI * x[1]);
    v[1] = 0.5 * cos(2 * PI * x[0]);
}

static double uneven(const mo_fluid *f)
{
    double sum = 0;
    for (int64_t row = 0; row < f->rows; ++row) {
        sum += pow((double)f->density[row] - 1, 2);
    }
    return sqrt(sum / (double)f->rows);
}

static double off_flow(const mo_fluid *f)
{
    const double *x = mo_f64(f->columns.x), *v = mo_f64(f->columns.v);
    double sum = 0, flow[2];
    for (int64_t row = 0; row < f->rows; ++row) {
        flow_at(x + 3 * row, flow);
        sum += pow(v[3 * row] - flow[0], 2) + pow(v[3 * row + 1] - flow[1], 2);
    }
    return sqrt(sum / (double)f->rows);
}

/* It equalises the positions, and velocities are corrected: their error is much smaller than the
 * displacement. */
static void shifting_spreads_particles_and_keeps_the_flow(void **state)
{
    (void)state;
    mote_world *world = square_world(SHIFTING);
    mo_fluid *f = fluid_of(world);
    const mo_shifting_type *type = (const mo_shifting_type *)f->def->shifting.type;
    mote_error error = {0};
    double before = 0, way = 0, *x = mo_f64(f->columns.x);
    shake(f);
    double *start = malloc((size_t)(3 * mo_store_rows(f->store)) * sizeof *start);
    memcpy(start, x, (size_t)(3 * mo_store_rows(f->store)) * sizeof *start);
    for (int64_t row = 0; row < mo_store_rows(f->store); ++row) {
        flow_at(x + 3 * row, mo_f64(f->columns.v) + 3 * row);
    }
    for (int k = 0; k <= 100; ++k) {
        assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
        before = k == 0 ? uneven(f) : before;
        assert_int_equal(type->shift(&f->shifting, f, 0.003, &error), MOTE_OK);
    }
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        way += pow(x[k] - start[k], 2) / (double)f->rows;
    }
    assert_true(before > 0.03 && uneven(f) < 0.25 * before);
    assert_true(off_flow(f) < 0.3 * 2 * PI * sqrt(way));
    free(start);
    mote_world_destroy(world);
}

/* No strain, no shift: neither in quiescent fluid nor in uniform flow. */
static void shifting_leaves_alone_what_is_not_strained(void **state)
{
    (void)state;
    for (int wind = 0; wind < 2; ++wind) {
        mote_world *world = square_world(SHIFTING);
        mo_fluid *f = fluid_of(world);
        const mo_shifting_type *type = (const mo_shifting_type *)f->def->shifting.type;
        mote_error error = {0};
        shake(f);
        for (int64_t row = 0; row < mo_store_rows(f->store); ++row) {
            mo_f64(f->columns.v)[3 * row] = 2 * wind;
        }
        assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
        size_t bytes = (size_t)(3 * f->rows) * sizeof(double);
        double *start = malloc(bytes);
        memcpy(start, mo_f64(f->columns.x), bytes);
        assert_int_equal(type->shift(&f->shifting, f, 0.003, &error), MOTE_OK);
        assert_memory_equal(start, mo_f64(f->columns.x), bytes);
        free(start);
        mote_world_destroy(world);
    }
}

/* ---- the projection ---- */

/* A flow that is half expansion loses that half. */
static void projection_takes_the_divergence(void **state)
{
    (void)state;
    mote_world *world =
        square_world("\"support\": 3, \"kernel\": \"wendland_c2\", \"shifting\": \"lind2012\"");
    mo_fluid *f = fluid_of(world);
    double whole[2] = {0}, left[2] = {0};
    for (int after = 0; after < 2; ++after) {
        double *x = mo_f64(f->columns.x), *v = mo_f64(f->columns.v), *to = after ? left : whole;
        for (int64_t row = 0; row < mo_store_rows(f->store); ++row) {
            double turning = sin(2 * PI * x[3 * row + 1]), swelling = sin(2 * PI * x[3 * row]);
            if (!after) {
                v[3 * row] = 0.01 * (turning + swelling);
            }
            to[0] += v[3 * row] * turning;
            to[1] += v[3 * row] * swelling;
        }
        step_by(world, 1 - after);
    }
    assert_true(fabs(left[0] / whole[0] - 1) < 0.01);
    /* up to the difference of both Laplacians of the wave */
    assert_true(fabs(left[1] / whole[1]) < 0.06);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viscosity_has_the_parts_of_its_lattice),
        cmocka_unit_test(shifting_spreads_particles_and_keeps_the_flow),
        cmocka_unit_test(shifting_leaves_alone_what_is_not_strained),
        cmocka_unit_test(projection_takes_the_divergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
