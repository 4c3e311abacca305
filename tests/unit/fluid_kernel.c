/*
 * Kernels: normalisation, derivatives, zero beyond the support, identical in eight lanes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fluid/kernel/lanes.h"
#include "fluid/kernel/lookup.h"
#include "numbers.h"

static const double PI = 3.14159265358979323846;

static const mo_kernel_type *kernel_type(int m)
{
    return (const mo_kernel_type *)mo_kernels.methods[m];
}

static mo_kernel named(const char *name, int dimension, double support)
{
    const mo_descriptor *type = mo_family_find(&mo_kernels, name);
    assert_non_null(type);
    return mo_kernel_make((const mo_kernel_type *)type, dimension, support);
}

typedef void kernel_check(const mo_kernel *k);

/* Every kernel, in every dimension, with supports of several sizes. */
static void for_every_kernel(kernel_check *check)
{
    static const double SUPPORTS[] = {1, 0.04, 1e-5, 1e5};
    assert_int_equal(mo_kernels.count, 8);
    for (int m = 0; m < mo_kernels.count; ++m) {
        for (int d = 1; d <= 3; ++d) {
            for (int s = 0; s < 4; ++s) {
                mo_kernel k = mo_kernel_make(kernel_type(m), d, SUPPORTS[s]);
                check(&k);
            }
        }
    }
}

static bool is_smooth(const mo_kernel *k)
{
    return k->type->base.capabilities & MO_KERNEL_SMOOTH;
}

/* ---- integrals ---- */

/* The surface of the unit sphere in d dimensions. */
static double sphere(int dimension)
{
    return dimension == 1 ? 2 : dimension == 2 ? 2 * PI : 4 * PI;
}

/* The integral of function(k, r) r^(d - 1) g(r) over a polynomial piece: Gauss-Legendre, 8
 * points; subdivided for others. */
typedef double weight_fn(double kr, int dimension);

static double gauss(const mo_kernel *k, double low, double high, double wave, weight_fn *weight)
{
    static const double X[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                               0.9602898564975363};
    static const double W[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                               0.1012285362903763};
    double sum = 0;
    for (int p = 0; p < 8; ++p) {
        double r = 0.5 * (low + high) + (p % 2 ? 0.5 : -0.5) * (high - low) * X[p / 2];
        sum += 0.5 * (high - low) * W[p / 2] * mo_kernel_w(k, r) * pow(r, k->dimension - 1) *
               weight(wave * r, k->dimension);
    }
    return sum;
}

static double integral(const mo_kernel *k, double wave, weight_fn *weight)
{
    /* at knots, and graded towards the centre */
    static const double ENDS[] = {0,        1e-7,    1e-5, 1e-4,    3e-4,      1e-3,     2e-3,
                                  5e-3,     0.02,    0.06, 1.0 / 6, 1.0 / 3,   5.0 / 12, 0.5,
                                  7.0 / 12, 2.0 / 3, 0.75, 5.0 / 6, 11.0 / 12, 1};
    double sum = 0;
    for (size_t e = 0; e + 1 < sizeof ENDS / sizeof *ENDS; ++e) {
        sum += gauss(k, k->support * ENDS[e], k->support * ENDS[e + 1], wave, weight);
    }
    return sphere(k->dimension) * sum;
}

static double weight_one(double kr, int dimension)
{
    (void)kr, (void)dimension;
    return 1;
}

static void check_integral(const mo_kernel *k)
{
    /* contribution of the infinite centre of viscosity excluded by MO_KERNEL_CORE: 40/12 core^2
     * in 2D, 30/12 core^2 in 3D */
    bool infinite = !(k->type->base.capabilities & MO_KERNEL_DENSITY) && k->dimension > 1;
    double allowed = infinite ? 3.4 * MO_KERNEL_CORE * MO_KERNEL_CORE : 1e-13;
    double found = integral(k, 0, weight_one);
    if (!(fabs(found - 1) <= allowed)) {
        fail_msg("%s in %dD: integral 1%+g", k->type->base.name, k->dimension, found - 1);
    }
}

static void integrals_are_one(void **state)
{
    (void)state;
    for_every_kernel(check_integral);
}

/* cos, J0, sin(x)/x: the Fourier transform of a radial function is its integral with these. */
static double weight_wave(double kr, int dimension)
{
    return dimension == 1 ? cos(kr) : dimension == 2 ? j0(kr) : kr > 0 ? sin(kr) / kr : 1;
}

/* The Fourier transform of a kernel marked `positive` is nowhere negative up to q = 40 (beyond 6
 * waves in the support), and others (poly6, cubic and quintic in 2D and 3D) are negative
 * somewhere. */
static void positive_kernels_have_no_negative_waves(void **state)
{
    (void)state;
    for (int m = 0; m < mo_kernels.count; ++m) {
        bool positive = mo_kernels.methods[m]->capabilities & MO_KERNEL_POSITIVE, negative = false;
        for (int d = 1; d <= 3; ++d) {
            mo_kernel k = mo_kernel_make(kernel_type(m), d, 1);
            for (int step = 1; step <= 400; ++step) {
                double found = integral(&k, 0.1 * step, weight_wave);
                if (positive && found < -1e-9) {
                    fail_msg("%s in %dD: %g at wave number %g", k.type->base.name, d, found,
                             0.1 * step);
                }
                negative = negative || found < -1e-6;
            }
        }
        assert_true(positive || negative);
    }
}

/* ---- derivatives ---- */

/* Away from knots of the splines. */
static double random_q(uint64_t *random)
{
    for (;;) {
        double q = random_between(random, 0.02, 0.98);
        if (fabs(q - 1.0 / 3) > 0.01 && fabs(q - 0.5) > 0.01 && fabs(q - 2.0 / 3) > 0.01) {
            return q;
        }
    }
}

/* Fourth-order differences of W with a step of e R: the rest is e^4/30 f^(5), the rounding 1e-16/e
 * of f(0). */
static void check_gradient(const mo_kernel *k)
{
    uint64_t random = 5;
    for (int n = 0; n < 200; ++n) {
        double r = k->support * random_q(&random), e = 5e-4 * k->support;
        double derivative = (8 * (mo_kernel_w(k, r + e) - mo_kernel_w(k, r - e)) -
                             (mo_kernel_w(k, r + 2 * e) - mo_kernel_w(k, r - 2 * e))) /
                            (12 * e);
        double scale = k->value / k->support, q = r / k->support;
        /* the fifth derivative of 1/q is 120/q^6 */
        double allowed = 1e-10 + (is_smooth(k) ? 0 : 1e-12 * pow(q, -6));
        if (!(fabs(derivative - r * mo_kernel_gradient(k, r)) <= allowed * scale)) {
            fail_msg("%s in %dD at q = %g: dW/dr %g, not %g", k->type->base.name, k->dimension, q,
                     r * mo_kernel_gradient(k, r), derivative);
        }
    }
}

/* lap W = r^(1 - d) d/dr (r^(d - 1) dW/dr) = r^(1 - d) d/dr (r^d G) */
static double flux(const mo_kernel *k, double r)
{
    return pow(r, k->dimension) * mo_kernel_gradient(k, r);
}

static void check_laplacian(const mo_kernel *k)
{
    uint64_t random = 6;
    for (int n = 0; n < 200; ++n) {
        double r = k->support * random_q(&random), e = 5e-4 * k->support;
        double rise =
            (8 * (flux(k, r + e) - flux(k, r - e)) - (flux(k, r + 2 * e) - flux(k, r - 2 * e))) /
            (12 * e);
        double found = mo_kernel_laplacian(k, r), expected = rise / pow(r, k->dimension - 1);
        double scale = k->gradient_scale, q = r / k->support;
        double allowed = 1e-8 + 1e-11 * pow(q, -4);
        if (!(fabs(found - expected) <= allowed * scale)) {
            fail_msg("%s in %dD at q = %g: lap W %g, not %g", k->type->base.name, k->dimension, q,
                     found, expected);
        }
    }
}

static void derivatives_are_those_of_w(void **state)
{
    (void)state;
    for_every_kernel(check_gradient);
    for_every_kernel(check_laplacian);
}

/* Continuity at knots: W and gradient of all, the Laplacian of B-splines too. */
static void check_pieces(const mo_kernel *k)
{
    static const double MEET[] = {1.0 / 3, 0.5, 2.0 / 3, 1};
    for (int p = 0; p < 4; ++p) {
        double r = k->support * MEET[p], below = r * (1 - 1e-9), above = r * (1 + 1e-9);
        assert_true(fabs(mo_kernel_w(k, above) - mo_kernel_w(k, below)) <= 1e-7 * k->value);
        assert_true(fabs(mo_kernel_gradient(k, above) - mo_kernel_gradient(k, below)) <=
                    1e-7 * k->gradient_scale);
        assert_true(fabs(mo_kernel_laplacian(k, above) - mo_kernel_laplacian(k, below)) <=
                    1e-6 * k->gradient_scale);
    }
}

static void pieces_meet(void **state)
{
    (void)state;
    for_every_kernel(check_pieces);
}

/* ---- sign, support, center ---- */

static void check_range(const mo_kernel *k)
{
    double before = INFINITY;
    for (int n = 0; n <= 1100; ++n) {
        double r = k->support * (n ? n - 0.5 : 0) / 1000, w = mo_kernel_w(k, r);
        assert_true(isfinite(w) && isfinite(mo_kernel_gradient(k, r)) &&
                    isfinite(mo_kernel_laplacian(k, r)));
        assert_true(n <= 1000 ? w > 0 : w == 0);
        assert_true(n <= 1000 ? mo_kernel_gradient(k, r) < 0 : mo_kernel_gradient(k, r) == 0);
        assert_true(n <= 1000 || mo_kernel_laplacian(k, r) == 0);
        assert_true(w <= before);
        before = w;
    }
}

static void kernels_fall_from_the_center_to_zero(void **state)
{
    (void)state;
    for_every_kernel(check_range);
}

/* ---- eight lanes ---- */

/* Lanes compared with the double functions at the same float: the shape up to some roundings of
 * its largest terms. */
static void check_lane(const mo_kernel *k, float r2, float w, float g, float l)
{
    double r = sqrt((double)r2), q = fmax(r / k->support, MO_KERNEL_CORE), unit = 0x1p-24;
    /* f'/q is of order 20 for smooth kernels, 1/q to the third for viscosity; q itself is rounded
     * twice */
    double g_size = is_smooth(k) ? 40 : 6 + 6 / pow(q, 3), w_size = is_smooth(k) ? 4 : 2 + 2 / q;
    double l_size = is_smooth(k) ? 240 : 12 + 12 / (q * q);
    bool good =
        fabs((double)w - mo_kernel_w(k, r)) <= 8 * unit * w_size * k->value &&
        fabs((double)g - mo_kernel_gradient(k, r)) <= 8 * unit * g_size * k->gradient_scale &&
        fabs((double)l - mo_kernel_laplacian(k, r)) <= 8 * unit * l_size * k->gradient_scale;
    if (!good) {
        fail_msg("%s in %dD at q = %g: lanes give %g %g %g, double %g %g %g", k->type->base.name,
                 k->dimension, r / k->support, (double)w, (double)g, (double)l, mo_kernel_w(k, r),
                 mo_kernel_gradient(k, r), mo_kernel_laplacian(k, r));
    }
}

static void check_lanes(const mo_kernel *k)
{
    uint64_t random = 7;
    for (int n = 0; n < 300; ++n) {
        mo_f8 r2;
        for (int lane = 0; lane < 8; ++lane) {
            double r = k->support * random_between(&random, 0, 1.2);
            r2[lane] = (float)(r * r);
        }
        r2[n % 8] = n % 3 ? r2[n % 8] : 0;
        mo_f8 w = mo_kernel_w8(k, r2), g = mo_kernel_g8(k, r2), l = mo_kernel_l8(k, r2);
        for (int lane = 0; lane < 8; ++lane) {
            check_lane(k, r2[lane], w[lane], g[lane], l[lane]);
            assert_true(w[lane] >= 0 && g[lane] <= 0);
            if (sqrt((double)r2[lane]) > k->support * (1 + 1e-6)) {
                assert_true(w[lane] == 0 && g[lane] == 0 && l[lane] == 0);
            }
        }
    }
}

static void lanes_agree_with_double(void **state)
{
    (void)state;
    for_every_kernel(check_lanes);
}

/* NaN propagates, infinite distances contribute zero. */
static void check_odd_distances(const mo_kernel *k)
{
    mo_f8 r2 = {NAN, INFINITY, 1e30f, 0, 0, 0, 0, 0};
    mo_f8 w = mo_kernel_w8(k, r2), g = mo_kernel_g8(k, r2), l = mo_kernel_l8(k, r2);
    assert_true(isnan(w[0]) && isnan(g[0]) && isnan(l[0]));
    for (int lane = 1; lane < 3; ++lane) {
        assert_true(w[lane] == 0 && g[lane] == 0 && l[lane] == 0);
    }
    assert_true(isfinite(w[3]) && isfinite(g[3]) && isfinite(l[3]));
}

static void odd_distances(void **state)
{
    (void)state;
    for_every_kernel(check_odd_distances);
}

/* The library's loops (AVX2 if available) give the same bits as those compiled here without; and
 * a kernel without a specialised form, the same values up to rounding. */
static void check_rows(const mo_kernel *k)
{
    enum { ROWS = 256 };
    uint64_t random = 8;
    float r2[ROWS], w[ROWS], g[ROWS], l[ROWS], plain[ROWS];
    for (int i = 0; i < ROWS; ++i) {
        double r = k->support * random_between(&random, 0, 1.1);
        r2[i] = (float)(r * r);
    }
    mo_kernel_rows_w(k, ROWS, r2, w);
    mo_kernel_rows_g(k, ROWS, r2, g);
    mo_kernel_rows_l(k, ROWS, r2, l);
    for (int i = 0; i < ROWS; i += 8) {
        mo_f8 x = mo_f8_load(r2 + i), w8 = mo_kernel_w8(k, x), g8 = mo_kernel_g8(k, x),
              l8 = mo_kernel_l8(k, x);
        assert_memory_equal(w + i, &w8, sizeof w8);
        assert_memory_equal(g + i, &g8, sizeof g8);
        assert_memory_equal(l + i, &l8, sizeof l8);
    }
    mo_kernel scalar = *k;
    scalar.form = MO_KERNEL_SCALAR;
    mo_kernel_rows_g(&scalar, ROWS, r2, plain);
    for (int i = 0; i < ROWS; ++i) {
        double r = sqrt((double)r2[i]);
        assert_true(plain[i] == (float)mo_kernel_gradient(k, r));
    }
}

static void rows_have_the_same_bits_on_every_machine(void **state)
{
    (void)state;
    for_every_kernel(check_rows);
}

/* ---- tables ---- */

/* An eighth of the largest second difference at the ends of the interval of q^2, and roundings:
 * twice of the table index, and three of the value. */
static double table_error(const mo_kernel *k, mo_kernel_scalar *function, double q2)
{
    double step = 1.0 / MO_LOOKUP_STEPS, low = step * floor(q2 / step), most = 0;
    double largest = 0, steepest = 0;
    for (int end = 0; end < 2; ++end) {
        double at = low + end * step, f[3];
        for (int n = 0; n < 3; ++n) {
            f[n] = function(k, k->support * sqrt(at + (n - 1) * step));
            largest = fmax(largest, fabs(f[n]));
        }
        most = fmax(most, fabs(f[0] - 2 * f[1] + f[2]));
        steepest = fmax(steepest, fabs(f[2] - f[0]) / (2 * step));
    }
    return most / 8 + 0x1p-24 * (3 * largest + 2 * q2 * steepest);
}

static void check_table(const mo_kernel *k)
{
    enum { ROWS = 512 };
    uint64_t random = 9;
    static mo_lookup table;
    float r2[ROWS], w[2][ROWS], g[2][ROWS];
    mo_lookup_fill(&table, k);
    for (int i = 0; i < ROWS; ++i) {
        r2[i] = (float)(k->support * k->support * random_between(&random, 0.01, 1.2));
    }
    for (int wide = 0; wide < 2; ++wide) {
        mo_lookup_rows_w(&table, wide, ROWS, r2, w[wide]);
        mo_lookup_rows_g(&table, wide, ROWS, r2, g[wide]);
    }
    assert_memory_equal(w[0], w[1], sizeof w[0]);
    assert_memory_equal(g[0], g[1], sizeof g[0]);
    for (int i = 0; i < ROWS; ++i) {
        double r = sqrt((double)r2[i]), q2 = r * r / (k->support * k->support);
        assert_near(w[1][i], mo_kernel_w(k, r), table_error(k, mo_kernel_w, q2));
        assert_near(g[1][i], mo_kernel_gradient(k, r), table_error(k, mo_kernel_gradient, q2));
        assert_true(q2 < 1.00001 || (w[1][i] == 0 && g[1][i] == 0));
        assert_true(w[1][i] == mo_lookup_at(table.w, table.scale, r2[i]));
    }
}

static void tables_interpolate(void **state)
{
    (void)state;
    for_every_kernel(check_table);
}

/* ---- lattices ---- */

/* sum V W and the xx part of -V sum x_ij (grad W)^T for spacing 1. */
static void lattice_sums(const mo_kernel *k, double *one, double *diagonal)
{
    int n = (int)ceil(k->support), ny = k->dimension > 1 ? n : 0, nz = k->dimension > 2 ? n : 0;
    *one = *diagonal = 0;
    for (int x = -n; x <= n; ++x) {
        for (int y = -ny; y <= ny; ++y) {
            for (int z = -nz; z <= nz; ++z) {
                double r = sqrt(x * x + y * y + z * z);
                *one += mo_kernel_w(k, r);
                *diagonal -= x * x * mo_kernel_gradient(k, r);
            }
        }
    }
}

/* A cubic lattice of spacing R / 2. */
static void sums_on_a_lattice(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double one, diagonal;
    } KNOWN[] = {
        {"cubic", 1.0000, 1.020}, {"wendland_c2", 1.034, 0.982}, {"wendland_c6", 1.169, 0.717}};
    for (int n = 0; n < 3; ++n) {
        mo_kernel k = named(KNOWN[n].name, 3, 2);
        double one, diagonal;
        lattice_sums(&k, &one, &diagonal);
        assert_true(fabs(one - KNOWN[n].one) <= 0.0005);
        assert_true(fabs(diagonal - KNOWN[n].diagonal) <= 0.0005);
    }
}

/* A wide support makes the sums an integral. */
static void wide_supports_converge(void **state)
{
    (void)state;
    for (int m = 0; m < mo_kernels.count; ++m) {
        for (int d = 1; d <= 3; ++d) {
            mo_kernel k = mo_kernel_make(kernel_type(m), d, 12.3);
            double one, diagonal;
            lattice_sums(&k, &one, &diagonal);
            if (is_smooth(&k)) {
                assert_true(fabs(one - 1) < 2e-3 && fabs(diagonal - 1) < 2e-3);
            } else if (d == 1 || (k.type->base.capabilities & MO_KERNEL_DENSITY)) {
                /* a kink at the centre */
                assert_true(fabs(one - 1) < 0.02 && fabs(diagonal - 1) < 0.02);
            }
        }
    }
}

static void descriptions_are_whole(void **state)
{
    (void)state;
    for (int m = 0; m < mo_kernels.count; ++m) {
        const mo_kernel_type *type = kernel_type(m);
        assert_non_null(type->base.citation);
        assert_true(type->base.summary[strlen(type->base.summary) - 1] == '.');
        assert_true(type->spacings >= 1.5 && type->spacings <= 4);
        assert_non_null(type->value);
        assert_non_null(type->gradient);
        assert_non_null(type->laplacian);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_are_one),
        cmocka_unit_test(positive_kernels_have_no_negative_waves),
        cmocka_unit_test(derivatives_are_those_of_w),
        cmocka_unit_test(pieces_meet),
        cmocka_unit_test(kernels_fall_from_the_center_to_zero),
        cmocka_unit_test(lanes_agree_with_double),
        cmocka_unit_test(odd_distances),
        cmocka_unit_test(rows_have_the_same_bits_on_every_machine),
        cmocka_unit_test(tables_interpolate),
        cmocka_unit_test(sums_on_a_lattice),
        cmocka_unit_test(wide_supports_converge),
        cmocka_unit_test(descriptions_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
