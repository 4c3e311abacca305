/* The linear systems of Newton's method for constraints (newton.c). */
#ifndef MO_CONSTRAINT_NEWTON_MATRIX_H
#define MO_CONSTRAINT_NEWTON_MATRIX_H

#include "constraint/solver/term.h"
#include "linear/supernodal.h"

typedef struct mo_newton_matrix {
    mo_memory *memory;
    uint64_t generation; /* of the problem that it belongs to; 0: none */
    double least;        /* compliance of a constraint in the matrix, in mobilities, at least */
    mo_block_pattern pattern;
    mo_block_matrix matrix;
    mo_supernodal factor;
    int64_t set_capacity, slot_capacity, step_capacity, x_capacity, function_capacity[3];
    int64_t *first;   /* set k has the numbers [first[k], first[k + 1]) of arrays by function */
    int64_t *slot_at; /* and its slots begin here */
    int64_t *slot;    /* of a pair of nodes of a constraint: by batch, pair, lane */
    double *step;     /* dx, three components per row */
    double *x;        /* positions before a step, four components per row */
    double *lambda;   /* multipliers before a step */
    double *change;   /* their change */
    double *target;   /* values that C is to have */
} mo_newton_matrix;

mote_status mo_newton_matrix_create(mo_memory *memory, mo_newton_matrix **matrix,
                                    mote_error *error);
void mo_newton_matrix_destroy(mo_newton_matrix *matrix);

/* At the predicted positions of a substep. */
mote_status mo_newton_matrix_begin(mo_newton_matrix *matrix, const mo_constraint_problem *problem,
                                   mote_error *error);

/* `step` and `change` of the linearised equations. */
mote_status mo_newton_matrix_solve(mo_newton_matrix *matrix, const mo_constraint_problem *problem,
                                   mote_error *error);

/* The multipliers of energies after positions have changed, -C/a. */
void mo_newton_matrix_settle(const mo_newton_matrix *matrix, const mo_constraint_problem *problem);

#endif
