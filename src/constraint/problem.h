/* The constraints of a substep, for solvers and for sets that depend on all rows. */
#ifndef MO_CONSTRAINT_PROBLEM_H
#define MO_CONSTRAINT_PROBLEM_H

#include "base/pool.h"
#include "constraint/set.h"

/* One substep. Positions have four components per row, the last is the inverse mass. */
typedef struct mo_constraint_problem {
    mo_pool *pool;
    int64_t rows, set_count;
    mo_constraint_set *sets;
    uint64_t generation; /* changes with the rows and sets */
    double *p;           /* the predicted positions, and the result */
    const double *start; /* at the start of the substep */
    double *change;      /* work of solvers */
    /* The predicted positions, moved by all corrections of groups and contacts, so that p - base is
     * due to the multipliers of the other sets; NULL: not recorded. */
    double *base;
    double h;
    int64_t iterations;
    int64_t *used;                     /* receives the iterations of the solve */
    bool *replaced;                    /* set if sweeps had to replace the method of the solver */
    mo_colliders *colliders;           /* at the poses of the end of the substep */
    struct mo_attached_bodies *bodies; /* rigid ones, see attached_body.h */
    /* After each iteration: contacts. */
    void (*project)(void *context);
    void *context;
} mo_constraint_problem;

#endif
