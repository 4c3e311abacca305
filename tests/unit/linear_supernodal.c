/*
 * The supernodal factorisation: L L^T x = b on random graphs, lattices, single rows and
 * disconnected matrices, compared with known solutions and with dense elimination; several
 * right-hand sides; the column at which a matrix is not definite; bitwise identical on any number
 * of threads; failing allocations.
 */
#include "test.h"

#include "base/pool.h"
#include "failing_allocator.h"
#include "linear/supernodal.h"
#include "numbers.h"

#include <stdlib.h>

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_block_pattern pattern;
    mo_block_matrix matrix;
    mo_supernodal factor;
    mo_pool *pool;
    int64_t rows;
    double *x, *b;
} fixture;

/* Whether this library has the symbolic analysis. */
static bool available(void)
{
    fixture f = {.rows = 1};
    f.memory = failing_memory(&f.allocator, -1);
    mo_block_pattern_clear(&f.pattern, 1);
    assert_int_equal(mo_block_matrix_build(&f.memory, &f.pattern, &f.matrix, NULL), MOTE_OK);
    mote_status status = mo_supernodal_analyse(&f.memory, &f.matrix, &f.factor, NULL);
    mo_supernodal_release(&f.factor);
    mo_block_pattern_release(&f.memory, &f.pattern);
    mo_block_matrix_release(&f.memory, &f.matrix);
    return status == MOTE_OK;
}

static mote_status begin_with(fixture *f, int64_t rows, int threads, int64_t fail_at)
{
    *f = (fixture){.rows = rows};
    f->memory = failing_memory(&f->allocator, fail_at);
    f->x = malloc((size_t)(3 * rows + 1) * sizeof *f->x);
    f->b = malloc((size_t)(3 * rows + 1) * sizeof *f->b);
    mo_block_pattern_clear(&f->pattern, rows);
    return mo_pool_create(&f->memory, threads, &f->pool, NULL);
}

static void begin(fixture *f, int64_t rows)
{
    assert_int_equal(begin_with(f, rows, 1, -1), MOTE_OK);
}

static void end(fixture *f)
{
    mo_supernodal_release(&f->factor);
    mo_block_pattern_release(&f->memory, &f->pattern);
    mo_block_matrix_release(&f->memory, &f->matrix);
    mo_pool_destroy(f->pool);
    free(f->x);
    free(f->b);
    assert_all_given_back(&f->allocator, &f->memory);
}

/* A lattice of n^3 with the diagonals of its cells, as in tetrahedral meshes. */
static mote_status couple_lattice(fixture *f, int n)
{
    static const int WAYS[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0},
                                   {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    for (int64_t i = 0; i < f->rows; ++i) {
        int x = (int)(i % n), y = (int)(i / n % n), z = (int)(i / n / n);
        for (int k = 0; k < 7; ++k) {
            int u = x + WAYS[k][0], v = y + WAYS[k][1], w = z + WAYS[k][2];
            if (u < n && v < n && w < n) {
                MO_TRY(mo_block_pattern_couple(&f->memory, &f->pattern, i,
                                               u + n * (v + (int64_t)n * w), NULL));
            }
        }
    }
    return mo_block_matrix_build(&f->memory, &f->pattern, &f->matrix, NULL);
}

static void couple_randomly(fixture *f, int64_t pairs, uint64_t seed)
{
    for (int64_t k = 0; k < pairs; ++k) {
        int64_t i = random_below(&seed, f->rows), j = random_below(&seed, f->rows);
        assert_int_equal(mo_block_pattern_couple(&f->memory, &f->pattern, i, j, NULL), MOTE_OK);
    }
    assert_int_equal(mo_block_matrix_build(&f->memory, &f->pattern, &f->matrix, NULL), MOTE_OK);
}

/* Springs along every pair, in random directions, and `ground` stiffness of each row: definite
 * if that is positive. A block above the diagonal is the transpose of the one below. */
static void fill(fixture *f, double ground, uint64_t seed)
{
    mo_block_matrix *m = &f->matrix;
    memset(m->value, 0, (size_t)m->blocks * 9 * sizeof *m->value);
    for (int64_t i = 0; i < f->rows; ++i) {
        for (int64_t slot = m->start[i]; slot < m->start[i + 1]; ++slot) {
            int64_t j = m->column[slot];
            for (int k = 0; k < 3 && j > i; ++k) { /* the square of u.x_i - v.x_j, three times */
                mo_vec3 a = random_unit_vec3(&seed), c = random_unit_vec3(&seed);
                const double u[3] = {a.x, a.y, a.z}, v[3] = {c.x, c.y, c.z};
                for (int n = 0; n < 9; ++n) {
                    m->value[9 * m->diagonal[i] + n] += u[n / 3] * u[n % 3];
                    m->value[9 * m->diagonal[j] + n] += v[n / 3] * v[n % 3];
                    m->value[9 * slot + n] -= u[n % 3] * v[n / 3];
                    m->value[9 * mo_block_matrix_slot(m, j, i) + n] -= u[n / 3] * v[n % 3];
                }
            }
        }
        for (int n = 0; n < 9; n += 4) {
            m->value[9 * m->diagonal[i] + n] += ground;
        }
    }
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        f->x[k] = random_between(&seed, -1, 1);
    }
    mo_block_matrix_rows(m, f->x, f->b, 0, f->rows);
}

static double distance(const double *a, const double *b, int64_t count)
{
    double most = 0;
    for (int64_t k = 0; k < count; ++k) {
        most = isnan(a[k]) ? INFINITY : fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

static int64_t factorise(fixture *f)
{
    int64_t failed;
    if (!f->factor.memory) {
        assert_int_equal(mo_supernodal_analyse(&f->memory, &f->matrix, &f->factor, NULL), MOTE_OK);
    }
    assert_int_equal(mo_supernodal_factorise(&f->factor, &f->matrix, f->pool, &failed, NULL),
                     MOTE_OK);
    return failed;
}

/* The known solution is reproduced; twice with the same analysis. */
static void check_solution(fixture *f, double allowed)
{
    for (uint64_t seed = 1; seed < 3; ++seed) {
        fill(f, 0.5, seed);
        assert_int_equal(factorise(f), -1);
        mo_supernodal_solve(&f->factor, f->b, 1, 0);
        double off = distance(f->b, f->x, 3 * f->rows);
        if (!(off <= allowed)) {
            fail_msg("%lld rows: the solution is off by %g", (long long)f->rows, off);
        }
    }
}

static void solutions_come_back(void **state)
{
    static const int64_t ROWS[] = {1, 2, 3, 4, 5, 9, 30, 200, 700};
    (void)state;
    for (int k = 0; k < 9 && available(); ++k) {
        for (int64_t density = 0; density < 4; ++density) { /* 0: uncoupled; 1: many components */
            fixture f;
            begin(&f, ROWS[k]);
            couple_randomly(&f, density * ROWS[k] / 2, (uint64_t)(10 * k + density));
            check_solution(&f, 1e-10);
            end(&f);
        }
    }
    for (int n = 2; n < 15 && available(); n += 3) {
        fixture f;
        begin(&f, (int64_t)n * n * n);
        assert_int_equal(couple_lattice(&f, n), MOTE_OK);
        check_solution(&f, 1e-10);
        end(&f);
    }
}

/* One row coupled with all others: for any ordering, a column or the remainder is full. */
static void a_star_is_a_matrix_too(void **state)
{
    fixture f;
    (void)state;
    if (!available()) {
        skip();
    }
    begin(&f, 150);
    for (int64_t k = 0; k < 150; ++k) {
        mo_block_pattern_couple(&f.memory, &f.pattern, 75, k, NULL);
    }
    assert_int_equal(mo_block_matrix_build(&f.memory, &f.pattern, &f.matrix, NULL), MOTE_OK);
    check_solution(&f, 1e-10);
    end(&f);
}

/* L itself: L L^T is A, entry by entry, in the order of elimination. */
static void the_factor_is_one(void **state)
{
    enum { ROWS = 27, N = 3 * ROWS };
    static double l[N][N], a[N][N];
    fixture f;
    (void)state;
    if (!available()) {
        skip();
    }
    begin(&f, ROWS);
    assert_int_equal(couple_lattice(&f, 3), MOTE_OK);
    fill(&f, 0.1, 3);
    assert_int_equal(factorise(&f), -1);
    const mo_supernodal *s = &f.factor;
    for (int32_t n = 0; n < s->count; ++n) {
        int64_t columns = 3 * mo_supernodal_columns(s, n), rows = 3 * mo_supernodal_rows(s, n);
        for (int64_t r = 0; r < rows; ++r) {
            for (int64_t c = 0; c < columns && c <= r; ++c) {
                l[3 * s->index[s->index_start[n] + r / 3] + r % 3][3 * s->column[n] + c] =
                    s->value[s->value_start[n] + r / 12 * 12 * columns + 12 * c + r % 12];
            }
        }
    }
    for (int64_t i = 0; i < ROWS; ++i) {
        for (int64_t slot = f.matrix.start[i]; slot < f.matrix.start[i + 1]; ++slot) {
            for (int k = 0; k < 9; ++k) {
                a[3 * s->inverse_order[i] + k % 3][3 * s->inverse_order[f.matrix.column[slot]] +
                                                   k / 3] = f.matrix.value[9 * slot + k];
            }
        }
    }
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int k = 0; k <= j; ++k) {
                sum += l[i][k] * l[j][k];
            }
            assert_true(fabs(sum - a[i][j]) < 1e-12 && l[i][i] > 0);
        }
    }
    end(&f);
}

static void right_hand_sides_together(void **state)
{
    enum { N = 6, MOST = 9, STRIDE = 3 * N * N * N + 5 };
    static double together[MOST * STRIDE], alone[STRIDE];
    (void)state;
    if (!available()) {
        skip();
    }
    fixture f;
    begin(&f, N * N * N);
    assert_int_equal(couple_lattice(&f, N), MOTE_OK);
    fill(&f, 0.5, 4);
    assert_int_equal(factorise(&f), -1);
    for (int count = 1; count <= MOST; ++count) {
        uint64_t seed = 17;
        for (int k = 0; k < MOST * STRIDE; ++k) {
            together[k] = random_between(&seed, -1, 1);
        }
        double behind = together[(count - 1) * STRIDE + 3 * N * N * N];
        memcpy(alone, together + (count - 1) * STRIDE, sizeof alone);
        mo_supernodal_solve(&f.factor, together, count, STRIDE);
        mo_supernodal_solve(&f.factor, alone, 1, 0);
        assert_true(distance(together + (count - 1) * STRIDE, alone, 3 * N * N * N) < 1e-11);
        assert_true(same_bits(together[(count - 1) * STRIDE + 3 * N * N * N], behind));
    }
    end(&f);
}

/* The index of the column. Without couplings each entry is its own pivot. */
static void indefinite_columns_are_named(void **state)
{
    fixture f;
    (void)state;
    if (!available()) {
        skip();
    }
    begin(&f, 40);
    couple_randomly(&f, 0, 1);
    for (int64_t number = 0; number < 120; number += 7) {
        static const double WRONG[] = {-1, 0, NAN};
        for (int k = 0; k < 3; ++k) {
            fill(&f, 2, 5);
            f.matrix.value[9 * f.matrix.diagonal[number / 3] + 4 * (number % 3)] = WRONG[k];
            assert_int_equal(factorise(&f), number);
        }
    }
    end(&f);
}

/* Springs without ground: the last pivot is rounding for any order. With one soft ground it is
 * not. */
static void singular_matrices_are_noticed(void **state)
{
    (void)state;
    for (int n = 2; n < 9 && available(); n += 3) {
        fixture f;
        begin(&f, (int64_t)n * n * n);
        assert_int_equal(couple_lattice(&f, n), MOTE_OK);
        mo_block_matrix *m = &f.matrix;
        memset(m->value, 0, (size_t)m->blocks * 9 * sizeof *m->value);
        for (int64_t i = 0; i < f.rows; ++i) {
            for (int64_t slot = m->start[i]; slot < m->start[i + 1]; ++slot) {
                for (int k = 0; k < 9 && slot != m->diagonal[i]; k += 4) {
                    m->value[9 * slot + k] = -1;
                    m->value[9 * m->diagonal[i] + k] += 1;
                }
            }
        }
        assert_true(factorise(&f) >= 0);
        for (int k = 0; k < 9; k += 4) {
            m->value[k + 9 * m->diagonal[1]] += 1e-8;
        }
        assert_int_equal(factorise(&f), -1);
        end(&f);
    }
}

/* Large enough for parallel subtrees and divided supernodes. */
static void same_bits_on_any_threads(void **state)
{
    enum { N = 14 };
    static const int THREADS[] = {1, 2, 3, 8};
    static double first[3 * N * N * N];
    (void)state;
    for (int t = 0; t < 4 && available(); ++t) {
        fixture f;
        assert_int_equal(begin_with(&f, N * N * N, THREADS[t], -1), MOTE_OK);
        assert_int_equal(couple_lattice(&f, N), MOTE_OK);
        fill(&f, 0.1, 8);
        assert_int_equal(factorise(&f), -1);
        assert_true(f.factor.task_count > 3 && f.factor.top_count > 0);
        mo_supernodal_solve(&f.factor, f.b, 1, 0);
        assert_true(distance(f.b, f.x, 3 * f.rows) < 1e-9);
        if (t > 0) {
            assert_memory_equal(f.b, first, sizeof first);
        }
        memcpy(first, f.b, sizeof first);
        f.matrix.value[9 * f.matrix.diagonal[100]] = -1; /* the same column, too */
        f.matrix.value[9 * f.matrix.diagonal[2000]] = -1;
        int64_t failed = factorise(&f);
        static int64_t told;
        assert_true(failed >= 0 && (t == 0 || failed == told));
        told = failed;
        end(&f);
    }
}

/* A graph Laplacian with weights, plus `ground` on the diagonal; b = A x for three components. */
static double *scalar_values(fixture *f, double ground, uint64_t seed)
{
    const mo_block_matrix *m = &f->matrix;
    double *value = calloc((size_t)m->blocks, sizeof *value);
    for (int64_t i = 0; i < f->rows; ++i) {
        for (int64_t slot = m->start[i]; slot < m->start[i + 1]; ++slot) {
            int64_t j = m->column[slot];
            double weight = j > i ? random_between(&seed, 0.1, 1) : 0;
            value[m->diagonal[i]] += weight + (j == i ? ground : 0);
            value[m->diagonal[j]] += weight;
            value[slot] -= weight;
            value[j > i ? mo_block_matrix_slot(m, j, i) : slot] -= weight;
        }
    }
    memset(f->b, 0, (size_t)(3 * f->rows) * sizeof *f->b);
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        f->x[k] = random_between(&seed, -1, 1);
    }
    for (int64_t i = 0; i < f->rows; ++i) {
        for (int64_t slot = m->start[i]; slot < m->start[i + 1]; ++slot) {
            for (int c = 0; c < 3; ++c) {
                f->b[3 * i + c] += value[slot] * f->x[3 * (int64_t)m->column[slot] + c];
            }
        }
    }
    return value;
}

static void scalar_matrices_are_solved(void **state)
{
    static const int THREADS[] = {1, 2, 3, 8};
    double first = 0;
    (void)state;
    for (int size = 0; available() && size < 3; ++size) {
        for (int t = 0; t < 4; ++t) {
            int n = size == 0 ? 1 : size == 1 ? 5 : 15;
            fixture f;
            int64_t failed;
            assert_int_equal(begin_with(&f, n * n * n, THREADS[t], -1), MOTE_OK);
            assert_int_equal(couple_lattice(&f, n), MOTE_OK);
            double *value = scalar_values(&f, 0.1, 7);
            assert_int_equal(mo_supernodal_analyse_scalar(&f.memory, &f.matrix, &f.factor, NULL),
                             MOTE_OK);
            assert_int_equal(
                mo_supernodal_factorise_scalar(&f.factor, &f.matrix, value, f.pool, &failed, NULL),
                MOTE_OK);
            assert_int_equal(failed, -1);
            mo_supernodal_solve_components(&f.factor, f.b);
            assert_true(distance(f.b, f.x, 3 * f.rows) < 1e-11);
            first = t == 0 ? f.b[3 * f.rows / 2] : first;
            assert_true(same_bits(first, f.b[3 * f.rows / 2]));
            value[f.matrix.diagonal[f.rows / 2]] = -1;
            assert_int_equal(
                mo_supernodal_factorise_scalar(&f.factor, &f.matrix, value, f.pool, &failed, NULL),
                MOTE_OK);
            assert_true(failed >= 0);
            free(value);
            end(&f);
        }
    }
}

static void allocations_may_fail(void **state)
{
    (void)state;
    bool failed = available();
    for (int64_t fail_at = 0; failed; ++fail_at) {
        fixture f;
        mote_status status = begin_with(&f, 27, 1, fail_at);
        status = status == MOTE_OK ? couple_lattice(&f, 3) : status;
        status = status == MOTE_OK ? mo_supernodal_analyse(&f.memory, &f.matrix, &f.factor, NULL)
                                   : status;
        failed = has_failed(&f.allocator);
        assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
        end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_come_back),
        cmocka_unit_test(a_star_is_a_matrix_too),
        cmocka_unit_test(the_factor_is_one),
        cmocka_unit_test(right_hand_sides_together),
        cmocka_unit_test(indefinite_columns_are_named),
        cmocka_unit_test(singular_matrices_are_noticed),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(scalar_matrices_are_solved),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
