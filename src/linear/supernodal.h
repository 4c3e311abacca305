/*
 * Sparse Cholesky factorisation A = L L^T of matrices of 3x3 blocks, by supernodes.
 *
 * The order of the rows and the structure of L are found in the graph of particles, which has a
 * ninth of the matrix's entries: nested dissection by METIS, and CHOLMOD's symbolic analysis (Y.
 * Chen, T. A. Davis, W. W. Hager, S. Rajamanickam 2008, ACM Trans. Math. Softw. 35, article 22).
 * Columns with the same rows below them make a supernode, which is stored densely, in panels
 * (panel.h). The analysis is kept while the pattern stays.
 *
 * The numbers are found from left to right (E. G. Ng, B. W. Peyton 1993, SIAM J. Sci. Comput. 14,
 * 1034): a supernode starts as A's columns, each supernode to its left that has rows in it
 * subtracts its product, tile by tile, and then it is factored as a dense matrix. A multifrontal
 * method would add every product to its parent's again and again, and needs a stack. Who updates
 * whom, and where a row of the one is in the other, is part of the analysis, so the numeric phase
 * searches nothing.
 *
 * Same bits: the tree of supernodes is cut into subtrees by its work alone, which run side by side;
 * the few above them run one after the other, each cut into blocks of its rows. Every number of L
 * is summed by one thread in an order that nothing changes.
 */
#ifndef MO_LINEAR_SUPERNODAL_H
#define MO_LINEAR_SUPERNODAL_H

#include "linear/block_matrix.h"

/* The rows [first, last) of supernode `from` are columns of another, which it updates by its rows
 * from `first` on; these are the rows relative[0], relative[1], ... of the other. */
typedef struct mo_supernodal_update {
    int32_t from, first, last;
    int64_t relative;
} mo_supernodal_update;

/* Rows and columns are those of particles, in the order of elimination, but where numbers are
 * spoken of. */
typedef struct mo_supernodal {
    mo_memory *memory;
    int64_t rows;
    int32_t *order, *place; /* order[k]: whose row comes as the k-th; place: the other way round */
    int32_t count;          /* supernodes */
    int32_t *column;        /* supernode s has the columns [column[s], column[s + 1]) */
    int64_t *
        /* ... and the rows index[index_start[s]] to index_start[s + 1], its columns first */
        index_start;
    int32_t *index;        /* ascending */
    int64_t *value_start;  /* ... and its first panel at value[value_start[s]] */
    int64_t *update_start; /* ... and the updates [update_start[s], update_start[s + 1]) */
    mo_supernodal_update *update;
    int32_t *relative;
    int64_t *target;    /* where the block of a slot of A begins; -1: it is above the diagonal */
    int32_t task_count; /* subtrees: the supernodes [task[2 k], task[2 k + 1]) */
    int32_t *task;
    int32_t top_count; /* and those above them, ascending */
    int32_t *top;
    double *value;
    double *scratch; /* a vector of four right-hand sides */
    double work;     /* multiplications of a factorisation */
} mo_supernodal;

/* Starts with one that is all 0, or goes over what was there. */
mote_status mo_supernodal_analyse(mo_memory *memory, const mo_block_matrix *matrix,
                                  mo_supernodal *factor, mote_error *error);
void mo_supernodal_release(mo_supernodal *factor);

/* L of the matrix, which has the pattern of the analysis. If it is not positive definite, or so
 * little that nothing but rounding is left of a pivot, *failed is the number (3 * row + component)
 * of such a column; else it is -1. */
mote_status mo_supernodal_factorise(mo_supernodal *factor, const mo_block_matrix *matrix,
                                    mo_pool *pool, int64_t *failed, mote_error *error);

/* x_k := A^-1 x_k for `count` vectors, `stride` apart. */
void mo_supernodal_solve(const mo_supernodal *factor, double *x, int count, int64_t stride);

static inline int64_t mo_supernodal_columns(const mo_supernodal *f, int32_t s)
{
    return f->column[s + 1] - f->column[s];
}

static inline int64_t mo_supernodal_rows(const mo_supernodal *f, int32_t s)
{
    return f->index_start[s + 1] - f->index_start[s];
}

#endif
