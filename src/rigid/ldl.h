/*
 * Sparse factorisation A = L D L^T of symmetric positive definite matrices of 6 x 6 blocks, a block
 * row for each body of an island.
 *
 * The elimination order is a breadth-first search from the first body, reversed: bodies connected
 * as a tree, chains and stacks among them, have no fill. METIS and the supernodal factorisation of
 * linear/ were rejected: islands have tens of bodies, change from step to step, and are factored
 * several times a step.
 */
#ifndef MO_RIGID_LDL_H
#define MO_RIGID_LDL_H

#include "base/memory.h"

enum { MO_LDL = 6, MO_LDL_BLOCK = MO_LDL * MO_LDL };

/* Block rows and columns are positions in the elimination order. */
typedef struct mo_rigid_ldl {
    int32_t count;
    int32_t *inverse_order; /* of a body */
    int64_t *start;   /* column k has the blocks [start[k], start[k + 1]) below the diagonal */
    int32_t *row;     /* of a block; ascending in a column */
    double *diagonal; /* a block a column: A, then D^-1 */
    double *value;    /* blocks below the diagonal: A, then L; row-major */
    int64_t work;     /* products of blocks in a factorisation */
} mo_rigid_ldl;

/* Memory of the analyses of a step: lists of integers at stable offsets. */
typedef struct mo_rigid_pattern {
    mo_memory *memory;
    int32_t *scratch; /* adjacency, order, marks */
    int64_t scratch_capacity;
    int32_t *row;
    int64_t row_capacity, rows;
} mo_rigid_pattern;

void mo_rigid_pattern_release(mo_rigid_pattern *pattern);

/* Order and pattern of a graph of `count` bodies and `edges` pairs of them. inverse_order[count]
 * and start[count + 1] are written; the rows of the pattern are appended to pattern->row from
 * start[0] on. *work: products of blocks in a factorisation; beyond `most` the analysis ends early
 * and the pattern is not to be used. */
mote_status mo_rigid_ldl_analyse(mo_rigid_pattern *pattern, int32_t count, const int32_t *pair,
                                 int64_t edges, int64_t most, int32_t *inverse_order,
                                 int64_t *start, int64_t *work, mote_error *error);

/* The block of two bodies, and whether it is the transposed one: its rows belong to the body that
 * is eliminated later. */
int64_t mo_rigid_ldl_find(const mo_rigid_ldl *ldl, int32_t first, int32_t second, bool *transposed);

/* Replaces A by L and D^-1. */
void mo_rigid_ldl_factorise(mo_rigid_ldl *ldl);

/* x := A^-1 x; six components per body, in the order of bodies. `work` has the same size. */
void mo_rigid_ldl_solve(const mo_rigid_ldl *ldl, double *x, double *work);

#endif
