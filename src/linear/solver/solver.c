#include "linear/solver/solver.h"

#include "math/wide.h"

#include <math.h>
#include <string.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_linear_type, mo_linear_, name)
#include "linear/solver/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_linear_, name)
#include "linear/solver/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"matrix_free", "bounds", NULL};

const mo_family mo_linear_solvers = {
    .name = "linear_solver",
    .doc = "Solvers of the linear systems of implicit integrators and static solves.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = CAPABILITIES,
};

mote_status mo_linear_open(mo_memory *memory, mo_method method, mo_linear_solver *solver,
                           mote_error *error)
{
    *solver = (mo_linear_solver){(const mo_linear_type *)method.type, method.params, memory, NULL};
    return solver->type->open(memory, &solver->state, error);
}

void mo_linear_close(mo_linear_solver *solver)
{
    if (solver->state) {
        solver->type->close(solver->state, solver->memory);
    }
    *solver = (mo_linear_solver){0};
}

mote_status mo_linear_solve(mo_linear_solver *solver, const mo_linear_system *system,
                            mo_linear_result *result, mote_error *error)
{
    *result = (mo_linear_result){0};
    if (system->lower && !(solver->type->base.capabilities & MO_LINEAR_BOUNDS)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the solver '%s' knows no bounds; those that do: jacobi",
                       solver->type->base.name);
    }
    if (solver->type->many || system->count <= 1) {
        return solver->type->solve(solver->state, solver->params, system, result, error);
    }
    result->converged = true;
    for (int k = 0; k < system->count; ++k) {
        mo_linear_system one = *system;
        mo_linear_result found = {0};
        one.b = system->b + k * system->stride;
        one.x = system->x + k * system->stride;
        one.count = 1;
        MO_TRY(solver->type->solve(solver->state, solver->params, &one, &found, error));
        result->iterations += found.iterations;
        result->residual = fmax(result->residual, found.residual);
        result->converged = result->converged && found.converged;
        result->indefinite = result->indefinite || found.indefinite;
    }
    return MOTE_OK;
}

void mo_linear_apply(const mo_linear_system *system, const double *p, double *y)
{
    if (system->apply) {
        system->apply(system->context, p, y);
    } else {
        mo_block_matrix_multiply(system->matrix, system->pool, p, y);
    }
}

typedef struct leftover {
    const mo_linear_system *system;
    double *r;
} leftover;

static void residual_range(void *context, int64_t first, int64_t last, double *partial)
{
    const leftover *c = context;
    const double *b = c->system->b;
    if (c->system->from_zero) {
        memcpy(c->r + 3 * first, b + 3 * first, (size_t)(last - first) * 3 * sizeof(double));
    } else {
        for (int64_t k = 3 * first; k < 3 * last; ++k) { /* r = A x */
            c->r[k] = b[k] - c->r[k];
        }
    }
    partial[0] = mo_dot_range(c->r, c->r, 3 * first, 3 * last);
    partial[1] = mo_dot_range(b, b, 3 * first, 3 * last);
}

mote_status mo_linear_residual(const mo_linear_system *system, double *r, double squares[2],
                               mote_error *error)
{
    leftover c = {system, r};
    if (!system->from_zero) {
        mo_linear_apply(system, system->x, r);
    }
    return mo_parallel_reduce(system->pool, system->matrix->rows, MO_MATRIX_GRAIN, MO_SUM, 2,
                              residual_range, &c, squares, error);
}

/* Inverse of a symmetric block; a singular or non-finite block gives 0, so that its row does not
 * change. */
static void invert_block(const double *a, double *out)
{
    double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8],
           c2 = a[3] * a[7] - a[4] * a[6];
    double det = a[0] * c0 + a[1] * c1 + a[2] * c2;
    double s = det != 0 ? 1 / det : 0;
    const double inverse[9] = {
        c0 * s, (a[2] * a[7] - a[1] * a[8]) * s, (a[1] * a[5] - a[2] * a[4]) * s,
        c1 * s, (a[0] * a[8] - a[2] * a[6]) * s, (a[2] * a[3] - a[0] * a[5]) * s,
        c2 * s, (a[1] * a[6] - a[0] * a[7]) * s, (a[0] * a[4] - a[1] * a[3]) * s};
    memcpy(out, inverse, sizeof inverse);
}

typedef struct inversion {
    const mo_block_matrix *matrix;
    double *inverse;
} inversion;

static void invert_range(void *context, int64_t first, int64_t last)
{
    const inversion *c = context;
    for (int64_t row = first; row < last; ++row) {
        invert_block(c->matrix->value + 9 * c->matrix->diagonal[row], c->inverse + 9 * row);
    }
}

void mo_linear_invert_diagonal(const mo_linear_system *system, double *inverse)
{
    inversion c = {system->matrix, inverse};
    mo_parallel_for(system->pool, system->matrix->rows, MO_MATRIX_GRAIN, invert_range, &c);
}

void mo_linear_scratch_release(mo_memory *memory, mo_linear_scratch *scratch)
{
    mo_release(memory, scratch->vectors.block);
    mo_release(memory, scratch->inverses.block);
    *scratch = (mo_linear_scratch){0};
}

mote_status mo_linear_begin(const mo_linear_system *system, mo_linear_scratch *scratch, int count,
                            double **vectors, mote_error *error)
{
    int64_t rows = system->matrix->rows;
    MO_TRY(mo_work_vectors(system->memory, &scratch->vectors, count, 3 * rows + 1, vectors, error));
    MO_TRY(mo_work_vectors(system->memory, &scratch->inverses, 1, 9 * rows + 1, &scratch->inverse,
                           error));
    mo_linear_invert_diagonal(system, scratch->inverse);
    return MOTE_OK;
}

double mo_linear_enough(const mo_linear_limits *limits, const double squares[2])
{
    return limits->fixed ? 0 : limits->tolerance * limits->tolerance * squares[1];
}

void mo_linear_finish(const mo_linear_limits *limits, const double squares[2],
                      mo_linear_result *result)
{
    result->residual = squares[1] > 0 ? sqrt(squares[0] / squares[1]) : 0;
    result->converged =
        !result->indefinite && (limits->fixed || squares[0] <= mo_linear_enough(limits, squares));
}
