/*
 * Conjugate gradients in single precision, for rounds of refinement: what a product takes is the
 * matrix's way from the memory, and instructions for the rest, and both are halved. A copy of the
 * matrix is made, and of the inverses of its diagonal blocks; a round solves A~ d = r for a
 * residual r in double precision as well as single precision can, and x += d.
 *
 * Matrix and residual are scaled by powers of two to numbers about 1, so that nothing overflows or
 * vanishes, whatever the units.
 *
 * The matrix is symmetric, and what is halved once more is its storage: rows are cut into blocks,
 * and of a pair of rows in the same block one 3x3 block is kept and used both ways. A pair of rows
 * in different blocks is kept for each, so that a block of rows still writes its own results alone:
 * the same bits on any number of threads. The larger the blocks, the fewer pairs are kept twice. A
 * block's nine numbers lie rows first: a row times the other's vector is summed lane by lane until
 * the end, and a row times a number goes to the other's result, so nothing is spread or added up
 * within a block. Vectors have four numbers a row, the last 0.
 */
#ifndef MO_LINEAR_NARROW_H
#define MO_LINEAR_NARROW_H

#include "linear/block_matrix.h"

enum { MO_NARROW_D, MO_NARROW_R, MO_NARROW_Z, MO_NARROW_P, MO_NARROW_Q, MO_NARROW_VECTORS };

typedef struct mo_narrow {
    mo_memory *memory;
    mo_pool *pool;
    const mo_block_matrix *matrix;
    uint64_t pattern; /* that it is laid out for */
    bool laid_out;
    int64_t rows, grain; /* rows a block */
    /* Row i keeps the places [start[i], start[i + 1]): from `single` on they are for its own result
     * alone, the diagonal first, and before for both rows'. */
    int64_t place_room, row_room, number_room;
    int32_t *start, *single;
    int32_t *column, *source; /* of a place; source: the slot of the matrix */
    double scale;             /* of the copy: value = scale * that of the matrix */
    float *value;             /* nine a place */
    float *inverse;           /* nine a row, of the scaled matrix */
    float *v[MO_NARROW_VECTORS];
    float *numbers;
} mo_narrow;

/* Starts with one that is all 0. `pattern`: another number, another pattern; `inverse`: nine
 * numbers a row. */
mote_status mo_narrow_copy(mo_memory *memory, mo_pool *pool, const mo_block_matrix *matrix,
                           uint64_t pattern, const double *inverse, mo_narrow *narrow,
                           mote_error *error);
void mo_narrow_release(mo_narrow *narrow);

/* One round: x += A^-1 r to a residual of `part` of |r|, which is `length`, within `most`
 * iterations, which are counted. It also ends where the copy turns out not to be positive
 * definite. */
mote_status mo_narrow_round(mo_narrow *narrow, const double *r, double length, double part,
                            int64_t most, int64_t *iterations, double *x, mote_error *error);

#endif
