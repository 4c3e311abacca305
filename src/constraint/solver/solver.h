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
    int64_t iterations; /* default of a substep */
    bool needs_base;    /* of the problem, in every substep */
    /* Data that is reused between substeps, and can be computed again; both NULL: none. */
    mote_status (*open)(mo_memory *memory, void **state, mote_error *error);
    void (*close)(void *state);
    mote_status (*solve)(const mo_constraint_problem *problem, const void *params, void *state,
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

/* Records a correction by others in the base, if there is one: sign -1 before it, 1 after it. */
void mo_constraint_problem_record(const mo_constraint_problem *problem, double sign);

/* Groups alone, in place. */
void mo_constraint_problem_sweep_groups(const mo_constraint_problem *problem);

/* Contacts, after each iteration. */
void mo_constraint_problem_project(const mo_constraint_problem *problem);

/* k of project.h, of function f */
double mo_constraint_factor(const mo_constraint_set *set, int f, int64_t iterations);

/* impulse = sum of grad C^T lambda over the sets without groups, four components per row. */
void mo_constraint_problem_impulses(const mo_constraint_problem *problem, double *impulse);

/* The error of an unconverged solve: |C + alpha lambda/h^2| in units of each constraint (a strain,
 * or an angle), its largest value and root mean square over all functions; of pbd |C|. And of the
 * other equation of a substep |M (x - x~) - grad C^T lambda| over |grad C^T lambda|, in the norm of
 * M^-1, with x~ the base; 0 without one. */
typedef struct mo_constraint_residual {
    double most, mean, primal;
} mo_constraint_residual;

mote_status mo_constraint_problem_residual(const mo_constraint_problem *problem,
                                           mo_constraint_residual *residual, mote_error *error);

/* The energy 1/2 C^2/compliance of a set at the positions p; that of rigid constraints is 0. */
mote_status mo_constraint_set_energy(const mo_constraint_set *set, mo_pool *pool, const double *p,
                                     double *energy, mote_error *error);

#endif
