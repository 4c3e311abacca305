/*
 * The family of solvers of the constraints of a substep: from the predicted positions to those at
 * its end, in a number of iterations. Every iteration ends with the projection of contacts by the
 * owner of the system.
 */
#ifndef MO_CONSTRAINT_SOLVER_H
#define MO_CONSTRAINT_SOLVER_H

#include "constraint/problem.h"

typedef struct mo_constraint_solver_type {
    mo_descriptor base;
    mote_status (*solve)(const mo_constraint_problem *problem, const void *params,
                         mote_error *error);
} mo_constraint_solver_type;

extern const mo_family mo_constraint_solvers;

/* Begins a substep, at the predicted positions: multipliers are zero. */
mote_status mo_constraint_problem_begin(const mo_constraint_problem *problem, mote_error *error);

/* After the velocities v of a substep, three components per row: velocities corrected by sets. */
void mo_constraint_problem_finish(const mo_constraint_problem *problem, double *v);

/* Projects all sets once, colour by colour; groups in place. With `change` the shares of
 * corrections (set.h), times `relaxation`, are added to it, else the corrections to p. */
void mo_constraint_problem_sweep(const mo_constraint_problem *problem, double *change,
                                 double relaxation);

/* The error of an unconverged solve: |C + alpha lambda/h^2| in units of each constraint (a strain,
 * or an angle), its largest value and root mean square over all functions; of pbd |C|. */
typedef struct mo_constraint_residual {
    double most, mean;
} mo_constraint_residual;

mote_status mo_constraint_problem_residual(const mo_constraint_problem *problem,
                                           mo_constraint_residual *residual, mote_error *error);

/* The energy 1/2 C^2/compliance of a set at the positions p; that of rigid constraints is 0. */
mote_status mo_constraint_set_energy(const mo_constraint_set *set, mo_pool *pool, const double *p,
                                     double *energy, mote_error *error);

#endif
