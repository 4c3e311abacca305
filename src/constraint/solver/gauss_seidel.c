/*
 * Nonlinear Gauss-Seidel: constraints are projected one after the other, each at the positions that
 * its predecessors have corrected. The order is by set, then by colour (constraint/set.h), so that
 * constraints of one colour run in parallel.
 */
#include "constraint/solver/solver.h"

static const mo_param PARAMS[] = {{0}};

static mote_status gauss_seidel_solve(const mo_constraint_problem *problem, const void *params,
                                      void *state, mote_error *error)
{
    (void)params, (void)state, (void)error;
    for (int64_t k = 0; k < problem->iterations; ++k) {
        mo_constraint_problem_sweep(problem, NULL, 1);
        mo_constraint_problem_project(problem);
    }
    *problem->used = problem->iterations;
    return MOTE_OK;
}

const mo_constraint_solver_type mo_constraint_solver_gauss_seidel = {
    .base = {.name = "gauss_seidel",
             .summary = "Projects constraints one after the other, colour by colour.",
             .citation = "M. Mueller et al. 2007, J. Vis. Commun. Image Represent. 18, 109, "
                         "section 3.2",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    .iterations = 2,
    .solve = gauss_seidel_solve,
};
