/*
 * Conjugate gradients in single precision, for iterative refinement: a product is bound by memory
 * bandwidth and arithmetic, and both are halved. The matrix and the inverses of its diagonal blocks
 * are copied; a round solves A~ d = r to single precision for a residual r in double precision, and
 * x += d.
 *
 * Matrix and residual are scaled by powers of two to about 1, to avoid overflow and underflow in
 * any units.
 *
 * Symmetric storage within blocks of rows: a pair of rows in the same block has one 3x3 block, used
 * in both directions. A pair in different blocks is stored twice, so that a block of rows writes
 * only its own results: bitwise identical on any number of threads. Blocks are row-major, so that
 * sums stay in lanes until the end. Vectors have four components per row, the last 0.
 */
#ifndef MO_LINEAR_SINGLE_CG_H
#define MO_LINEAR_SINGLE_CG_H

#include "linear/block_matrix.h"

enum {
    MO_SINGLE_CG_D,
    MO_SINGLE_CG_R,
    MO_SINGLE_CG_Z,
    MO_SINGLE_CG_P,
    MO_SINGLE_CG_Q,
    MO_SINGLE_CG_VECTORS
};

typedef struct mo_single_cg {
    mo_memory *memory;
    mo_pool *pool;
    const mo_block_matrix *matrix;
    uint64_t pattern; /* of its layout */
    bool laid_out;
    int64_t rows, grain; /* rows per block */
    /* Row i has the entries [start[i], start[i + 1]): from `single` on they contribute to its
     * own result only, the diagonal first; those before contribute to both rows. */
    int64_t block_capacity, row_capacity, number_capacity;
    int32_t *start, *single;
    int32_t *column, *source; /* of an entry; source: the slot of the matrix */
    double scale;             /* of the copy: value = scale * that of the matrix */
    float *value;             /* nine per entry */
    float *inverse;           /* nine per row, of the scaled matrix */
    float *v[MO_SINGLE_CG_VECTORS];
    float *numbers;
} mo_single_cg;

/* Initially all 0. `pattern`: changes with the pattern; `inverse`: nine values per row. */
mote_status mo_single_cg_copy(mo_memory *memory, mo_pool *pool, const mo_block_matrix *matrix,
                              uint64_t pattern, const double *inverse, mo_single_cg *narrow,
                              mote_error *error);
void mo_single_cg_release(mo_single_cg *narrow);

/* One round: x += A^-1 r to a relative residual `part` of |r| = `length`, within `most`
 * iterations, which are counted. Also stops if the copy is not positive definite. */
mote_status mo_single_cg_round(mo_single_cg *narrow, const double *r, double length, double part,
                               int64_t most, int64_t *iterations, double *x, mote_error *error);

#endif
