/*
 * Damped Jacobi iteration, x += omega D^-1 (b - A x), D the diagonal blocks (Y. Saad 2003, section
 * 4.1.1, block Jacobi) or with `scalar` the diagonal elements (eq. 4.4). It converges if omega
 * times the largest eigenvalue of D^-1 A is below 2; matrices of springs and elements have up to
 * about 2 to 4 there, hence the default omega. For large matrices it takes far more iterations than
 * cg; it serves for comparison, and for systems with bounds: every sweep ends with x clamped to
 * them, which converges to the minimum within the bounds (projected Jacobi, O. Mangasarian 1977, J.
 * Optim. Theory Appl. 22, 465) where D is diagonal: with bounds it is the diagonal elements in any
 * case.
 */
#include "linear/solver/solver.h"
#include "math/wide.h"

typedef struct jacobi {
    double omega;
    bool scalar;
    mo_linear_limits limits;
} jacobi;

static const mo_param PARAMS[] = {
    {"omega", MO_REAL, MO_FIELD(jacobi, omega), .initial = "0.5", .range = "(0, 2)",
     .doc = "Relaxation factor; too large a factor does not converge."},
    {"scalar", MO_BOOL, MO_FIELD(jacobi, scalar), .initial = "false",
     .doc = "Divide by the diagonal elements instead of solving with the 3x3 diagonal blocks."},
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

/* The diagonal elements alone; a zero element leaves its component unchanged. */
static void take_elements(void *context, int64_t first, int64_t last)
{
    const pass *c = context;
    const mo_block_matrix *m = c->system->matrix;
    for (int64_t k = 9 * first; k < 9 * last; ++k) {
        double a = m->value[9 * m->diagonal[k / 9] + k % 9];
        c->inverse[k] = k % 9 % 4 == 0 && a != 0 ? 1 / a : 0;
    }
}

static void clamp_range(void *context, int64_t first, int64_t last)
{
    const mo_linear_system *s = ((const pass *)context)->system;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        s->x[k] = s->x[k] < s->lower[k] ? s->lower[k] : s->x[k];
        s->x[k] = s->x[k] > s->upper[k] ? s->upper[k] : s->x[k];
    }
}

/* The squared residual without components blocked by an active bound. */
static void free_range(void *context, int64_t first, int64_t last, double *partial)
{
    const pass *c = context;
    const mo_linear_system *s = c->system;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        bool pressed =
            (s->x[k] <= s->lower[k] && c->r[k] < 0) || (s->x[k] >= s->upper[k] && c->r[k] > 0);
        c->r[k] = pressed ? 0 : c->r[k];
    }
    *partial = mo_dot_range(c->r, c->r, 3 * first, 3 * last);
}

static mote_status find_residual(const mo_linear_system *now, pass *c, double squares[2],
                                 mote_error *error)
{
    MO_TRY(mo_linear_residual(now, c->r, squares, error));
    return now->lower ? mo_parallel_reduce(now->pool, now->matrix->rows, MO_MATRIX_GRAIN, MO_SUM, 1,
                                           free_range, c, squares, error)
                      : MOTE_OK;
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
    int64_t rows = system->matrix->rows;
    if (own->scalar || system->lower) {
        mo_parallel_for(system->pool, rows, MO_MATRIX_GRAIN, take_elements, &c);
    }
    if (system->lower) {
        mo_parallel_for(system->pool, rows, MO_MATRIX_GRAIN, clamp_range, &c);
        now.from_zero = false; /* 0 may be out of bounds */
    }
    for (;;) {
        MO_TRY(find_residual(&now, &c, squares, error));
        bool diverges = !(squares[0] < 1e20 * squares[1]);
        if (squares[0] <= mo_linear_enough(&own->limits, squares) ||
            result->iterations == own->limits.iterations || diverges) {
            break;
        }
        mo_parallel_for(system->pool, rows, MO_MATRIX_GRAIN, correct_range, &c);
        if (system->lower) {
            mo_parallel_for(system->pool, rows, MO_MATRIX_GRAIN, clamp_range, &c);
        }
        now.from_zero = false;
        result->iterations++;
    }
    mo_linear_finish(&own->limits, squares, result);
    return MOTE_OK;
}

const mo_linear_type mo_linear_jacobi = {
    .base = {.name = "jacobi",
             .summary = "Damped Jacobi iteration with the diagonal blocks or elements.",
             .citation = "Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, section 4.1",
             .capabilities = MO_LINEAR_MATRIX_FREE | MO_LINEAR_BOUNDS | MO_PORTABLE,
             .param_size = sizeof(jacobi),
             .params = PARAMS},
    .open = jacobi_open,
    .close = jacobi_close,
    .solve = jacobi_solve,
};
