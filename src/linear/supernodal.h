/*
 * Sparse Cholesky factorisation A = L L^T by supernodes, of matrices of 3x3 blocks, and of scalar
 * matrices whose pattern is that of a block matrix.
 *
 * Ordering and symbolic factorisation use the graph of particles, which has a ninth of the matrix's
 * entries: nested dissection by METIS, and CHOLMOD's symbolic analysis (Y. Chen, T. A. Davis, W. W.
 * Hager, S. Rajamanickam 2008, ACM Trans. Math. Softw. 35, article 22). Columns with the same
 * structure form a supernode, stored densely in panels (panel.h). The analysis is reused while the
 * pattern stays.
 *
 * The numeric phase is left-looking (E. G. Ng, B. W. Peyton 1993, SIAM J. Sci. Comput. 14, 1034): a
 * supernode is assembled from A's columns, each descendant with rows in it subtracts its product,
 * tile by tile, and then it is factored as a dense matrix. A multifrontal method would repeatedly
 * add every update matrix to its parent and needs a stack. The update lists and relative indices
 * are part of the analysis.
 *
 * Reproducibility: the elimination tree is divided into subtrees by work alone, which run in
 * parallel; the supernodes above run in sequence, each divided into blocks of rows. Every entry of
 * L is summed by one thread in a fixed order.
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

/* Rows and columns are those of particles in elimination order, unless scalar rows are stated. A
 * particle has `width` scalar rows. */
typedef struct mo_supernodal {
    mo_memory *memory;
    int64_t rows;
    int width; /* 3, or 1 */
    int32_t *order,
        *inverse_order; /* order[k]: the k-th eliminated row; inverse_order: the inverse permutation */
    int32_t count;      /* supernodes */
    int32_t *column;    /* supernode s has the columns [column[s], column[s + 1]) */
    /* ... and the rows index[index_start[s]] to index_start[s + 1], its columns first */
    int64_t *index_start;
    int32_t *index;        /* ascending */
    int64_t *value_start;  /* ... and its first panel at value[value_start[s]] */
    int64_t *update_start; /* ... and the updates [update_start[s], update_start[s + 1]) */
    mo_supernodal_update *update;
    int32_t *relative;
    int64_t *target;    /* start of the block of a slot of A; -1: above the diagonal */
    int32_t task_count; /* subtrees: the supernodes [task[2 k], task[2 k + 1]) */
    int32_t *task;
    int32_t top_count; /* and those above them, ascending */
    int32_t *top;
    double *value;
    double *scratch; /* a vector of four right-hand sides */
    double work;     /* multiplications of a factorisation */
} mo_supernodal;

/* `factor` is initially all 0, or reused. */
mote_status mo_supernodal_analyse(mo_memory *memory, const mo_block_matrix *matrix,
                                  mo_supernodal *factor, mote_error *error);
/* The same for a scalar matrix with one value per slot; of `pattern` no value is used. */
mote_status mo_supernodal_analyse_scalar(mo_memory *memory, const mo_block_matrix *pattern,
                                         mo_supernodal *factor, mote_error *error);
void mo_supernodal_release(mo_supernodal *factor);

/* L of the matrix, which has the pattern of the analysis. If it is not positive definite to
 * rounding, *failed is the index (3 * row + component) of the column; else -1. */
mote_status mo_supernodal_factorise(mo_supernodal *factor, const mo_block_matrix *matrix,
                                    mo_pool *pool, int64_t *failed, mote_error *error);

/* L of a scalar matrix with the values `value`, one per slot of the pattern. */
mote_status mo_supernodal_factorise_scalar(mo_supernodal *factor, const mo_block_matrix *pattern,
                                           const double *value, mo_pool *pool, int64_t *failed,
                                           mote_error *error);

/* x_k := A^-1 x_k for `count` vectors, `stride` apart. */
void mo_supernodal_solve(const mo_supernodal *factor, double *x, int count, int64_t stride);

/* x := A^-1 x of a scalar matrix for the three components of x, three per row. */
void mo_supernodal_solve_components(const mo_supernodal *factor, double *x);

static inline int64_t mo_supernodal_columns(const mo_supernodal *f, int32_t s)
{
    return f->column[s + 1] - f->column[s];
}

/* Scalar columns as stored: a multiple of three, since panels are updated three columns at once. */
static inline int64_t mo_supernodal_stored(const mo_supernodal *f, int32_t s)
{
    return (f->width * mo_supernodal_columns(f, s) + 2) / 3 * 3;
}

static inline int64_t mo_supernodal_rows(const mo_supernodal *f, int32_t s)
{
    return f->index_start[s + 1] - f->index_start[s];
}

#endif
