/*
 * Damped Jacobi iteration with the diagonal blocks, x += omega D^-1 (b - A x). It converges if
 * omega times the largest eigenvalue of D^-1 A is below 2; matrices of springs and elements have
 * about 2 to 4, hence the default omega. Y. Saad 2003, section 4.1. It needs far more iterations
 * than cg; for comparison.
 */
#include "linear/solver/solver.h"
#include "math/wide.h"

typedef struct jacobi {
    double omega;
    mo_linear_limits limits;
} jacobi;

static const mo_param PARAMS[] = {
    {"omega", MO_REAL, MO_FIELD(jacobi, omega), .initial = "0.5", .range = "(0, 2)",
     .doc = "Relaxation factor; too large a factor does not converge."},
    MO_LINEAR_LIMITS(jacobi, "1e-4", "iterations", "", ""),
    {0}};

typedef struct pass {
    const mo_linear_system *system;
    double *r, *inverse, omega;
} pass;

static mote_status jacobi_open(mo_memory *memory, void **out, mote_error *error)
{
    *out = mo_allocate(memory, sizeof(mo_linear_scratch));
    return *out ? MOTE_OK : mo_fail_memory(error, sizeof(mo_linear_scratch));
}

static void jacobi_close(void *given, mo_memory *memory)
{
    mo_linear_scratch_release(memory, given);
    mo_release(memory, given);
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

static mote_status jacobi_solve(void *given, const void *params, const mo_linear_system *system,
                                mo_linear_result *result, mote_error *error)
{
    const jacobi *own = params;
    mo_linear_scratch *scratch = given;
    pass c = {.system = system, .omega = own->omega};
    mo_linear_system now = *system;
    double squares[2];
    MO_TRY(mo_linear_begin(system, scratch, 1, &c.r, error));
    c.inverse = scratch->inverse;
    for (;;) {
        MO_TRY(mo_linear_residual(&now, c.r, squares, error));
        bool diverges = !(squares[0] < 1e20 * squares[1]);
        if (squares[0] <= mo_linear_enough(&own->limits, squares) ||
            result->iterations == own->limits.iterations || diverges) {
            break;
        }
        mo_parallel_for(system->pool, system->matrix->rows, MO_MATRIX_GRAIN, correct_range, &c);
        now.from_zero = false;
        result->iterations++;
    }
    mo_linear_finish(&own->limits, squares, result);
    return MOTE_OK;
}

const mo_linear_type mo_linear_jacobi = {
    .base = {.name = "jacobi",
             .summary = "Damped block Jacobi iteration.",
             .citation = "Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, section 4.1",
             .capabilities = MO_LINEAR_MATRIX_FREE | MO_PORTABLE,
             .param_size = sizeof(jacobi),
             .params = PARAMS},
    .open = jacobi_open,
    .close = jacobi_close,
    .solve = jacobi_solve,
};
