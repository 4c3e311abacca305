/*
 * Checks of a force's Jacobian: the matrix against finite differences of the force, the product and
 * the diagonal matrix against the matrix, symmetry, and definiteness by Cholesky factorisation. For
 * a force of few rows.
 */
#ifndef TEST_JACOBIAN_H
#define TEST_JACOBIAN_H

#include "test.h"

#include "integrate/force.h"

#include <math.h>
#include <string.h>

enum { JACOBIAN_ROWS_MAX = 64, JACOBIAN_MAX = 3 * JACOBIAN_ROWS_MAX };

typedef struct jacobian_check {
    mo_memory *memory;
    const mo_force *force;
    mo_force_args args; /* x and v with one value of padding */
    double dense[JACOBIAN_MAX * JACOBIAN_MAX];
} jacobian_check;

/* The matrix with the pattern of the force, or of the diagonal only. */
static void fill_matrix(jacobian_check *c, mo_jacobian_ask ask, bool diagonal,
                        mo_block_matrix *matrix)
{
    mo_block_pattern pattern = {0};
    *matrix = (mo_block_matrix){0};
    mo_block_pattern_clear(&pattern, c->args.rows);
    if (c->force->type->jacobian->couple && !diagonal) {
        assert_int_equal(c->force->type->jacobian->couple(c->force->instance, &c->args, c->memory,
                                                          &pattern, NULL),
                         MOTE_OK);
    }
    assert_int_equal(mo_block_matrix_build(c->memory, &pattern, matrix, NULL), MOTE_OK);
    mo_block_pattern_release(c->memory, &pattern);
    if (c->force->type->jacobian->find_slots) {
        assert_int_equal(c->force->type->jacobian->find_slots(c->force->instance, matrix, NULL),
                         MOTE_OK);
    }
    for (int64_t first = 0; first < c->args.rows; first += MO_FORCE_GRAIN) {
        int64_t last =
            first + MO_FORCE_GRAIN < c->args.rows ? first + MO_FORCE_GRAIN : c->args.rows;
        c->force->type->jacobian->fill(c->force->instance, &c->args, &ask, matrix, first, last);
    }
}

static void make_dense(const mo_block_matrix *m, double *dense)
{
    int64_t n = 3 * m->rows;
    memset(dense, 0, (size_t)(n * n) * sizeof *dense);
    for (int64_t i = 0; i < m->rows; ++i) {
        for (int64_t slot = m->start[i]; slot < m->start[i + 1]; ++slot) {
            for (int k = 0; k < 9; ++k) {
                dense[(3 * i + k % 3) * n + 3 * m->column[slot] + k / 3] = m->value[9 * slot + k];
            }
        }
    }
}

static double largest_of(const double *a, int64_t count)
{
    double most = 0;
    for (int64_t k = 0; k < count; ++k) {
        most = fmax(most, fabs(a[k]));
    }
    return most;
}

/* Forces after a change of one component of x or v by `by`. */
static void forces_moved(jacobian_check *c, bool speeds, int64_t at, double by, double *f)
{
    double *moved = (double *)(speeds ? c->args.v : c->args.x), kept = moved[at];
    moved[at] = kept + by;
    memset(f, 0, (size_t)(3 * c->args.rows) * sizeof *f);
    c->args.f = f;
    if (c->force->type->prepare) {
        assert_int_equal(c->force->type->prepare(c->force->instance, &c->args, NULL, NULL),
                         MOTE_OK);
    }
    c->force->type->add(c->force->instance, &c->args, 0, c->args.rows);
    moved[at] = kept;
}

/* df/dx (df/dv with `speeds`) against central differences over 2 `by`, relative to the largest
 * entry. */
static void check_differences(jacobian_check *c, bool speeds, double by, double allowed)
{
    static double up[JACOBIAN_MAX], down[JACOBIAN_MAX];
    int64_t n = 3 * c->args.rows;
    mo_block_matrix matrix;
    mo_jacobian_ask ask = {.along_x = !speeds, .along_v = speeds};
    fill_matrix(c, ask, false, &matrix);
    make_dense(&matrix, c->dense);
    double scale = largest_of(c->dense, n * n);
    for (int64_t column = 0; column < n; ++column) {
        forces_moved(c, speeds, column, by, up);
        forces_moved(c, speeds, column, -by, down);
        for (int64_t row = 0; row < n; ++row) {
            double slope = (up[row] - down[row]) / (2 * by);
            assert_true(fabs(slope - c->dense[row * n + column]) <= allowed * scale);
        }
    }
    mo_block_matrix_release(c->memory, &matrix);
}

/* multiply against the matrix, and the diagonal matrix against the full one. */
static void check_product(jacobian_check *c, mo_jacobian_ask ask)
{
    double p[JACOBIAN_MAX + 1] = {0}, y[JACOBIAN_MAX] = {0}, z[JACOBIAN_MAX];
    int64_t n = 3 * c->args.rows;
    mo_block_matrix matrix, diagonal;
    for (int64_t k = 0; k < n; ++k) {
        p[k] = cos(1.7 * (double)k);
    }
    fill_matrix(c, ask, false, &matrix);
    mo_block_matrix_rows(&matrix, p, z, 0, c->args.rows);
    c->force->type->jacobian->multiply(c->force->instance, &c->args, &ask, p, y, 0, c->args.rows);
    double scale = largest_of(matrix.value, 9 * matrix.blocks);
    for (int64_t k = 0; k < n; ++k) {
        assert_true(fabs(y[k] - z[k]) <= 1e-13 * scale * 10);
    }
    fill_matrix(c, ask, true, &diagonal);
    for (int64_t i = 0; i < c->args.rows; ++i) {
        assert_memory_equal(diagonal.value + 9 * diagonal.diagonal[i],
                            matrix.value + 9 * matrix.diagonal[i], 9 * sizeof(double));
    }
    mo_block_matrix_release(c->memory, &matrix);
    mo_block_matrix_release(c->memory, &diagonal);
}

/* The smallest pivot of shift - A relative to A's largest entry; negative if shift - A is
 * indefinite. */
static double least_pivot(double *a, int64_t n, double shift)
{
    double least = INFINITY;
    for (int64_t k = 0; k < n * n; ++k) {
        a[k] = (k % (n + 1) == 0 ? shift : 0) - a[k];
    }
    for (int64_t k = 0; k < n; ++k) {
        least = fmin(least, a[k * n + k]);
        for (int64_t i = k + 1; i < n && least > 0; ++i) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int64_t j = k; j < n; ++j) {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    return least;
}

/* Symmetric, and -(K + D) positive semidefinite if requested. */
static void check_definite(jacobian_check *c)
{
    int64_t n = 3 * c->args.rows;
    mo_block_matrix matrix;
    mo_jacobian_ask ask = {.along_x = 1, .along_v = 0.5, .definite = true};
    fill_matrix(c, ask, false, &matrix);
    make_dense(&matrix, c->dense);
    double scale = largest_of(c->dense, n * n);
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < i; ++j) {
            assert_true(fabs(c->dense[i * n + j] - c->dense[j * n + i]) <= 1e-13 * scale);
        }
    }
    assert_true(least_pivot(c->dense, n, 1e-10 * scale) > 0);
    mo_block_matrix_release(c->memory, &matrix);
}

/* All checks. */
static inline void check_jacobian(jacobian_check *c, double by, double allowed)
{
    assert_true(c->args.rows <= JACOBIAN_ROWS_MAX);
    check_differences(c, false, by, allowed);
    check_differences(c, true, by, allowed);
    check_product(c, (mo_jacobian_ask){.along_x = 1, .along_v = 0});
    check_product(c, (mo_jacobian_ask){.along_x = -0.3, .along_v = 0.7, .definite = true});
    check_definite(c);
}

#endif
