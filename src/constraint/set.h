/*
 * A constraint set: the constraints of one method and one body, coloured so that no two of one
 * colour share a row, which is the order of Gauss-Seidel sweeps: colours and order follow from the
 * mesh alone, and the constraints of a colour are projected in parallel with the same result on any
 * number of threads.
 *
 * Four constraints of one colour form a batch, one per lane; the last batch of a colour may be
 * partial, and its unused lanes repeat the first one. Arrays are by batch, then node (or number or
 * function), then lane.
 */
#ifndef MO_CONSTRAINT_SET_H
#define MO_CONSTRAINT_SET_H

#include "base/pool.h"
#include "constraint/constraint.h"

enum { MO_LANES = 4 };

typedef struct mo_constraint_set {
    const mo_constraint_type *type;
    const void *params;
    mo_memory *memory;
    bool extended; /* xpbd */
    /* pbd: of all iterations of a substep, by function; of a group the first */
    double stiffness[MO_CONSTRAINT_FUNCTIONS_MAX];
    double damping;     /* xpbd: relaxation time [s] */
    int unilateral;     /* sign of the allowed multipliers; 0: both */
    bool definite;      /* second derivatives of energies are projected to be semidefinite */
    void *data;         /* of the method; released with the set */
    double group_scale; /* of a group: unit of the residual */
    double rest;        /* its energy in the rest shape, if that is not zero [J] */

    /* while constraints are added: one after the other */
    int64_t count, row_capacity, number_capacity, compliance_capacity, scale_capacity,
        index_capacity;
    int64_t first; /* first row of the body */

    int32_t *rows;      /* nodes */
    double *numbers;    /* constants */
    double *compliance; /* of each function */
    double *scale;      /* unit of the residual: rest length, area, ... */
    /* in the order of the mesh, before rows were removed; their number, at least */
    int64_t *index;
    int64_t indices;

    /* after mo_constraint_set_finish */
    int64_t batches;
    uint8_t *lanes; /* used lanes of a batch */
    double *lambda; /* multipliers of the substep, by function */
    double *share;  /* 1/the largest number of constraints at a node, of all sets */
    int64_t colors; /* colour c has the batches [color[c], color[c + 1]) */
    int64_t *color;
} mo_constraint_set;

void mo_constraint_set_init(mo_constraint_set *set, const mo_constraint_type *type,
                            const void *params, bool extended, int64_t first, mo_memory *memory);
void mo_constraint_set_release(mo_constraint_set *set);

/* Adds a constraint on nodes of the body, with a compliance for each function. */
mote_status mo_constraint_set_add(mo_constraint_set *set, const int32_t *nodes,
                                  const double *numbers, const double *compliance, double scale,
                                  mote_error *error);

/* Colours the constraints and packs them into batches; `rows` is the number of all rows. */
mote_status mo_constraint_set_finish(mo_constraint_set *set, int64_t rows, mote_error *error);

/* Counts the constraints of all sets at each row, for Jacobi iterations. */
mote_status mo_constraint_sets_share(mo_constraint_set *sets, int64_t count, int64_t rows,
                                     mote_error *error);

/* The set of the remaining rows: map[old row] is the new row or -1. Its order depends on the mesh
 * and on the remaining rows alone, not on the order of removals. */
mote_status mo_constraint_set_remap(const mo_constraint_set *set, const int64_t *map, int64_t rows,
                                    mo_constraint_set *to, mote_error *error);

/* Constants of a batch, and its rows of one node. */
static inline const double *mo_constraint_numbers(const mo_constraint_set *set, int64_t batch)
{
    return set->numbers + batch * set->type->numbers * MO_LANES;
}

static inline const int32_t *mo_constraint_rows(const mo_constraint_set *set, int64_t batch)
{
    return set->rows + batch * set->type->nodes * MO_LANES;
}

static inline const mo_constraint_common *mo_constraint_common_of(const mo_constraint_set *set)
{
    return set->params;
}

/* The compliance of the parameters, with the default 0. */
double mo_constraint_compliance(const mo_constraint_set *set);

#endif
