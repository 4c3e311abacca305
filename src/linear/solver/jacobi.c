/*
 * Damped Jacobi iteration with the diagonal blocks, x += omega D^-1 (b - A x). It converges if omega times the largest
 * eigenvalue of D^-1 A is below 2; matrices of springs and elements have up to about 2 to 4 there, hence the usual omega. Y. Saad 2003,
 * section 4.1. For large matrices it takes far more iterations than cg; it is here to be compared, and for what wants
 * every row treated alike.
 */
#include "linear/solver/solver.h"
#include "math/wide.h"

typedef struct jacobi {
    double omega, tolerance;
    int64_t iterations;
    bool fixed;
} jacobi;

static const mo_param PARAMS[] = {
    {"omega", MO_REAL, MO_FIELD(jacobi, omega), .initial = "0.5", .range = "(0, 2)",
     .doc = "How much of the correction is applied; too much does not converge."},
    {"tolerance", MO_REAL, MO_FIELD(jacobi, tolerance), .initial = "1e-4", .range = "(0, 1)",
     .doc = "It ends when the residual is this part of the right-hand side."},
    {"iterations", MO_INT, MO_FIELD(jacobi, iterations), .initial = "1000", .range = "[1, 1000000]",
     .doc = "It ends after so many at the latest, with a warning."},
    {"fixed", MO_BOOL, MO_FIELD(jacobi, fixed), .initial = "false",
     .doc = "Takes exactly `iterations` iterations, whatever the residual, and does not warn."},
    {0}};

typedef struct state {
    mo_work vectors, inverses;
} state;

typedef struct pass {
    const mo_linear_system *system;
    double *r, *inverse, omega;
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

static void correct_range(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    double *x = c->system->x;
    for (int64_t row = first; row < last; ++row) {
        const double *d = c->inverse + 9 * row, *r = c->r + 3 * row;
        mo_d4 sum = (mo_d4_load(d) * r[0] + mo_d4_load(d + 3) * r[1]) + mo_d4_load(d + 6) * r[2];
        for (int k = 0; k < 3; ++k) {
            x[3 * row + k] += c->omega * sum[k];
        }
    }
}

static mote_status solve(void *given, const void *params, const mo_linear_system *system,
                         mo_linear_result *result, mote_error *error)
{
    const jacobi *limits = params;
    state *s = given;
    pass c = {.system = system, .omega = limits->omega};
    mo_linear_system now = *system;
    int64_t rows = system->matrix->rows;
    double squares[2], enough;
    MO_TRY(mo_work_vectors(system->memory, &s->vectors, 1, 3 * rows + 1, &c.r, error));
    MO_TRY(mo_work_vectors(system->memory, &s->inverses, 1, 9 * rows + 1, &c.inverse, error));
    mo_linear_invert_diagonal(system, c.inverse);
    for (;;) {
        MO_TRY(mo_linear_residual(&now, c.r, squares, error));
        enough = limits->fixed ? 0 : limits->tolerance * limits->tolerance * squares[1];
        bool diverges = !(squares[0] < 1e20 * squares[1]);
        if (squares[0] <= enough || result->iterations == limits->iterations || diverges) {
            break;
        }
        mo_parallel_for(system->pool, rows, MO_MATRIX_GRAIN, correct_range, &c);
        now.from_zero = false;
        result->iterations++;
    }
    result->residual = squares[1] > 0 ? sqrt(squares[0] / squares[1]) : 0;
    result->converged = limits->fixed || squares[0] <= enough;
    return MOTE_OK;
}

const mo_linear_type mo_linear_jacobi = {
    .base = {.name = "jacobi",
             .summary = "Damped Jacobi iteration with the diagonal blocks.",
             .citation = "Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, section 4.1",
             .capabilities = MO_LINEAR_MATRIX_FREE | MO_PORTABLE,
             .param_size = sizeof(jacobi),
             .params = PARAMS},
    .open = open,
    .close = close,
    .solve = solve,
};
