/*
 * Corrected rates of the density: exact on linear flows of disordered particles, plain beside free
 * surfaces, in two and three dimensions.
 */
#include "worlds.h"

#include "fluid/sph/corrected_rates.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

static mo_fluid *fluid_of(mote_world *world)
{
    return &((mo_fluid_system *)world->systems[0].state)->fluid;
}

/* u = A x, of trace 0.5 or 0. */
static void set_flow(mo_fluid *f, double trace)
{
    const double a[3][3] = {{1.3, 0.7, -0.4}, {-0.2, -0.9, 0.8}, {0.5, 0.3, -0.4}};
    for (int64_t row = 0; row < f->rows; ++row) {
        const double *x = mo_f64(f->columns.x) + 3 * row;
        double *v = mo_f64(f->columns.v) + 3 * row;
        for (int k = 0; k < 3; ++k) {
            v[k] = a[k][0] * x[0] + a[k][1] * x[1] + (f->dimension == 2 ? 0 : a[k][2] * x[2]);
        }
        v[0] += (trace - (f->dimension == 2 ? 0.4 : 0)) * x[0];
        v[2] = f->dimension == 2 ? 0 : v[2];
    }
    mo_fluid_pack_velocities(f);
}

/* Far inside by its density and kernel gradient sum. */
static bool inside(const mo_fluid *f, int64_t row)
{
    return f->density[row] > 0.85f && f->gradient_sum[row] < 0.2f;
}

static bool at_surface(const mo_fluid *f, int64_t row)
{
    return f->gradient_sum[row] > MO_FLUID_SURFACE_GRADIENT;
}

static void check_flow(mo_fluid *f, double trace)
{
    float *plain = malloc((size_t)f->rows * sizeof *plain),
          *rate = malloc((size_t)f->rows * sizeof *rate),
          *difference = malloc((size_t)f->rows * sizeof *difference);
    double error = 0, plain_error = 0;
    int64_t interior = 0, surface = 0;
    set_flow(f, trace);
    mo_fluid_rates(f, f->velocity, true, plain);
    mo_fluid_corrected_rates(f, f->velocity, rate, difference);
    for (int64_t row = 0; row < f->rows; ++row) {
        assert_near((double)(rate[row] + difference[row]), (double)plain[row], 1e-4);
        if (inside(f, row)) {
            error = fmax(error, fabs((double)rate[row] + trace));
            plain_error = fmax(plain_error, fabs((double)plain[row] + trace));
            interior++;
        } else if (at_surface(f, row)) {
            assert_true(difference[row] == 0);
            surface++;
        }
    }
    print_message("%dD, div u = %g: %lld rows inside, error %.2e (plain %.2e)\n", f->dimension,
                  trace, (long long)interior, error, plain_error);
    assert_true(interior > 50 && surface > 10 && error < 1e-4 && plain_error > 0.05);
    free(plain);
    free(rate);
    free(difference);
}

static void linear_flows_are_exact(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": "
            "{\"dimension\": %d, \"spacing\": 0.1, \"jitter\": 0.2, \"relax\": false, \"phases\": "
            "[{\"fill\": [{\"type\": \"box\", \"min\": [-0.6, -0.6, -0.6], \"max\": [0.6, 0.6, 0.6]}]}]}}",
            dimension);
        mo_fluid *f = fluid_of(world);
        assert_int_equal(mo_fluid_update(f, 0, NULL), MOTE_OK);
        check_flow(f, 0);
        check_flow(f, 0.5);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_flows_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
