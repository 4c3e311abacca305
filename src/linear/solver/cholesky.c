/*
 * Sparse Cholesky factorisation A = L L^T (linear/supernodal.h). Direct and accurate for any
 * stiffness, but expensive: about n^2 for a solid of n particles. Ordering and structure of L are
 * reused while the pattern stays, the factor while the values stay, which is tested by comparison.
 *
 * The residual b - A x is evaluated, followed by one step of iterative refinement if it is too
 * large.
 *
 * A library built without CHOLMOD, which does the symbolic analysis, lists the method and rejects
 * it with the reason.
 */
#include "linear/supernodal.h"

#include "linear/solver/solver.h"

#include <math.h>
#include <string.h>

typedef struct cholesky {
    double tolerance;
} cholesky;

static const mo_param PARAMS[] = {
    {"tolerance", MO_REAL, MO_FIELD(cholesky, tolerance), .initial = "1e-8", .range = "(0, 1)",
     .doc = "Relative residual, after one step of iterative refinement, above which a warning is "
            "issued."},
    {0}};

#if defined(MOTE_CHOLMOD)

typedef struct state {
    mo_supernodal factor;
    uint64_t pattern;
    bool analysed, factored;
    int64_t capacity;
    double *numbers; /* of the factored matrix, nine per slot */
    mo_work vectors;
} state;

static mote_status cholesky_open(mo_memory *memory, void **out, mote_error *error)
{
    *out = mo_allocate(memory, sizeof(state));
    return *out ? MOTE_OK : mo_fail_memory(error, sizeof(state));
}

static void cholesky_close(void *given, mo_memory *memory)
{
    state *s = given;
    mo_supernodal_release(&s->factor);
    mo_release(memory, s->numbers);
    mo_release(memory, s->vectors.block);
    mo_release(memory, s);
}

static mote_status analyse(state *s, const mo_linear_system *system, mote_error *error)
{
    void *numbers = s->numbers;
    s->analysed = s->factored = false;
    MO_TRY(mo_supernodal_analyse(system->memory, system->matrix, &s->factor, error));
    mote_status status = mo_grow(system->memory, &numbers, &s->capacity, system->matrix->blocks,
                                 9 * sizeof(double), error);
    s->numbers = numbers;
    MO_TRY(status);
    s->pattern = system->pattern;
    s->analysed = true;
    return MOTE_OK;
}

typedef struct comparison {
    const mo_block_matrix *matrix;
    double *numbers;
} comparison;

/* partial: whether any value differs */
static void compare_range(void *context, int64_t first, int64_t last, double *partial)
{
    const comparison *c = context;
    int64_t from = 9 * c->matrix->start[first], to = 9 * c->matrix->start[last];
    *partial = memcmp(c->numbers + from, c->matrix->value + from,
                      (size_t)(to - from) * sizeof(double)) != 0;
}

static void copy_range(void *context, int64_t first, int64_t last)
{
    const comparison *c = context;
    int64_t from = 9 * c->matrix->start[first], to = 9 * c->matrix->start[last];
    memcpy(c->numbers + from, c->matrix->value + from, (size_t)(to - from) * sizeof(double));
}

static mote_status factorise(state *s, const mo_linear_system *system, int64_t *failed,
                             mote_error *error)
{
    comparison c = {system->matrix, s->numbers};
    double changed = 1;
    if (s->factored) {
        MO_TRY(mo_parallel_reduce(system->pool, system->matrix->rows, MO_MATRIX_GRAIN, MO_MAX, 1,
                                  compare_range, &c, &changed, error));
    }
    *failed = -1;
    if (changed == 0) {
        return MOTE_OK;
    }
    mo_parallel_for(system->pool, system->matrix->rows, MO_MATRIX_GRAIN, copy_range, &c);
    s->factored = false;
    MO_TRY(mo_supernodal_factorise(&s->factor, system->matrix, system->pool, failed, error));
    s->factored = *failed < 0;
    return MOTE_OK;
}

/* One of the right-hand sides. */
static mo_linear_system one_of(const mo_linear_system *system, int k, bool from_zero)
{
    mo_linear_system one = *system;
    one.b = system->b + k * system->stride;
    one.x = system->x + k * system->stride;
    one.from_zero = from_zero;
    return one;
}

/* The residuals r of all right-hand sides; returns the largest |r| / |b|. */
static mote_status find_residuals(const mo_linear_system *system, bool from_zero, double *r,
                                  int64_t stride, double *largest, mote_error *error)
{
    *largest = 0;
    for (int k = 0; k == 0 || k < system->count; ++k) {
        mo_linear_system one = one_of(system, k, from_zero);
        double squares[2];
        MO_TRY(mo_linear_residual(&one, r + k * stride, squares, error));
        *largest = fmax(*largest, squares[1] > 0 ? sqrt(squares[0] / squares[1]) : 0);
    }
    return MOTE_OK;
}

/* x += A^-1 r */
static void correct(const state *s, const mo_linear_system *system, double *r, int64_t stride)
{
    int count = system->count > 1 ? system->count : 1;
    mo_supernodal_solve(&s->factor, r, count, stride);
    for (int j = 0; j < count; ++j) {
        for (int64_t k = 0; k < 3 * system->matrix->rows; ++k) {
            system->x[j * system->stride + k] += r[j * stride + k];
        }
    }
}

static mote_status improve(state *s, const mo_linear_system *system, double tolerance,
                           mo_linear_result *result, mote_error *error)
{
    int count = system->count > 1 ? system->count : 1;
    int64_t stride = (3 * system->matrix->rows + 8) / 8 * 8;
    double *r;
    MO_TRY(mo_work_vectors(system->memory, &s->vectors, 1, count * stride, &r, error));
    MO_TRY(find_residuals(system, system->from_zero, r, stride, &result->residual, error));
    for (int turn = 0; turn < 2 && !(result->residual <= tolerance); ++turn) {
        correct(s, system, r, stride);
        result->iterations += count;
        MO_TRY(find_residuals(system, false, r, stride, &result->residual, error));
    }
    result->converged = result->residual <= tolerance;
    return MOTE_OK;
}

static mote_status cholesky_solve(void *given, const void *params, const mo_linear_system *system,
                                  mo_linear_result *result, mote_error *error)
{
    const cholesky *limits = params;
    state *s = given;
    int64_t failed;
    if (!s->analysed || s->pattern != system->pattern) {
        MO_TRY(analyse(s, system, error));
    }
    MO_TRY(factorise(s, system, &failed, error));
    result->indefinite = failed >= 0;
    result->residual = failed < 0 ? 0 : 1;
    result->converged = failed < 0;
    return failed < 0 && !system->only_definite
               ? improve(s, system, limits->tolerance, result, error)
               : MOTE_OK;
}

static mote_status cholesky_check(const void *params, mote_error *error)
{
    (void)params;
    (void)error;
    return MOTE_OK;
}

#else

static mote_status refuse(mote_error *error)
{
    return mo_fail(
        error, MOTE_ERROR_INPUT,
        "cholesky: this library was built without CHOLMOD (Debian: libsuitesparse-dev; then build "
        "again); allowed here: cg, jacobi, gauss_seidel");
}

static mote_status cholesky_check(const void *params, mote_error *error)
{
    (void)params;
    return refuse(error);
}

static mote_status cholesky_open(mo_memory *memory, void **out, mote_error *error)
{
    (void)memory;
    *out = NULL;
    return refuse(error);
}

static void cholesky_close(void *given, mo_memory *memory)
{
    (void)given;
    (void)memory;
}

static mote_status cholesky_solve(void *given, const void *params, const mo_linear_system *system,
                                  mo_linear_result *result, mote_error *error)
{
    (void)given;
    (void)params;
    (void)system;
    (void)result;
    return refuse(error);
}

#endif

const mo_linear_type mo_linear_cholesky = {
    .base = {.name = "cholesky",
             .summary = "Supernodal sparse Cholesky factorisation: direct, for any stiffness.",
             .citation =
                 "Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam 2008, ACM TOMS 35, article 22",
             .param_size = sizeof(cholesky),
             .params = PARAMS,
             .check = cholesky_check},
    .open = cholesky_open,
    .close = cholesky_close,
    .solve = cholesky_solve,
    .many = true,
};

mo_method mo_linear_exact(void)
{
#if defined(MOTE_CHOLMOD)
    static const cholesky EXACT = {1e-10};
    return (mo_method){&mo_linear_cholesky.base, &EXACT};
#else
    return mo_linear_cg_exact();
#endif
}
