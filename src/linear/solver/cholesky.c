/*
 * Sparse Cholesky factorisation A = L L^T by CHOLMOD (Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam 2008, ACM Trans. Math.
 * Softw. 35, article 22). Exact up to rounding whatever the stiffness, and dear: for a body of n particles about n^2 the
 * first time. Rows are ordered by METIS's nested dissection of the graph of particles, not of numbers, which is nine times
 * smaller; the order and the structure of L are kept while the pattern stays, the factor while the numbers stay.
 *
 * CHOLMOD's BLAS is held to one thread (OpenBLAS is told so, for the whole process), so that the bits do not depend on how
 * many there are. Its memory comes from the C library, not from the world's allocator. A library built without CHOLMOD lists
 * the method and refuses it with the reason.
 */
#include "linear/solver/solver.h"

#include <math.h>
#include <string.h>

typedef struct cholesky {
    double tolerance;
} cholesky;

static const mo_param PARAMS[] = {
    {"tolerance", MO_REAL, MO_FIELD(cholesky, tolerance), .initial = "1e-8", .range = "(0, 1)",
     .doc = "A residual above this part of the right-hand side, after one refinement, is warned of."},
    {0}};

#if defined(MOTE_CHOLMOD)
#include <cholmod.h>

void openblas_set_num_threads(int threads) __attribute__((weak));

typedef struct state {
    cholmod_common common;
    cholmod_sparse *matrix; /* its lower half, by columns */
    cholmod_factor *factor;
    cholmod_dense *work[2]; /* for the solution's scratch */
    cholmod_dense *solution;
    uint64_t pattern;
    bool factored;
    mo_work vectors;
} state;

static mote_status open(mo_memory *memory, void **out, mote_error *error)
{
    state *s = mo_allocate(memory, sizeof(state));
    if (!s) {
        return mo_fail_memory(error, sizeof(state));
    }
    if (openblas_set_num_threads) {
        openblas_set_num_threads(1);
    }
    cholmod_start(&s->common);
    s->common.print = 0;
    s->common.nmethods = 1;
    s->common.method[0].ordering = CHOLMOD_GIVEN;
    s->common.postorder = 1;
    s->common.final_ll = 1;
    *out = s;
    return MOTE_OK;
}

static void drop_pattern(state *s)
{
    cholmod_free_sparse(&s->matrix, &s->common);
    cholmod_free_factor(&s->factor, &s->common);
    cholmod_free_dense(&s->work[0], &s->common);
    cholmod_free_dense(&s->work[1], &s->common);
    cholmod_free_dense(&s->solution, &s->common);
    s->factored = false;
}

static void close(void *given, mo_memory *memory)
{
    state *s = given;
    drop_pattern(s);
    cholmod_finish(&s->common);
    mo_release(memory, s->vectors.block);
    mo_release(memory, s);
}

static mote_status complain(const state *s, mote_error *error)
{
    return s->common.status == CHOLMOD_OUT_OF_MEMORY
               ? mo_fail(error, MOTE_ERROR_MEMORY,
                         "cholesky: there is no memory for the factorisation; use cg")
               : mo_fail(error, MOTE_ERROR_NUMERIC, "cholesky: CHOLMOD failed with status %d",
                         s->common.status);
}

/* Entries of the lower half of row i of blocks: (j, i) with j >= i, and half of the diagonal's block. */
static int64_t lower_blocks(const mo_block_matrix *m, int64_t i)
{
    return m->start[i + 1] - m->diagonal[i];
}

/* Columns 3 i + c of the lower half: by symmetry what row i of blocks has at and behind its diagonal. */
static void write_pattern(const mo_block_matrix *m, cholmod_sparse *a)
{
    int *start = a->p, *row = a->i, at = 0;
    for (int64_t i = 0; i < m->rows; ++i) {
        for (int c = 0; c < 3; ++c) {
            start[3 * i + c] = at;
            for (int64_t slot = m->diagonal[i]; slot < m->start[i + 1]; ++slot) {
                for (int r = slot == m->diagonal[i] ? c : 0; r < 3; ++r) {
                    row[at++] = 3 * m->column[slot] + r;
                }
            }
        }
    }
    start[3 * m->rows] = at;
}

/* The graph of the particles, for the order. */
static cholmod_sparse *graph_of(const mo_block_matrix *m, cholmod_common *common)
{
    int64_t count = 0;
    for (int64_t i = 0; i < m->rows; ++i) {
        count += lower_blocks(m, i);
    }
    cholmod_sparse *g = cholmod_allocate_sparse((size_t)m->rows, (size_t)m->rows, (size_t)count, 1, 1, -1,
                                                CHOLMOD_PATTERN, common);
    int *start = g ? g->p : NULL, *row = g ? g->i : NULL, at = 0;
    for (int64_t i = 0; g && i < m->rows; ++i) {
        start[i] = at;
        for (int64_t slot = m->diagonal[i]; slot < m->start[i + 1]; ++slot) {
            row[at++] = m->column[slot];
        }
        start[i + 1] = at;
    }
    return g;
}

/* order[k] is the number that comes as the k-th: METIS's order of the particles, three numbers each. */
static bool order_numbers(const mo_block_matrix *m, int *order, cholmod_common *common)
{
    cholmod_sparse *graph = graph_of(m, common);
    bool done = graph && cholmod_metis(graph, NULL, 0, 1, order, common);
    cholmod_free_sparse(&graph, common);
    for (int64_t k = m->rows - 1; done && k >= 0; --k) {
        int particle = order[k];
        for (int c = 2; c >= 0; --c) {
            order[3 * k + c] = 3 * particle + c;
        }
    }
    return done;
}

static mote_status analyse(state *s, const mo_linear_system *system, mote_error *error)
{
    const mo_block_matrix *m = system->matrix;
    cholmod_common *common = &s->common;
    size_t n = 3 * (size_t)m->rows;
    int64_t count = 0;
    drop_pattern(s);
    for (int64_t i = 0; i < m->rows; ++i) {
        count += 9 * lower_blocks(m, i) - 3;
    }
    if (count > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "cholesky: a matrix of %lld numbers is too large; use cg",
                       (long long)count);
    }
    s->matrix = cholmod_allocate_sparse(n, n, (size_t)count, 1, 1, -1, CHOLMOD_REAL, common);
    int *order = cholmod_malloc(n + 1, sizeof(int), common);
    bool done = s->matrix && order;
    if (done) {
        write_pattern(m, s->matrix);
        memset(s->matrix->x, 0, (size_t)count * sizeof(double));
        done = order_numbers(m, order, common);
    }
    if (done) {
        s->factor = cholmod_analyze_p(s->matrix, order, NULL, 0, common);
    }
    cholmod_free(n + 1, sizeof(int), order, common);
    s->pattern = system->pattern;
    return s->factor ? MOTE_OK : complain(s, error);
}

typedef struct copying {
    const mo_block_matrix *matrix;
    cholmod_sparse *to;
} copying;

/* partial: whether anything changed */
static void copy_range(void *context, int64_t first, int64_t last, double *partial)
{
    const copying *c = context;
    const mo_block_matrix *m = c->matrix;
    const int *start = c->to->p;
    double *to = c->to->x;
    bool changed = false;
    for (int64_t i = first; i < last; ++i) {
        int at = start[3 * i];
        for (int column = 0; column < 3; ++column) {
            for (int64_t slot = m->diagonal[i]; slot < m->start[i + 1]; ++slot) {
                for (int r = slot == m->diagonal[i] ? column : 0; r < 3; ++r, ++at) {
                    double value = m->value[9 * slot + 3 * r + column];
                    changed = changed || value != to[at];
                    to[at] = value;
                }
            }
        }
    }
    *partial = changed;
}

static mote_status factorise(state *s, const mo_linear_system *system, bool *definite, mote_error *error)
{
    copying c = {system->matrix, s->matrix};
    double changed;
    MO_TRY(mo_parallel_reduce(system->pool, system->matrix->rows, MO_MATRIX_GRAIN, MO_MAX, 1, copy_range, &c,
                              &changed, error));
    *definite = true;
    if (changed == 0 && s->factored) {
        return MOTE_OK;
    }
    s->factored = cholmod_factorize(s->matrix, s->factor, &s->common) && s->common.status == CHOLMOD_OK;
    *definite = s->common.status != CHOLMOD_NOT_POSDEF;
    return s->factored || !*definite ? MOTE_OK : complain(s, error);
}

/* x += A^-1 r */
static mote_status correct(state *s, int64_t numbers, double *r, double *x, mote_error *error)
{
    cholmod_dense right = {.nrow = (size_t)numbers,
                           .ncol = 1,
                           .nzmax = (size_t)numbers,
                           .d = (size_t)numbers,
                           .x = r,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_solve2(CHOLMOD_A, s->factor, &right, NULL, &s->solution, NULL, &s->work[0], &s->work[1],
                        &s->common)) {
        return complain(s, error);
    }
    const double *dx = s->solution->x;
    for (int64_t k = 0; k < numbers; ++k) {
        x[k] += dx[k];
    }
    return MOTE_OK;
}

static mote_status solve(void *given, const void *params, const mo_linear_system *system,
                         mo_linear_result *result, mote_error *error)
{
    const cholesky *limits = params;
    state *s = given;
    mo_linear_system now = *system;
    int64_t numbers = 3 * system->matrix->rows;
    double *r, squares[2];
    bool definite;
    MO_TRY(mo_work_vectors(system->memory, &s->vectors, 1, numbers + 1, &r, error));
    if (!s->factor || s->pattern != system->pattern) {
        MO_TRY(analyse(s, system, error));
    }
    MO_TRY(factorise(s, system, &definite, error));
    MO_TRY(mo_linear_residual(&now, r, squares, error));
    double enough = limits->tolerance * limits->tolerance * squares[1];
    for (int turn = 0; definite && turn < 2 && squares[0] > enough; ++turn) {
        MO_TRY(correct(s, numbers, r, system->x, error));
        now.from_zero = false;
        result->iterations++;
        MO_TRY(mo_linear_residual(&now, r, squares, error));
    }
    result->indefinite = !definite;
    result->residual = squares[1] > 0 ? sqrt(squares[0] / squares[1]) : 0;
    result->converged = definite && squares[0] <= enough;
    return MOTE_OK;
}

static mote_status check(const void *params, mote_error *error)
{
    (void)params;
    (void)error;
    return MOTE_OK;
}

#else

static mote_status refuse(mote_error *error)
{
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "cholesky: this library was built without CHOLMOD (Debian: libsuitesparse-dev, "
                   "libopenblas-dev; then build again); allowed here: cg, jacobi, gauss_seidel");
}

static mote_status check(const void *params, mote_error *error)
{
    (void)params;
    return refuse(error);
}

static mote_status open(mo_memory *memory, void **out, mote_error *error)
{
    (void)memory;
    *out = NULL;
    return refuse(error);
}

static void close(void *given, mo_memory *memory)
{
    (void)given;
    (void)memory;
}

static mote_status solve(void *given, const void *params, const mo_linear_system *system,
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
             .summary = "Sparse Cholesky factorisation by CHOLMOD: exact, whatever the stiffness.",
             .citation = "Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam 2008, ACM TOMS 35, article 22",
             .param_size = sizeof(cholesky),
             .params = PARAMS,
             .check = check},
    .open = open,
    .close = close,
    .solve = solve,
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
