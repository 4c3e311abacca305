/*
 * Conjugate gradients with the inverses of the diagonal blocks as preconditioner (M. R. Hestenes, E. Stiefel 1952, J. Res. Nat.
 * Bur. Stand. 49, 409; in the form of Y. Saad, "Iterative Methods for Sparse Linear Systems", 2003, algorithm 9.1). It ends
 * when |r| <= tolerance |b|, or after a fixed number of iterations, which is then no failure.
 *
 * An iteration is three passes: p = z + beta p; q = A p with p.q; x, r, z with r.z and r.r. The product is nearly all of it.
 */
#include "linear/solver/solver.h"
#include "math/wide.h"

#include <string.h>

typedef struct cg {
    double tolerance;
    int64_t iterations;
    bool fixed;
} cg;

static const mo_param PARAMS[] = {
    {"tolerance", MO_REAL, MO_FIELD(cg, tolerance), .initial = "1e-6", .range = "(0, 1)",
     .doc = "It ends when the residual is this part of the right-hand side."},
    {"iterations", MO_INT, MO_FIELD(cg, iterations), .initial = "1000", .range = "[1, 1000000]",
     .doc = "It ends after so many at the latest, with a warning."},
    {"fixed", MO_BOOL, MO_FIELD(cg, fixed), .initial = "false",
     .doc = "Takes exactly `iterations` iterations, whatever the residual, and does not warn: 3 to 5 of them "
            "make a cheap step that damps."},
    {0}};

enum { R, Z, P, Q, VECTORS };

typedef struct state {
    mo_work vectors, inverses;
} state;

typedef struct pass {
    const mo_linear_system *system;
    double *v[VECTORS], *inverse;
    double alpha, beta;
} pass;

static mote_status open(mo_memory *memory, void **out, mote_error *error)
{
    *out = mo_allocate(memory, sizeof(state));
    return *out ? MOTE_OK : mo_fail_memory(error, sizeof(state));
}

static void close(void *given, mo_memory *memory)
{
    state *s = given;
    mo_release(memory, s->vectors.block);
    mo_release(memory, s->inverses.block);
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

/* The first direction is z; what is in p then is of no use, and may be anything. */
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

static mote_status reduce(pass *c, int width, mo_partial_fn *function, double *sums, mote_error *error)
{
    return mo_parallel_reduce(c->system->pool, c->system->matrix->rows, MO_MATRIX_GRAIN, MO_SUM, width,
                              function, c, sums, error);
}

/* One iteration; rz and rr are taken along. */
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

static mote_status solve(void *given, const void *params, const mo_linear_system *system,
                         mo_linear_result *result, mote_error *error)
{
    const cg *limits = params;
    state *s = given;
    pass c = {.system = system};
    int64_t rows = system->matrix->rows;
    double squares[2], sums[2];
    MO_TRY(mo_work_vectors(system->memory, &s->vectors, VECTORS, 3 * rows + 1, c.v, error));
    MO_TRY(mo_work_vectors(system->memory, &s->inverses, 1, 9 * rows + 1, &c.inverse, error));
    mo_linear_invert_diagonal(system, c.inverse);
    MO_TRY(mo_linear_residual(system, c.v[R], squares, error));
    MO_TRY(reduce(&c, 2, start_range, sums, error));
    double rz = sums[0], rr = sums[1], enough = limits->tolerance * limits->tolerance * squares[1];
    while (result->iterations < limits->iterations && rr > (limits->fixed ? 0 : enough)) {
        MO_TRY(iterate(&c, &rz, &rr, &result->indefinite, error));
        if (result->indefinite) {
            break;
        }
        result->iterations++;
    }
    result->residual = squares[1] > 0 ? sqrt(rr / squares[1]) : 0;
    result->converged = !result->indefinite && (limits->fixed || rr <= enough);
    return MOTE_OK;
}

const mo_linear_type mo_linear_cg = {
    .base = {.name = "cg",
             .summary = "Conjugate gradients, preconditioned with the diagonal blocks.",
             .citation = "M. R. Hestenes, E. Stiefel 1952, J. Res. Nat. Bur. Stand. 49, 409",
             .capabilities = MO_LINEAR_MATRIX_FREE | MO_PORTABLE,
             .param_size = sizeof(cg),
             .params = PARAMS},
    .open = open,
    .close = close,
    .solve = solve,
};

mo_method mo_linear_cg_exact(void)
{
    static const cg EXACT = {.tolerance = 1e-12, .iterations = 100000};
    return (mo_method){&mo_linear_cg.base, &EXACT};
}
