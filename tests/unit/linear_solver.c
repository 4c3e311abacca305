/*
 * Every linear solver compared with Gaussian elimination on a dense matrix: well and ill
 * conditioned, with fixed rows; reported statistics; bitwise identical on any number of threads;
 * failing allocations.
 */
#include "test.h"

#include "base/pool.h"
#include "failing_allocator.h"
#include "linear/solver/solver.h"
#include "numbers.h"
#include "set_param.h"

enum { SMALL = 60, LARGE = 2500, DENSE = 3 * SMALL };

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_pool *pool;
    mo_block_pattern pattern;
    mo_block_matrix matrix;
    int64_t rows;
    double *b, *x;
} fixture;

/* A spring between i and j: s n n^T + t 1, subtracted off the diagonal and added on it. */
static void add_spring(mo_block_matrix *m, int64_t i, int64_t j, double s, uint64_t *random)
{
    mo_vec3 n = random_unit_vec3(random);
    const double u[3] = {n.x, n.y, n.z};
    for (int k = 0; k < 9; ++k) {
        double w = s * (u[k / 3] * u[k % 3] + (k % 4 == 0 ? 0.05 : 0));
        m->value[9 * m->diagonal[i] + k] += w;
        m->value[9 * m->diagonal[j] + k] += w;
        m->value[9 * mo_block_matrix_slot(m, i, j) + k] -= w;
        m->value[9 * mo_block_matrix_slot(m, j, i) + k] -= w;
    }
}

/* Couplings: the next rows, and some distant ones. */
static int64_t friend_of(int64_t i, int k, int64_t rows)
{
    static const int64_t STEP[] = {1, 2, 7, 31};
    return (i + STEP[k]) % rows;
}

static void fill_system(fixture *f, double softest, double stiffest, uint64_t seed)
{
    mo_block_matrix *m = &f->matrix;
    for (int64_t i = 0; i < f->rows; ++i) {
        for (int k = 0; k < 9; k += 4) {
            m->value[9 * m->diagonal[i] + k] += 1;
        }
        for (int k = 0; k < 4; ++k) {
            double part = random_between(&seed, 0, 1);
            add_spring(m, i, friend_of(i, k, f->rows), softest * pow(stiffest / softest, part),
                       &seed);
        }
    }
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        f->b[k] = random_between(&seed, -1, 1);
    }
}

static mote_status open_system(fixture *f, int64_t rows, int threads, int64_t fail_at)
{
    f->memory = failing_memory(&f->allocator, fail_at);
    f->pattern = (mo_block_pattern){0};
    f->matrix = (mo_block_matrix){0};
    f->pool = NULL;
    f->b = f->x = NULL;
    f->rows = rows;
    MO_TRY(mo_pool_create(&f->memory, threads, &f->pool, NULL));
    mo_block_pattern_clear(&f->pattern, rows);
    for (int64_t i = 0; i < rows; ++i) {
        for (int k = 0; k < 4; ++k) {
            MO_TRY(
                mo_block_pattern_couple(&f->memory, &f->pattern, i, friend_of(i, k, rows), NULL));
        }
    }
    MO_TRY(mo_block_matrix_build(&f->memory, &f->pattern, &f->matrix, NULL));
    void *b, *x;
    MO_TRY(mo_allocate_array(&f->memory, 3 * rows + 1, sizeof(double), &b, NULL));
    f->b = b;
    MO_TRY(mo_allocate_array(&f->memory, 3 * rows + 1, sizeof(double), &x, NULL));
    f->x = x;
    return MOTE_OK;
}

static void close_system(fixture *f)
{
    mo_block_pattern_release(&f->memory, &f->pattern);
    mo_block_matrix_release(&f->memory, &f->matrix);
    mo_release(&f->memory, f->b);
    mo_release(&f->memory, f->x);
    mo_pool_destroy(f->pool);
    assert_all_given_back(&f->allocator, &f->memory);
}

static mo_linear_system system_of(fixture *f)
{
    return (mo_linear_system){.memory = &f->memory,
                              .pool = f->pool,
                              .matrix = &f->matrix,
                              .pattern = 1,
                              .b = f->b,
                              .x = f->x,
                              .from_zero = true};
}

static void exact_solution(const fixture *f, double *x)
{
    static double a[DENSE][DENSE + 1];
    int n = (int)(3 * f->rows);
    memset(a, 0, sizeof a);
    for (int64_t i = 0; i < f->rows; ++i) {
        for (int64_t slot = f->matrix.start[i]; slot < f->matrix.start[i + 1]; ++slot) {
            for (int k = 0; k < 9; ++k) {
                a[3 * i + k % 3][3 * f->matrix.column[slot] + k / 3] =
                    f->matrix.value[9 * slot + k];
            }
        }
    }
    for (int k = 0; k < n; ++k) {
        a[k][n] = f->b[k];
    }
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= n; ++j) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        x[k] = a[k][n];
        for (int j = k + 1; j < n; ++j) {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
}

/* Default parameters except for the tolerance. */
static void set_solver(params *p, const char *name, double tolerance)
{
    clear_params_of(p, &mo_linear_solvers, name);
    set_real(p, "tolerance", tolerance);
    if (strcmp(name, "cholesky") != 0) {
        set_int(p, "iterations", 20000);
        set_bool(p, "fixed", false);
    }
    if (strcmp(name, "jacobi") == 0) {
        set_real(p, "omega", 0.5);
        set_bool(p, "scalar", false);
    }
    if (strcmp(name, "gauss_seidel") == 0) {
        set_real(p, "omega", 1);
    }
}

static bool available(const char *name)
{
    params p;
    set_solver(&p, name, 1e-6);
    const mo_descriptor *type = mo_family_find(&mo_linear_solvers, name);
    return !type->check || type->check(p.bytes, NULL) == MOTE_OK;
}

static mo_linear_result solve_with(fixture *f, const params *p, const mo_linear_system *system)
{
    mo_linear_solver solver;
    mo_linear_result result;
    (void)f;
    assert_int_equal(mo_linear_open(&f->memory, method_of(p), &solver, NULL), MOTE_OK);
    assert_int_equal(mo_linear_solve(&solver, system, &result, NULL), MOTE_OK);
    mo_linear_close(&solver);
    return result;
}

static double distance(const double *a, const double *b, int64_t count)
{
    double sum = 0, scale = 0;
    for (int64_t k = 0; k < count; ++k) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
        scale += b[k] * b[k];
    }
    return sqrt(sum / scale);
}

static void check_residual(const fixture *f, mo_linear_result result)
{
    static double ax[3 * LARGE];
    mo_block_matrix_rows(&f->matrix, f->x, ax, 0, f->rows);
    double found = distance(ax, f->b, 3 * f->rows), most = 0, large = 0;
    for (int64_t k = 0; k < 9 * f->matrix.blocks; ++k) {
        most = fmax(most, fabs(f->matrix.value[k]));
    }
    for (int64_t k = 0; k < 3 * f->rows; ++k) {
        large = fmax(large, fabs(f->x[k]));
    }
    /* rounding of the residual; b is of order 1 */
    double rounding = 1e-15 * (1 + 10 * most * large);
    if (!(fabs(found - result.residual) <= 1e-3 * result.residual + rounding)) {
        fail_msg("the residual is %g, not %g (rounding %g)", found, result.residual, rounding);
    }
}

static void check_against_elimination(const char *name, double stiffest, double tolerance,
                                      double allowed)
{
    fixture f;
    params p;
    double exact[DENSE];
    assert_int_equal(open_system(&f, SMALL, 1, -1), MOTE_OK);
    fill_system(&f, 0.01, stiffest, 7);
    exact_solution(&f, exact);
    set_solver(&p, name, tolerance);
    mo_linear_system system = system_of(&f);
    mo_linear_result result = solve_with(&f, &p, &system);
    if (!result.converged || !(distance(f.x, exact, DENSE) <= allowed)) {
        fail_msg("%s: residual %g after %lld iterations, %g away", name, result.residual,
                 (long long)result.iterations, distance(f.x, exact, DENSE));
    }
    check_residual(&f, result);
    system.from_zero =
        /* from the solution no iteration is needed, up to rounding for ill-conditioned matrices */
        false;
    result = solve_with(&f, &p, &system);
    assert_true(stiffest > 10 || (result.converged && result.iterations <= 1));
    close_system(&f);
}

static void solvers_agree_with_elimination(void **state)
{
    (void)state;
    for (int k = 0; k < mo_linear_solvers.count; ++k) {
        if (available(mo_linear_solvers.methods[k]->name)) {
            check_against_elimination(mo_linear_solvers.methods[k]->name, 10, 1e-11, 1e-9);
        }
    }
}

/* v_i += omega/A_ii (s_i - (A v)_i), sweep by sweep. */
static void scalar_jacobi_is_its_formula(void **state)
{
    enum { SWEEPS = 4 };
    static double v[DENSE], av[DENSE];
    fixture f;
    params p;
    (void)state;
    assert_int_equal(open_system(&f, SMALL, 1, -1), MOTE_OK);
    fill_system(&f, 0.01, 10, 8);
    set_solver(&p, "jacobi", 1e-11);
    set_bool(&p, "scalar", true);
    set_real(&p, "omega", 0.4);
    set_int(&p, "iterations", SWEEPS);
    set_bool(&p, "fixed", true);
    mo_linear_system system = system_of(&f);
    assert_int_equal(solve_with(&f, &p, &system).iterations, SWEEPS);
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        mo_block_matrix_rows(&f.matrix, v, av, 0, f.rows);
        for (int k = 0; k < DENSE; ++k) {
            double diagonal = f.matrix.value[9 * f.matrix.diagonal[k / 3] + 4 * (k % 3)];
            v[k] += 0.4 / diagonal * (f.b[k] - av[k]);
        }
    }
    assert_true(distance(f.x, v, DENSE) < 1e-14);
    set_int(&p, "iterations", 20000);
    set_bool(&p, "fixed", false);
    assert_true(solve_with(&f, &p, &system).converged);
    close_system(&f);
}

/* Bounded solutions satisfy the Karush-Kuhn-Tucker conditions: the residual is 0 inside and
 * points outwards at a bound. Some bounds exclude 0. */
static void bounds_are_heeded_in_every_sweep(void **state)
{
    static double lower[DENSE], upper[DENSE], ax[DENSE];
    fixture f;
    params p;
    int inside = 0;
    (void)state;
    assert_int_equal(open_system(&f, SMALL, 3, -1), MOTE_OK);
    fill_system(&f, 0.01, 10, 9);
    for (int k = 0; k < DENSE; ++k) {
        lower[k] = k % 4 == 0 ? -(double)INFINITY : k % 7 == 0 ? 0.01 : -0.02;
        upper[k] = k % 5 == 0 ? (double)INFINITY : 0.03;
    }
    set_solver(&p, "jacobi", 1e-12);
    set_real(&p, "omega", 0.3);
    mo_linear_system system = system_of(&f);
    system.lower = lower;
    system.upper = upper;
    assert_true(solve_with(&f, &p, &system).converged);
    mo_block_matrix_rows(&f.matrix, f.x, ax, 0, f.rows);
    for (int k = 0; k < DENSE; ++k) {
        double r = f.b[k] - ax[k];
        assert_true(f.x[k] >= lower[k] && f.x[k] <= upper[k]);
        if (f.x[k] > lower[k] && f.x[k] < upper[k]) {
            assert_near(r, 0, 1e-10);
            ++inside;
        } else {
            assert_true(f.x[k] == lower[k] ? r <= 1e-10 : r >= -1e-10);
        }
    }
    assert_in_range(inside, DENSE / 10, DENSE - DENSE / 10);
    mo_linear_solver solver;
    mo_linear_result result;
    mote_error error = {0};
    set_solver(&p, "gauss_seidel", 1e-6);
    assert_int_equal(mo_linear_open(&f.memory, method_of(&p), &solver, NULL), MOTE_OK);
    assert_int_equal(mo_linear_solve(&solver, &system, &result, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "bounds"));
    mo_linear_close(&solver);
    close_system(&f);
}

/* Springs of 1e-2 to 1e7 beside masses of 1: the condition is about 1e8. */
static void bad_conditions_are_borne(void **state)
{
    (void)state;
    check_against_elimination("cg", 1e7, 1e-13, 1e-5);
    if (available("cholesky")) {
        check_against_elimination("cholesky", 1e7, 1e-9, 1e-7);
    }
}

static void same_bits_on_any_threads(void **state)
{
    static const int THREADS[] = {1, 2, 3, 8};
    (void)state;
    for (int k = 0; k < mo_linear_solvers.count; ++k) {
        static double first[3 * LARGE];
        for (int t = 0; t < 4 && available(mo_linear_solvers.methods[k]->name); ++t) {
            fixture f;
            params p;
            assert_int_equal(open_system(&f, LARGE, THREADS[t], -1), MOTE_OK);
            fill_system(&f, 0.01, 100, 3);
            set_solver(&p, mo_linear_solvers.methods[k]->name, 1e-8);
            mo_linear_system system = system_of(&f);
            check_residual(&f, solve_with(&f, &p, &system));
            if (t > 0) {
                assert_memory_equal(f.x, first, sizeof first);
            }
            memcpy(first, f.x, sizeof first);
            close_system(&f);
        }
    }
}

static void multiply(void *context, const double *p, double *y)
{
    const mo_block_matrix *m = context;
    mo_block_matrix_rows(m, p, y, 0, m->rows);
}

/* Matrix-free products and the diagonal give bitwise the same as the matrix. */
static void products_are_enough(void **state)
{
    static double with[DENSE];
    (void)state;
    for (int k = 0; k < mo_linear_solvers.count; ++k) {
        const mo_descriptor *type = mo_linear_solvers.methods[k];
        fixture f, d;
        params p;
        if (!(type->capabilities & MO_LINEAR_MATRIX_FREE)) {
            continue;
        }
        assert_int_equal(open_system(&f, SMALL, 2, -1), MOTE_OK);
        fill_system(&f, 0.1, 10, 5);
        set_solver(&p, type->name, 1e-9);
        mo_linear_system system = system_of(&f);
        mo_linear_result whole = solve_with(&f, &p, &system);
        memcpy(with, f.x, sizeof with);
        assert_int_equal(open_system(&d, SMALL, 2, -1), MOTE_OK);
        mo_block_pattern_clear(&d.pattern, SMALL);
        assert_int_equal(mo_block_matrix_build(&d.memory, &d.pattern, &d.matrix, NULL), MOTE_OK);
        for (int64_t i = 0; i < SMALL; ++i) {
            memcpy(d.matrix.value + 9 * i, f.matrix.value + 9 * f.matrix.diagonal[i],
                   9 * sizeof(double));
        }
        memset(f.x, 0, DENSE * sizeof(double));
        system.matrix = &d.matrix;
        system.apply = multiply;
        system.context = &f.matrix;
        mo_linear_result parts = solve_with(&f, &p, &system);
        assert_int_equal(parts.iterations, whole.iterations);
        assert_memory_equal(f.x, with, sizeof with);
        close_system(&f);
        close_system(&d);
    }
}

static void divergence_is_reported(void **state)
{
    fixture f;
    params p;
    (void)state;
    assert_int_equal(open_system(&f, SMALL, 1, -1), MOTE_OK);
    fill_system(&f, 0.1, 1000, 5);
    mo_linear_system system = system_of(&f);
    set_solver(&p, "cg", 1e-12);
    set_int(&p, "iterations", 4);
    mo_linear_result result = solve_with(&f, &p, &system);
    assert_false(result.converged);
    assert_int_equal(result.iterations, 4);
    assert_true(result.residual > 1e-12);
    memset(f.x, 0, DENSE * sizeof(double));
    set_bool(&p, "fixed", true);
    result = solve_with(&f, &p, &system);
    assert_true(result.converged && result.iterations == 4);
    for (int64_t k = 0; k < 9 * f.matrix.blocks; ++k) {
        f.matrix.value[k] = -f.matrix.value[k];
    }
    for (int k = 0; k < mo_linear_solvers.count; ++k) { /* these two detect the sign */
        const char *name = mo_linear_solvers.methods[k]->name;
        if ((strcmp(name, "cg") == 0 || strcmp(name, "cholesky") == 0) && available(name)) {
            memset(f.x, 0, DENSE * sizeof(double));
            set_solver(&p, name, 1e-6);
            result = solve_with(&f, &p, &system);
            assert_true(result.indefinite && !result.converged);
        }
    }
    close_system(&f);
}

/* A zero right-hand side has the solution 0, without division by zero. */
static void nothing_to_do(void **state)
{
    (void)state;
    for (int k = 0; k < mo_linear_solvers.count; ++k) {
        fixture f;
        params p;
        if (!available(mo_linear_solvers.methods[k]->name)) {
            continue;
        }
        assert_int_equal(open_system(&f, SMALL, 1, -1), MOTE_OK);
        fill_system(&f, 0.1, 10, 5);
        memset(f.b, 0, DENSE * sizeof(double));
        set_solver(&p, mo_linear_solvers.methods[k]->name, 1e-6);
        mo_linear_system system = system_of(&f);
        mo_linear_result result = solve_with(&f, &p, &system);
        assert_true(result.converged && result.residual == 0);
        assert_true(f.x[0] == 0 && f.x[DENSE - 1] == 0);
        close_system(&f);
    }
}

/* The factor is reused while the values are unchanged; another pattern is detected. */
static void cholesky_notices_changes(void **state)
{
    fixture f;
    params p;
    mo_linear_solver solver;
    mo_linear_result result;
    (void)state;
    if (!available("cholesky")) {
        skip();
    }
    assert_int_equal(open_system(&f, SMALL, 1, -1), MOTE_OK);
    fill_system(&f, 0.1, 10, 5);
    set_solver(&p, "cholesky", 1e-10);
    mo_linear_system system = system_of(&f);
    assert_int_equal(mo_linear_open(&f.memory, method_of(&p), &solver, NULL), MOTE_OK);
    for (int round = 0; round < 4; ++round) {
        memset(f.x, 0, DENSE * sizeof(double));
        assert_int_equal(mo_linear_solve(&solver, &system, &result, NULL), MOTE_OK);
        assert_true(result.converged);
        assert_true(result.iterations == 1);
        check_residual(&f, result);
        f.matrix.value[9 * f.matrix.diagonal[round]] += round; /* round 0 changes nothing */
        if (round == 2) {
            mo_block_pattern_couple(&f.memory, &f.pattern, 3, 20, NULL);
            assert_int_equal(mo_block_matrix_build(&f.memory, &f.pattern, &f.matrix, NULL),
                             MOTE_OK);
            fill_system(&f, 0.1, 10, 6);
            system.pattern++;
        }
    }
    mo_linear_close(&solver);
    close_system(&f);
}

static void allocations_may_fail(void **state)
{
    (void)state;
    for (int k = 0; k < mo_linear_solvers.count; ++k) {
        bool failed = available(mo_linear_solvers.methods[k]->name);
        for (int64_t fail_at = 0; failed; ++fail_at) {
            fixture f;
            params p;
            mo_linear_solver solver = {0};
            mo_linear_result result;
            set_solver(&p, mo_linear_solvers.methods[k]->name, 1e-6);
            mote_status status = open_system(&f, SMALL, 1, fail_at);
            if (status == MOTE_OK) {
                fill_system(&f, 0.1, 10, 5);
                mo_linear_system system = system_of(&f);
                status = mo_linear_open(&f.memory, method_of(&p), &solver, NULL);
                status =
                    status == MOTE_OK ? mo_linear_solve(&solver, &system, &result, NULL) : status;
            }
            failed = has_failed(&f.allocator);
            assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
            mo_linear_close(&solver);
            close_system(&f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_agree_with_elimination),
        cmocka_unit_test(scalar_jacobi_is_its_formula),
        cmocka_unit_test(bounds_are_heeded_in_every_sweep),
        cmocka_unit_test(bad_conditions_are_borne),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(products_are_enough),
        cmocka_unit_test(divergence_is_reported),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(cholesky_notices_changes),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
