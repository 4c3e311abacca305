/*
 * Conjugate gradients with the inverses of the diagonal blocks as preconditioner (M. R. Hestenes,
 * E. Stiefel 1952, J. Res. Nat. Bur. Stand. 49, 409; in the form of Y. Saad, "Iterative Methods for
 * Sparse Linear Systems", 2003, algorithm 9.1). It stops at |r| <= tolerance |b|, or after a fixed
 * number of iterations, which is not a failure.
 *
 * An iteration is three passes: p = z + beta p; q = A p with p.q; x, r, z with r.z and r.r. The
 * product dominates and is bound by memory bandwidth, so iterations run in single precision
 * (linear/single_cg.h) inside iterative refinement: r = b - A x in double precision, A~ d = r, x +=
 * d, until |r| is small enough (N. J. Higham, "Accuracy and Stability of Numerical Algorithms",
 * 2002, chapter 12). Double precision is used if a round gains less than half a digit (an
 * ill-conditioned matrix), for tolerances of 1e-9 and less, and for few rows.
 */
#include "linear/single_cg.h"
#include "linear/solver/solver.h"
#include "math/wide.h"

#include <math.h>
#include <string.h>

typedef struct cg {
    mo_linear_limits limits;
} cg;

static const mo_param PARAMS[] = {
    MO_LINEAR_LIMITS(cg, "1e-6", "iterations", "", ": 3 to 5 give a cheap, dissipative step"), {0}};

enum { R, Z, P, Q, VECTORS };

/* Residual reduction of a round in single precision; none below EXACT_BELOW. */
static const double ROUND = 1e-5, EXACT_BELOW = 1e-9;

/* Minimum number of rows for single precision; fewer are in the cache, and converge in few
 * iterations. */
enum { WORTH = 512 };

typedef struct state {
    mo_linear_scratch scratch;
    mo_single_cg narrow;
} state;

typedef struct pass {
    const mo_linear_system *system;
    double *v[VECTORS];
    const double *inverse;
    double alpha, beta;
} pass;

static mote_status cg_open(mo_memory *memory, void **out, mote_error *error)
{
    *out = mo_allocate(memory, sizeof(state));
    return *out ? MOTE_OK : mo_fail_memory(error, sizeof(state));
}

static void cg_close(void *given, mo_memory *memory)
{
    state *s = given;
    mo_linear_scratch_release(memory, &s->scratch);
    mo_single_cg_release(&s->narrow);
    mo_release(memory, s);
}

/* z = D^-1 r; partial: r.z, r.r */
static void precondition(const pass *c, int64_t first, int64_t last, double *partial)
{
    double *r = c->v[R], *z = c->v[Z];
    for (int64_t row = first; row < last; ++row) {
        const double *d = c->inverse + 9 * row, *u = r + 3 * row;
        mo_d4 sum = (mo_d4_load(d) * u[0] + mo_d4_load(d + 3) * u[1]) + mo_d4_load(d + 6) * u[2];
        z[3 * row] = sum[0];
        z[3 * row + 1] = sum[1];
        z[3 * row + 2] = sum[2];
    }
    partial[0] = mo_dot_range(r, z, 3 * first, 3 * last);
    partial[1] = mo_dot_range(r, r, 3 * first, 3 * last);
}

static void start_range(void *context, int64_t first, int64_t last, double *partial)
{
    precondition(context, first, last, partial);
}

/* The first direction is z; p is uninitialised then. */
static void direct_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    double *restrict p = c->v[P];
    const double *restrict z = c->v[Z];
    if (c->beta == 0) {
        memcpy(p + 3 * first, z + 3 * first, (size_t)(last - first) * 3 * sizeof *p);
        return;
    }
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        p[k] = z[k] + c->beta * p[k];
    }
}

static void product_range(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    if (!c->system->apply) {
        mo_block_matrix_rows(c->system->matrix, c->v[P], c->v[Q], first, last);
    }
    *partial = mo_dot_range(c->v[P], c->v[Q], 3 * first, 3 * last);
}

static void update_range(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    double *restrict x = c->system->x, *restrict r = c->v[R];
    const double *restrict p = c->v[P], *restrict q = c->v[Q];
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        x[k] += c->alpha * p[k];
        r[k] -= c->alpha * q[k];
    }
    precondition(c, first, last, partial);
}

static mote_status reduce(pass *c, int width, mo_partial_fn *function, double *sums,
                          mote_error *error)
{
    return mo_parallel_reduce(c->system->pool, c->system->matrix->rows, MO_MATRIX_GRAIN, MO_SUM,
                              width, function, c, sums, error);
}

/* One iteration; updates rz and rr. */
static mote_status iterate(pass *c, double *rz, double *rr, bool *indefinite, mote_error *error)
{
    double pq, sums[2];
    mo_parallel_for(c->system->pool, c->system->matrix->rows, MO_MATRIX_GRAIN, direct_range, c);
    if (c->system->apply) {
        c->system->apply(c->system->context, c->v[P], c->v[Q]);
    }
    MO_TRY(reduce(c, 1, product_range, &pq, error));
    if (!(pq > 0)) {
        *indefinite = true;
        return MOTE_OK;
    }
    c->alpha = *rz / pq;
    MO_TRY(reduce(c, 2, update_range, sums, error));
    c->beta = sums[0] / *rz;
    *rz = sums[0];
    *rr = sums[1];
    return MOTE_OK;
}

/* Iterations from the residual in R until its square is `enough`. */
static mote_status iterate_until(pass *c, int64_t most, double enough, double *rr,
                                 mo_linear_result *result, mote_error *error)
{
    double sums[2];
    c->beta = 0;
    MO_TRY(reduce(c, 2, start_range, sums, error));
    while (result->iterations<most && * rr> enough && !result->indefinite) {
        MO_TRY(iterate(c, &sums[0], rr, &result->indefinite, error));
        result->iterations += !result->indefinite;
    }
    return MOTE_OK;
}

/* Rounds in single precision, each from the current residual; squares[0] is that of the last. */
static mote_status refine(state *s, const mo_linear_system *system, double *r,
                          const mo_linear_limits *limits, double squares[2],
                          mo_linear_result *result, mote_error *error)
{
    mo_linear_system now = *system;
    double before = INFINITY, enough = mo_linear_enough(limits, squares);
    now.from_zero = false;
    while (result->iterations < limits->iterations && squares[0] > enough &&
           squares[0] < 0.1 * before) {
        before = squares[0];
        double part = limits->fixed ? 0 : fmax(sqrt(enough / before), ROUND);
        MO_TRY(mo_single_cg_round(&s->narrow, r, sqrt(before), part,
                                  limits->iterations - result->iterations, &result->iterations,
                                  system->x, error));
        MO_TRY(mo_linear_residual(&now, r, squares, error));
    }
    return MOTE_OK;
}

static mote_status cg_solve(void *given, const void *params, const mo_linear_system *system,
                            mo_linear_result *result, mote_error *error)
{
    const mo_linear_limits *limits = &((const cg *)params)->limits;
    state *s = given;
    pass c = {.system = system};
    double squares[2];
    MO_TRY(mo_linear_begin(system, &s->scratch, VECTORS, c.v, error));
    c.inverse = s->scratch.inverse;
    MO_TRY(mo_linear_residual(system, c.v[R], squares, error));
    if (!system->apply && system->matrix->rows >= WORTH && limits->tolerance > EXACT_BELOW) {
        MO_TRY(mo_single_cg_copy(system->memory, system->pool, system->matrix, system->pattern,
                                 c.inverse, &s->narrow, error));
        MO_TRY(refine(s, system, c.v[R], limits, squares, result, error));
    }
    MO_TRY(iterate_until(&c, limits->iterations, mo_linear_enough(limits, squares), &squares[0],
                         result, error));
    mo_linear_finish(limits, squares, result);
    return MOTE_OK;
}

const mo_linear_type mo_linear_cg = {
    .base = {.name = "cg",
             .summary = "Conjugate gradients with a block Jacobi preconditioner.",
             .citation = "M. R. Hestenes, E. Stiefel 1952, J. Res. Nat. Bur. Stand. 49, 409",
             .capabilities = MO_LINEAR_MATRIX_FREE | MO_PORTABLE,
             .param_size = sizeof(cg),
             .params = PARAMS},
    .open = cg_open,
    .close = cg_close,
    .solve = cg_solve,
};

mo_method mo_linear_cg_exact(void)
{
    static const cg EXACT = {{.tolerance = 1e-12, .iterations = 100000}};
    return (mo_method){&mo_linear_cg.base, &EXACT};
}
