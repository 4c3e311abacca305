/*
 * SPH operators: compared with sums over all pairs, on lattices, and their conservation and
 * exactness.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fluid/sph/operators.h"
#include "neighbor/search.h"
#include "numbers.h"

#include <stdlib.h>

/* Particles with neighbours, a field and results. */
typedef struct drop {
    mo_memory memory;
    mo_pool *pool;
    mo_search *search;
    mo_domain domain;
    mo_kernel kernel;
    mo_sph_points samples;
    int64_t rows;
    double *x, *mass, *density, *field, *out, *matrix;
} drop;

static double *numbers(int64_t count)
{
    double *p = calloc((size_t)count, sizeof *p);
    assert_non_null(p);
    return p;
}

static void reserve(drop *d, int64_t rows)
{
    d->rows = rows;
    d->x = numbers(3 * rows + 1);
    d->mass = numbers(rows);
    d->density = numbers(rows);
    d->field = numbers(3 * rows);
    d->out = numbers(9 * rows);
    d->matrix = numbers(9 * rows);
}

/* x, mass and density are set: finds the neighbours. */
static void find_neighbors(drop *d, const char *kernel, int dimension, double support, int threads)
{
    int set;
    const mo_descriptor *type = mo_family_find(&mo_kernels, kernel);
    mo_search_set now = {d->rows, d->x};
    assert_non_null(type);
    d->kernel = mo_kernel_make((const mo_kernel_type *)type, dimension, support);
    mo_memory_init(&d->memory, NULL);
    assert_int_equal(mo_pool_create(&d->memory, threads, &d->pool, NULL), MOTE_OK);
    assert_int_equal(mo_search_create((mo_method){0}, &d->domain, &d->memory, &d->search, NULL),
                     MOTE_OK);
    assert_int_equal(mo_search_add_set(d->search, support, &set, NULL), MOTE_OK);
    assert_int_equal(mo_search_ask(d->search, 0, 0, MO_LISTS_FULL, NULL), MOTE_OK);
    assert_int_equal(mo_search_update(d->search, &now, d->pool, NULL, NULL), MOTE_OK);
    d->samples = (mo_sph_points){mo_search_pairs(d->search, 0), d->mass, d->density, d->pool};
}

static void destroy(drop *d)
{
    mo_search_destroy(d->search);
    mo_pool_destroy(d->pool);
    assert_int_equal(d->memory.bytes, 0);
    free(d->x), free(d->mass), free(d->density), free(d->field), free(d->out), free(d->matrix);
}

/* A cube (square, row) of `side` particles along each axis, spacing 1, around the origin,
 * displaced by up to `shake`. */
static void make_lattice(drop *d, int dimension, int side, double shake, bool uneven)
{
    uint64_t random = 11;
    int64_t ny = dimension > 1 ? side : 1, nz = dimension > 2 ? side : 1;
    *d = (drop){.domain.flat = dimension < 3};
    reserve(d, side * ny * nz);
    for (int64_t row = 0; row < d->rows; ++row) {
        double at[3] = {(double)(row % side), (double)(row / side % ny), (double)(row / side / ny)};
        for (int a = 0; a < dimension; ++a) {
            d->x[3 * row + a] = at[a] - side / 2 + shake * random_between(&random, -1, 1);
        }
        d->mass[row] = uneven ? random_between(&random, 0.5, 2) : 1;
        d->density[row] = uneven ? random_between(&random, 0.8, 1.2) : 1;
    }
}

static void randomize(double *p, int64_t count)
{
    uint64_t random = 12;
    for (int64_t k = 0; k < count; ++k) {
        p[k] = random_between(&random, -1, 1);
    }
}

/* The row nearest to the origin. */
static int64_t middle(const drop *d)
{
    int64_t best = 0;
    for (int64_t row = 0; row < d->rows; ++row) {
        best = mo_length(mo_vec3_load(d->x + 3 * row)) < mo_length(mo_vec3_load(d->x + 3 * best))
                   ? row
                   : best;
    }
    return best;
}

/* ---- against all pairs ---- */

/* x_i - x_j, with the nearest image in periodic domains. */
static mo_vec3 between(const drop *d, int64_t i, int64_t j)
{
    double x[3];
    for (int a = 0; a < 3; ++a) {
        double length = d->domain.high[a] - d->domain.low[a];
        x[a] = d->x[3 * i + a] - d->x[3 * j + a];
        x[a] -= d->domain.periodic[a] ? length * round(x[a] / length) : 0;
    }
    return mo_vec3_load(x);
}

/* All results at row i by a plain sum. */
typedef struct truth {
    double density, shepard, interpolated[3];
    double gradient[3][9]; /* by difference */
    double divergence[3], laplacian[3];
    mo_vec3 curl[3], solenoidal;
} truth;

static void add_first(truth *t, const drop *d, int64_t i, int64_t j, mo_vec3 grad_w)
{
    const double *a = d->field + 3 * i, *b = d->field + 3 * j,
                 s[3] = {grad_w.x, grad_w.y, grad_w.z};
    double di = d->density[i], dj = d->density[j], m = d->mass[j];
    for (int kind = 0; kind < 3; ++kind) {
        double v[3];
        for (int c = 0; c < 3; ++c) {
            v[c] = kind == MO_PLAIN        ? m / dj * b[c]
                   : kind == MO_DIFFERENCE ? m / dj * (b[c] - a[c])
                                           : di * m * (a[c] / di / di + b[c] / dj / dj);
            for (int e = 0; e < 3; ++e) {
                t->gradient[kind][3 * c + e] += v[c] * s[e];
            }
            t->divergence[kind] += v[c] * s[c];
        }
        t->curl[kind].x += s[1] * v[2] - s[2] * v[1];
        t->curl[kind].y += s[2] * v[0] - s[0] * v[2];
        t->curl[kind].z += s[0] * v[1] - s[1] * v[0];
    }
}

static truth truth_of(const drop *d, int64_t i)
{
    truth t = {0};
    for (int64_t j = 0; j < d->rows; ++j) {
        mo_vec3 x = between(d, i, j);
        double r = mo_length(x), w = mo_kernel_w(&d->kernel, r), v = d->mass[j] / d->density[j];
        mo_vec3 difference = mo_sub(mo_vec3_load(d->field + 3 * i), mo_vec3_load(d->field + 3 * j));
        t.density += d->mass[j] * w;
        t.shepard += v * w;
        for (int c = 0; c < 3; ++c) {
            t.interpolated[c] += v * d->field[3 * j + c] * w;
        }
        if (i != j) {
            mo_vec3 grad_w = mo_scale(mo_kernel_gradient(&d->kernel, r), x);
            double inward = mo_dot(x, grad_w) / (r * r);
            add_first(&t, d, i, j, grad_w);
            t.laplacian[0] += 2 * v * difference.x * inward;
            t.laplacian[1] += 2 * v * difference.y * inward;
            t.laplacian[2] += 2 * v * difference.z * inward;
            t.solenoidal = mo_add_scaled(
                t.solenoidal, 2 * (d->kernel.dimension + 2) * v * mo_dot(difference, x) / (r * r),
                grad_w);
        }
    }
    return t;
}

typedef enum result {
    DENSITY,
    SHEPARD,
    INTERPOLATED,
    LAPLACIAN,
    SOLENOIDAL,
    GRADIENT,
    DIVERGENCE = GRADIENT + 3,
    CURL = DIVERGENCE + 3,
    RESULTS = CURL + 3
} result;

/* Computes one result for all rows into d->out; returns the number of components. */
static int compute(drop *d, int which)
{
    const mo_sph_points *s = &d->samples;
    const mo_kernel *k = &d->kernel;
    switch (which) {
    case DENSITY:
        mo_sph_density(s, k, d->out);
        return 1;
    case SHEPARD:
        mo_sph_shepard(s, k, d->out);
        return 1;
    case INTERPOLATED:
        mo_sph_interpolate(s, k, 3, d->field, d->out);
        return 3;
    case LAPLACIAN:
        mo_sph_laplacian(s, k, 3, d->field, d->out);
        return 3;
    case SOLENOIDAL:
        mo_sph_laplacian_solenoidal(s, k, d->field, d->out);
        return 3;
    default:
        break;
    }
    if (which < DIVERGENCE) {
        mo_sph_gradient(s, k, (mo_difference)(which - GRADIENT), 3, d->field, d->out);
        return 9;
    }
    if (which < CURL) {
        mo_sph_divergence(s, k, (mo_difference)(which - DIVERGENCE), d->field, d->out);
        return 1;
    }
    mo_sph_curl(s, k, (mo_difference)(which - CURL), d->field, d->out);
    return 3;
}

static const double *part_of(const truth *t, int which)
{
    switch (which) {
    case DENSITY:
        return &t->density;
    case SHEPARD:
        return &t->shepard;
    case INTERPOLATED:
        return t->interpolated;
    case LAPLACIAN:
        return t->laplacian;
    case SOLENOIDAL:
        return &t->solenoidal.x;
    default:
        return which < DIVERGENCE ? t->gradient[which - GRADIENT]
               : which < CURL     ? &t->divergence[which - DIVERGENCE]
                                  : &t->curl[which - CURL].x;
    }
}

static void check_against_all_pairs(drop *d)
{
    randomize(d->field, 3 * d->rows);
    truth *expected = calloc((size_t)d->rows, sizeof *expected);
    assert_non_null(expected);
    for (int64_t row = 0; row < d->rows; ++row) {
        expected[row] = truth_of(d, row);
    }
    for (int which = 0; which < RESULTS; ++which) {
        int parts = compute(d, which);
        for (int64_t row = 0; row < d->rows; ++row) {
            for (int c = 0; c < parts; ++c) {
                assert_near(d->out[parts * row + c], part_of(&expected[row], which)[c], 1e-11);
            }
        }
    }
    free(expected);
}

static void operators_are_sums_over_all_pairs(void **state)
{
    (void)state;
    for (int m = 0; m < mo_kernels.count; ++m) {
        for (int dimension = 1; dimension <= 3; ++dimension) {
            drop d;
            make_lattice(&d, dimension, dimension == 3 ? 8 : 20, 0.3, true);
            find_neighbors(&d, mo_kernels.methods[m]->name, dimension, 2.3, 1);
            check_against_all_pairs(&d);
            destroy(&d);
        }
    }
}

static void images_count_in_periodic_domains(void **state)
{
    (void)state;
    drop d;
    make_lattice(&d, 3, 8, 0.3, true);
    d.domain = (mo_domain){.periodic = {true, false, true}, .low = {-4, 0, -4}, .high = {4, 0, 4}};
    find_neighbors(&d, "cubic", 3, 2.5, 2);
    assert_true(d.samples.pairs.owner != NULL);
    check_against_all_pairs(&d);
    destroy(&d);
}

/* ---- lattices ---- */

/* Lattice sums with a support of two spacings. */
static void lattice_sums_match_direct_sums(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double one, diagonal;
    } KNOWN[] = {
        {"cubic", 1.0000, 1.020}, {"wendland_c2", 1.034, 0.982}, {"wendland_c6", 1.169, 0.717}};
    for (int n = 0; n < 3; ++n) {
        drop d;
        make_lattice(&d, 3, 7, 0, false);
        find_neighbors(&d, KNOWN[n].name, 3, 2, 1);
        int64_t i = middle(&d);
        mo_sph_shepard(&d.samples, &d.kernel, d.out);
        assert_near(d.out[i], KNOWN[n].one, 0.0005);
        for (int64_t row = 0; row < d.rows; ++row) { /* a linear field */
            d.field[row] = 3 + mo_dot(mo_vec3_make(1, -2, 0.5), mo_vec3_load(d.x + 3 * row));
        }
        for (int kind = MO_PLAIN; kind <= MO_SYMMETRIC;
             ++kind) { /* all equal where neighbours are symmetric */
            mo_sph_gradient(&d.samples, &d.kernel, (mo_difference)kind, 1, d.field, d.out);
            assert_near_vec3(mo_vec3_load(d.out + 3 * i),
                             mo_scale(KNOWN[n].diagonal, mo_vec3_make(1, -2, 0.5)), 0.0005 * 2.3);
        }
        destroy(&d);
    }
}

/* The errors of the Laplacians of v = (y^2, 0, 0), exact: 2, and of v = (x^2, 0, 0), which has
 * lap v = 2 and grad div v = 2, exact: 2 + 2 * 2, in the interior of a lattice. */
typedef struct errors {
    double plain, solenoidal, with_divergence;
} errors;

static double error_of(const drop *d, double expected)
{
    return mo_length(mo_sub(mo_vec3_load(d->out + 3 * middle(d)), mo_vec3_make(expected, 0, 0)));
}

static errors laplacian_errors(int dimension, double support)
{
    drop d;
    errors e;
    make_lattice(&d, dimension, 17, 0, false);
    find_neighbors(&d, "wendland_c4", dimension, support, 1);
    for (int64_t row = 0; row < d.rows; ++row) {
        d.field[3 * row] = d.x[3 * row + 1] * d.x[3 * row + 1];
    }
    mo_sph_laplacian(&d.samples, &d.kernel, 3, d.field, d.out);
    e.plain = error_of(&d, 2);
    mo_sph_laplacian_solenoidal(&d.samples, &d.kernel, d.field, d.out);
    e.solenoidal = error_of(&d, 2);
    for (int64_t row = 0; row < d.rows; ++row) {
        d.field[3 * row] = d.x[3 * row] * d.x[3 * row];
    }
    mo_sph_laplacian_solenoidal(&d.samples, &d.kernel, d.field, d.out);
    e.with_divergence = error_of(&d, 6);
    destroy(&d);
    return e;
}

/* The lattice sums become integrals as the support grows. G x^2 y^2 / r^2 has a corner at the
 * center, where the sum misses (1/R)^(d + 2). */
static void wide_supports_give_laplacians(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        errors narrow = laplacian_errors(dimension, 6), wide = laplacian_errors(dimension, 8);
        double gain = 0.95 * pow(8.0 / 6, dimension + 2);
        assert_true(wide.plain < 1e-4);
        assert_true(wide.solenoidal < 0.01 && wide.solenoidal * gain < narrow.solenoidal);
        assert_true(wide.with_divergence < 0.01 &&
                    wide.with_divergence * gain < narrow.with_divergence);
    }
}

/* ---- conservation ---- */

/* The sums of V_i out_i and of x_i x V_i out_i vanish to rounding. */
static void check_kept(const drop *d, bool angular)
{
    mo_vec3 sum = {0}, turn = {0};
    double size = 0;
    for (int64_t row = 0; row < d->rows; ++row) {
        mo_vec3 f = mo_scale(d->mass[row] / d->density[row], mo_vec3_load(d->out + 3 * row));
        mo_vec3 x = mo_vec3_load(d->x + 3 * row);
        sum = mo_add(sum, f);
        turn = mo_add(turn, mo_cross(x, f));
        size += mo_length(f) * (1 + mo_length(x));
    }
    assert_true(size > 1);
    assert_near_vec3(sum, mo_vec3_make(0, 0, 0), 1e-14 * size);
    if (angular) {
        assert_near_vec3(turn, mo_vec3_make(0, 0, 0), 1e-14 * size);
    }
}

static void symmetric_forms_keep_momenta(void **state)
{
    (void)state;
    drop d;
    make_lattice(&d, 3, 9, 0.4, true);
    find_neighbors(&d, "spiky", 3, 2.2, 2);
    randomize(d.field, 3 * d.rows);
    mo_sph_gradient(&d.samples, &d.kernel, MO_SYMMETRIC, 1, d.field, d.out);
    check_kept(&d, true);
    mo_sph_curl(&d.samples, &d.kernel, MO_SYMMETRIC, d.field, d.out);
    check_kept(&d, false);
    mo_sph_laplacian_solenoidal(&d.samples, &d.kernel, d.field, d.out);
    check_kept(&d, true);
    mo_sph_laplacian(&d.samples, &d.kernel, 3, d.field, d.out);
    check_kept(&d, false);
    destroy(&d);
}

/* The difference form does not conserve: the check is sensitive. */
static void the_difference_form_keeps_none(void **state)
{
    (void)state;
    drop d;
    mo_vec3 sum = {0};
    make_lattice(&d, 3, 9, 0.4, true);
    find_neighbors(&d, "cubic", 3, 2.2, 1);
    randomize(d.field, d.rows);
    mo_sph_gradient(&d.samples, &d.kernel, MO_DIFFERENCE, 1, d.field, d.out);
    for (int64_t row = 0; row < d.rows; ++row) {
        sum = mo_add_scaled(sum, d.mass[row] / d.density[row], mo_vec3_load(d.out + 3 * row));
    }
    assert_true(mo_length(sum) > 1e-3);
    destroy(&d);
}

/* The symmetric gradient and the difference divergence are negative transposes of each other,
 * the symmetric and the difference curl transposes: energy is conserved. At equal densities,
 * where the weights agree. */
static void symmetric_and_difference_forms_are_transposed(void **state)
{
    (void)state;
    drop d;
    double work = 0, turn = 0, size = 0;
    make_lattice(&d, 3, 8, 0.4, true);
    for (int64_t row = 0; row < d.rows; ++row) {
        d.density[row] = 1.25;
    }
    find_neighbors(&d, "cubic", 3, 2.2, 1);
    double *p = numbers(3 * d.rows), *divergence = numbers(d.rows), *curl = numbers(3 * d.rows);
    randomize(d.field, 3 * d.rows);
    for (int64_t k = 0; k < 3 * d.rows; ++k) {
        p[k] = d.field[(7 * k + 5) % (3 * d.rows)];
    }
    mo_sph_divergence(&d.samples, &d.kernel, MO_DIFFERENCE, d.field, divergence);
    mo_sph_gradient(&d.samples, &d.kernel, MO_SYMMETRIC, 1, p, d.out);
    for (int64_t row = 0; row < d.rows; ++row) {
        mo_vec3 v = mo_vec3_load(d.field + 3 * row);
        double a = d.mass[row] * mo_dot(v, mo_vec3_load(d.out + 3 * row)),
               b = d.mass[row] * p[row] * divergence[row];
        work += a + b;
        size += fabs(a) + fabs(b);
    }
    mo_sph_curl(&d.samples, &d.kernel, MO_DIFFERENCE, d.field, curl);
    mo_sph_curl(&d.samples, &d.kernel, MO_SYMMETRIC, p, d.out);
    for (int64_t row = 0; row < d.rows; ++row) {
        turn +=
            d.mass[row] * (mo_dot(mo_vec3_load(d.field + 3 * row), mo_vec3_load(d.out + 3 * row)) -
                           mo_dot(mo_vec3_load(p + 3 * row), mo_vec3_load(curl + 3 * row)));
    }
    assert_true(size > 10);
    assert_near(work, 0, 1e-14 * size);
    assert_near(turn, 0, 1e-14 * size);
    free(p), free(divergence), free(curl);
    destroy(&d);
}

/* ---- exactness ---- */

static void rotate(drop *d, mo_vec3 omega, mo_vec3 drift)
{
    for (int64_t row = 0; row < d->rows; ++row) {
        mo_vec3_store(d->field + 3 * row,
                      mo_add(drift, mo_cross(omega, mo_vec3_load(d->x + 3 * row))));
    }
}

static void rigid_motion_has_no_viscosity_and_no_divergence(void **state)
{
    (void)state;
    drop d;
    make_lattice(&d, 3, 8, 0.4, true);
    find_neighbors(&d, "cubic", 3, 2.4, 1);
    rotate(&d, mo_vec3_make(3, -2, 5), mo_vec3_make(10, 20, 30));
    mo_sph_laplacian_solenoidal(&d.samples, &d.kernel, d.field, d.out);
    for (int64_t k = 0; k < 3 * d.rows; ++k) {
        assert_near(d.out[k], 0, 1e-11);
    }
    mo_sph_divergence(&d.samples, &d.kernel, MO_DIFFERENCE, d.field, d.out);
    for (int64_t row = 0; row < d.rows; ++row) {
        assert_near(d.out[row], 0, 1e-12);
    }
    destroy(&d);
}

/* On a lattice 2 omega times the lattice's diagonal; with the correction 2 omega, even at the
 * surface of disordered particles. */
static void a_rotation_curls_by_twice_its_rate(void **state)
{
    (void)state;
    drop d;
    mo_vec3 omega = {0.3, -1.1, 0.7};
    make_lattice(&d, 3, 7, 0, false);
    find_neighbors(&d, "cubic", 3, 2, 1);
    rotate(&d, omega, mo_vec3_make(1, 1, 1));
    mo_sph_curl(&d.samples, &d.kernel, MO_DIFFERENCE, d.field, d.out);
    assert_near_vec3(mo_vec3_load(d.out + 3 * middle(&d)), mo_scale(2 * 1.020, omega),
                     0.0005 * 2 * 1.4);
    destroy(&d);
    make_lattice(&d, 3, 7, 0.3, true);
    find_neighbors(&d, "cubic", 3, 2.5, 1);
    rotate(&d, omega, mo_vec3_make(1, 1, 1));
    mo_sph_gradient(&d.samples, &d.kernel, MO_DIFFERENCE, 3, d.field, d.out);
    mo_sph_correction(&d.samples, &d.kernel, d.matrix);
    mo_sph_correct(&d.samples, d.matrix, 3, d.out);
    for (int64_t row = 0; row < d.rows; ++row) {
        const double *g = d.out + 9 * row;
        assert_near_vec3(mo_vec3_make(g[7] - g[5], g[2] - g[6], g[3] - g[1]), mo_scale(2, omega),
                         1e-11);
        assert_near(g[0] + g[4] + g[8], 0, 1e-11);
    }
    destroy(&d);
}

static void shepard_makes_constants_exact(void **state)
{
    (void)state;
    for (int m = 0; m < mo_kernels.count; ++m) {
        drop d;
        make_lattice(&d, 2, 16, 0.4, true);
        find_neighbors(&d, mo_kernels.methods[m]->name, 2, 2.2, 1);
        for (int64_t row = 0; row < d.rows; ++row) {
            d.field[row] = 273.15;
        }
        mo_sph_shepard(&d.samples, &d.kernel, d.matrix);
        mo_sph_interpolate(&d.samples, &d.kernel, 1, d.field, d.out);
        for (int64_t row = 0; row < d.rows; ++row) {
            assert_near(d.out[row] / d.matrix[row], 273.15, 1e-11);
        }
        destroy(&d);
    }
}

static void the_correction_makes_linear_fields_exact(void **state)
{
    (void)state;
    static const double SLOPE[3] = {4, -3, 0.5};
    for (int dimension = 1; dimension <= 3; ++dimension) {
        drop d;
        make_lattice(&d, dimension, dimension == 3 ? 8 : 24, 0.3, true);
        find_neighbors(&d, "wendland_c2", dimension, 2.6, 2);
        for (int64_t row = 0; row < d.rows; ++row) {
            d.field[row] = 7;
            for (int a = 0; a < dimension; ++a) {
                d.field[row] += SLOPE[a] * d.x[3 * row + a];
            }
        }
        mo_sph_gradient(&d.samples, &d.kernel, MO_DIFFERENCE, 1, d.field, d.out);
        mo_sph_correction(&d.samples, &d.kernel, d.matrix);
        mo_sph_correct(&d.samples, d.matrix, 1, d.out);
        for (int64_t k = 0; k < 3 * d.rows; ++k) {
            assert_near(d.out[k], k % 3 < dimension ? SLOPE[k % 3] : 0, 1e-10);
        }
        destroy(&d);
    }
}

/* Coplanar, coincident or single particles have no correction. */
static void degenerate_neighbors_are_left_alone(void **state)
{
    (void)state;
    drop d = {0};
    reserve(&d, 12);
    randomize(d.x, 3 * d.rows);
    for (int64_t row = 0; row < d.rows; ++row) {
        d.mass[row] = d.density[row] = 1;
        d.x[3 * row + 1] = 0.25;
    }
    mo_vec3_store(d.x, mo_vec3_load(d.x + 3));
    mo_vec3_store(d.x + 33, mo_vec3_make(1e3, 1e3, 1e3));
    find_neighbors(&d, "spiky", 3, 3, 1);
    rotate(&d, mo_vec3_make(1, 2, 3), mo_vec3_make(0, 0, 0));
    mo_sph_correction(&d.samples, &d.kernel, d.matrix);
    for (int64_t k = 0; k < 9 * d.rows; ++k) {
        assert_true(d.matrix[k] == (k % 9 % 4 == 0));
    }
    for (int which = 0; which < RESULTS; ++which) {
        int parts = compute(&d, which);
        for (int64_t k = 0; k < parts * d.rows; ++k) {
            assert_true(isfinite(d.out[k]));
        }
    }
    destroy(&d);
}

/* ---- threads ---- */

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const int THREADS[] = {1, 2, 3, 8};
    static const size_t BYTES = sizeof(double);
    double *first[RESULTS + 1] = {0};
    for (int n = 0; n < 4; ++n) {
        drop d;
        make_lattice(&d, 3, 14, 0.4, true);
        find_neighbors(&d, "quintic", 3, 2.5, THREADS[n]);
        randomize(d.field, 3 * d.rows);
        for (int which = 0; which <= RESULTS; ++which) {
            int parts = 9;
            if (which < RESULTS) {
                parts = compute(&d, which);
            } else {
                mo_sph_correction(&d.samples, &d.kernel, d.out);
            }
            if (n == 0) {
                first[which] = numbers(parts * d.rows);
                memcpy(first[which], d.out, (size_t)(parts * d.rows) * BYTES);
            }
            assert_memory_equal(first[which], d.out, (size_t)(parts * d.rows) * BYTES);
        }
        destroy(&d);
    }
    for (int which = 0; which <= RESULTS; ++which) {
        free(first[which]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_sums_over_all_pairs),
        cmocka_unit_test(images_count_in_periodic_domains),
        cmocka_unit_test(lattice_sums_match_direct_sums),
        cmocka_unit_test(wide_supports_give_laplacians),
        cmocka_unit_test(symmetric_forms_keep_momenta),
        cmocka_unit_test(the_difference_form_keeps_none),
        cmocka_unit_test(symmetric_and_difference_forms_are_transposed),
        cmocka_unit_test(rigid_motion_has_no_viscosity_and_no_divergence),
        cmocka_unit_test(a_rotation_curls_by_twice_its_rate),
        cmocka_unit_test(shepard_makes_constants_exact),
        cmocka_unit_test(the_correction_makes_linear_fields_exact),
        cmocka_unit_test(degenerate_neighbors_are_left_alone),
        cmocka_unit_test(bits_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
