/*
 * The removal of the deviatoric stress of pair pressures: isotropic in a stretched, disordered
 * fluid, without net force or torque; nothing on a lattice, also beside solids, which react.
 */
#include "worlds.h"

#include "fluid/sph/corrected.h"
#include "fluid/sph/stress.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

static mo_fluid *fluid_of(mote_world *world)
{
    return &((mo_fluid_system *)world->systems[0].state)->fluid;
}

static float *uniform(const mo_fluid *f)
{
    float *k = malloc((size_t)f->rows * sizeof *k);
    for (int64_t row = 0; row < f->rows; ++row) {
        k[row] = 1000;
    }
    return k;
}

/* The deviator of a tensor (xx yy zz xy xz yz) relative to its mean; in the plane without z. */
static double deviator(const double m[6], int d)
{
    double mean = (m[0] + m[1] + (d == 3 ? m[2] : 0)) / d, sum = 0;
    for (int k = 0; k < 6; ++k) {
        bool used = d == 3 || k == 0 || k == 1 || k == 3;
        double part = m[k] - (k < 3 ? mean : 0);
        sum += used ? (k < 3 ? 1 : 2) * part * part : 0;
    }
    return sqrt(sum) / mean;
}

/* M + C M, from k C. */
static void corrected(const double m[6], const float *near, const float *far, double k,
                      double out[6])
{
    const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double c[6] = {(double)near[0] / k, (double)near[1] / k,          (double)near[2] / k,
                   (double)near[3] / k, far ? (double)far[0] / k : 0, far ? (double)far[1] / k : 0};
    for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b) {
            out[at[a][b]] = m[at[a][b]];
            for (int e = 0; e < 3; ++e) {
                out[at[a][b]] += c[at[a][e]] * m[at[e][b]];
            }
        }
    }
}

static void check_isotropy(const mo_fluid *f, const mo_stress *s)
{
    double before = 0, after = 0;
    int64_t inside = 0;
    for (int64_t row = 0; row < f->rows; ++row) {
        double m[6], out[6];
        if (f->density[row] > 0.85f && f->gradient_sum[row] < 0.2f) {
            mo_fluid_moments(f, row, m);
            corrected(m, s->near + 4 * row, f->dimension == 3 ? s->far + 4 * row : NULL, 1000, out);
            before = fmax(before, deviator(m, f->dimension));
            after = fmax(after, deviator(out, f->dimension));
            inside++;
        }
    }
    print_message("%dD: %lld rows inside, deviator at most %.3f, then %.2e\n", f->dimension,
                  (long long)inside, before, after);
    assert_true(inside > 50 && before > 0.15);
    assert_true(f->dimension == 2 ? after < 1e-5 : after < 0.5 * before * before);
}

static void check_momenta(const mo_fluid *f)
{
    double force[3] = {0}, torque[3] = {0}, size = 0;
    const double *x = mo_f64(f->columns.x), *mass = mo_f64(f->columns.mass);
    for (int64_t row = 0; row < f->rows; ++row) {
        const float *a = f->acceleration + 4 * row;
        for (int k = 0; k < 3; ++k) {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            force[k] += mass[row] * (double)a[k];
            torque[k] +=
                mass[row] * (x[3 * row + p] * (double)a[q] - x[3 * row + q] * (double)a[p]);
            size += mass[row] * fabs((double)a[k]);
        }
    }
    assert_true(size > 0);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(force[k]) < 1e-6 * size && fabs(torque[k]) < 1e-6 * size);
    }
}

static void stretched_fluids_become_isotropic(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": "
            "{\"dimension\": %d, \"spacing\": 0.1, \"jitter\": 0.1, \"relax\": false, \"phases\": "
            "[{\"fill\": [{\"type\": \"box\", \"min\": [-0.6, -0.6, -0.6], \"max\": [0.6, 0.6, 0.6]}]}]}}",
            dimension);
        mo_fluid *f = fluid_of(world);
        mo_stress s = {0};
        double *x = mo_f64(f->columns.x);
        for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
            x[3 * row] *= 1.1;
            x[3 * row + 1] /= 1.1;
        }
        assert_int_equal(mo_fluid_update(f, 0, NULL), MOTE_OK);
        float *k = uniform(f);
        assert_int_equal(mo_stress_kick(&s, f, &(mo_stress_def){k, NULL, 1}, 0.001, NULL), MOTE_OK);
        check_isotropy(f, &s);
        check_momenta(f);
        mo_stress_release(&s, f->memory);
        free(k);
        mote_world_destroy(world);
    }
}

/* Lattices in a full box: accelerations relative to those of a pressure on one side. */
static void lattices_are_unchanged(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        mote_world *world = world_printf(
            1,
            "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": "
            "{\"dimension\": %d, \"spacing\": 0.1, \"phases\": "
            "[{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, 1]}]}]}, "
            "\"colliders\": [{\"inside\": true, \"shape\": "
            "{\"type\": \"box\", \"min\": [0, 0, %d], \"max\": [1, 1, %d]}}]}",
            dimension, dimension == 2 ? -9 : 0, dimension == 2 ? 9 : 1);
        mo_fluid *f = fluid_of(world);
        mo_stress s = {0};
        double largest = 0;
        assert_int_equal(mo_fluid_update(f, 0, NULL), MOTE_OK);
        float *k = uniform(f);
        assert_int_equal(mo_stress_kick(&s, f, &(mo_stress_def){k, NULL, 1}, 0.001, NULL), MOTE_OK);
        for (int64_t row = 0; row < f->rows; ++row) {
            const double *y = mo_f64(f->columns.x) + 3 * row;
            bool edge = (y[0] < 0.25 || y[0] > 0.75) + (y[1] < 0.25 || y[1] > 0.75) +
                            (dimension == 3 && (y[2] < 0.25 || y[2] > 0.75)) >
                        1;
            for (int c = 0; c < 3 && !edge; ++c) {
                largest = fmax(largest, fabs((double)f->acceleration[4 * row + c]));
            }
        }
        print_message("%dD: acceleration %.2e of k/(rho spacing)\n", dimension, largest / 10);
        assert_true(largest / 10 < 0.02);
        mo_stress_release(&s, f->memory);
        free(k);
        mote_world_destroy(world);
    }
}

/* A solid receives what the fluid loses. */
static void solids_react(void **state)
{
    (void)state;
    mote_world *world = world_printf(
        1, "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"fluid\": "
           "{\"spacing\": 0.1, \"jitter\": 0.2, \"phases\": "
           "[{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, 0.6]}]}]}, "
           "\"colliders\": [{\"inside\": true, \"shape\": "
           "{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, 1]}}]}");
    mo_fluid *f = fluid_of(world);
    mo_stress s = {0};
    mo_vec3 sum = mo_vec3_make(0, 0, 0);
    double size = 0;
    assert_int_equal(mo_fluid_want_reactions(f, NULL), MOTE_OK);
    assert_int_equal(mo_fluid_update(f, 0, NULL), MOTE_OK);
    float *k = uniform(f);
    mo_fluid_begin_reactions(f, 0, 0.001);
    assert_int_equal(mo_stress_kick(&s, f, &(mo_stress_def){k, NULL, 1}, 0.001, NULL), MOTE_OK);
    for (int64_t row = 0; row < f->rows; ++row) {
        const float *a = f->acceleration + 4 * row;
        mo_vec3 all = mo_scale(mo_f64(f->columns.mass)[row],
                               mo_vec3_make((double)a[0], (double)a[1], (double)a[2]));
        sum = mo_add(sum, all);
        size += mo_length(all);
    }
    mo_wrench w = f->reactions.total[0].wrench;
    print_message("reaction %.2e, balance %.2e of all forces\n", mo_length(w.force) / size,
                  mo_length(mo_add(sum, w.force)) / size);
    assert_true(mo_length(w.force) > 1e-4 * size);
    assert_true(mo_length(mo_add(sum, w.force)) < 1e-6 * size);
    mo_stress_release(&s, f->memory);
    free(k);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stretched_fluids_become_isotropic),
                                       cmocka_unit_test(lattices_are_unchanged),
                                       cmocka_unit_test(solids_react)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
