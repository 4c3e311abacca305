/*
 * Averaged Jacobi iteration: all constraints are projected from the same positions, and each
 * correction is divided by the largest number of constraints at its rows and multiplied by the
 * relaxation factor. Departs from M. Macklin et al. 2014, section 4.2, who divide by the number at
 * each row, which does not conserve momentum where these numbers differ.
 */
#include "constraint/solver/solver.h"

#include "math/wide.h"

#include <string.h>

enum { GRAIN = 4096 };

typedef struct jacobi {
    double relaxation;
} jacobi;

static const mo_param PARAMS[] = {{"relaxation", MO_REAL, MO_FIELD(jacobi, relaxation),
                                   .initial = "1.5", .range = "(0, 2]",
                                   .doc = "Over-relaxation factor of the averaged corrections."},
                                  {0}};

static void correct_range(void *context, int64_t first, int64_t last)
{
    const mo_constraint_problem *problem = context;
    double *p = problem->p, *change = problem->change;
    for (int64_t row = first; row < last; ++row) {
        mo_d4_store(p + 4 * row, mo_d4_load(p + 4 * row) + mo_d4_load(change + 4 * row));
        mo_d4_store(change + 4 * row, mo_d4_set(0));
    }
}

static mote_status jacobi_solve(const mo_constraint_problem *problem, const void *params,
                                void *state, mote_error *error)
{
    double relaxation = ((const jacobi *)params)->relaxation;
    (void)state, (void)error;
    memset(problem->change, 0, (size_t)(4 * problem->rows) * sizeof(double));
    for (int64_t k = 0; k < problem->iterations; ++k) {
        mo_constraint_problem_sweep(problem, problem->change, relaxation);
        mo_parallel_for(problem->pool, problem->rows, GRAIN, correct_range, (void *)problem);
        mo_constraint_problem_project(problem);
    }
    *problem->used = problem->iterations;
    return MOTE_OK;
}

const mo_constraint_solver_type mo_constraint_solver_jacobi = {
    .base = {.name = "jacobi",
             .summary = "Projects all constraints from the same positions and averages.",
             .citation = "M. Macklin, M. Mueller, N. Chentanez, T.-Y. Kim 2014, ACM Trans. Graph. "
                         "33, 153, section 4.2",
             .departs =
                 "Corrections are divided by the largest number of constraints at the rows of "
                 "a constraint, which conserves momentum.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(jacobi),
             .params = PARAMS},
    .iterations = 2,
    .solve = jacobi_solve,
};
