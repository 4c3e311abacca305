/*
 * Conjugate gradients in single precision, for rounds of refinement: what a product takes is the matrix's way from the memory, and
 * instructions for the rest, and both are halved. A copy of the matrix is made, and of the inverses of its diagonal blocks; a round
 * solves A~ d = r for a residual r in double precision as well as single precision can, and x += d.
 *
 * Matrix and residual are scaled by powers of two to numbers about 1, so that nothing overflows or vanishes, whatever the units.
 *
 * A block's nine numbers lie columns first: eight of them times (p0 p0 p0 p1 p1 p1 p2 p2) and one by itself make a product of few
 * instructions, the same sums with and without AVX2.
 */
#ifndef MO_LINEAR_NARROW_H
#define MO_LINEAR_NARROW_H

#include "linear/block_matrix.h"

enum { MO_NARROW_D, MO_NARROW_R, MO_NARROW_Z, MO_NARROW_P, MO_NARROW_Q, MO_NARROW_VECTORS };

typedef struct mo_narrow {
    mo_pool *pool;
    const mo_block_matrix *matrix; /* for its pattern */
    double scale;                  /* of the copy: value = scale * that of the matrix */
    float *value;                  /* nine a slot */
    float *inverse;                /* nine a row, of the scaled matrix */
    float *v[MO_NARROW_VECTORS];   /* three a row */
    int64_t room;
    float *block;
} mo_narrow;

/* Starts with one that is all 0. `inverse`: nine numbers a row, columns first. */
mote_status mo_narrow_copy(mo_memory *memory, mo_pool *pool, const mo_block_matrix *matrix,
                           const double *inverse, mo_narrow *narrow, mote_error *error);
void mo_narrow_release(mo_memory *memory, mo_narrow *narrow);

/* One round: x += A^-1 r to a residual of `part` of |r|, within `most` iterations, which are counted. It also ends where the copy
   turns out not to be positive definite. */
mote_status mo_narrow_round(mo_narrow *narrow, const double *r, double length, double part, int64_t most,
                            int64_t *iterations, double *x, mote_error *error);

#endif
