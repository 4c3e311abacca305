/*
 * Sparse matrices of 3x3 blocks with a fixed pattern, for systems of particles: one block row per
 * particle, one block for each coupled pair of rows, and the diagonal.
 *
 * All blocks are stored, also where the matrix is symmetric: a row's owner fills and multiplies its
 * row alone, so no two threads write the same memory and results are bitwise identical on any
 * number of threads. Symmetric storage would halve the bandwidth where the matrix exceeds the
 * cache, but scatters into other rows. A block is stored column-major and unpadded: three loads of
 * four values (the fourth belongs to the next column and is ignored); padding to twelve would cost
 * a third more memory.
 *
 * The pattern is collected as pairs (block_pattern.h).
 */
#ifndef MO_LINEAR_BLOCK_MATRIX_H
#define MO_LINEAR_BLOCK_MATRIX_H

#include "base/pool.h"
#include "linear/block_pattern.h"
#include "math/wide.h"

/* Rows per block of parallel work on vectors and products. */
enum { MO_MATRIX_GRAIN = 512 };

typedef struct mo_block_matrix {
    int64_t rows, blocks;
    int64_t *start;    /* row i has the slots [start[i], start[i + 1]) */
    int32_t *column;   /* of a slot; ascending in a row */
    int64_t *diagonal; /* slot of (i, i) */
    /* nine per slot, column-major: value[9 * slot + 3 * c + r]; one value of padding at the end */
    double *value;
    int64_t row_capacity, slot_capacity;
} mo_block_matrix;

/* Lays out a zero matrix, reusing its memory; `matrix` is initially all 0. */
mote_status mo_block_matrix_build(mo_memory *memory, const mo_block_pattern *pattern,
                                  mo_block_matrix *matrix, mote_error *error);
void mo_block_matrix_release(mo_memory *memory, mo_block_matrix *matrix);

/* The slot of block (i, j); -1 if it is not in the pattern. */
int64_t mo_block_matrix_slot(const mo_block_matrix *matrix, int64_t i, int64_t j);

/* (A p)_i, in ascending slots; the fourth lane is ignored. Three independent sums, one per block
 * column, hide the latency of additions. */
MO_INLINE mo_d4 mo_block_matrix_row(const mo_block_matrix *matrix, const double *p, int64_t i)
{
    mo_d4 a = mo_d4_set(0), b = a, c = a;
    for (int64_t slot = matrix->start[i]; slot < matrix->start[i + 1]; ++slot) {
        const double *block = matrix->value + 9 * slot, *q = p + 3 * (int64_t)matrix->column[slot];
        a += mo_d4_load(block) * q[0];
        b += mo_d4_load(block + 3) * q[1];
        c += mo_d4_load(block + 6) * q[2];
    }
    return (a + b) + c;
}

/* y = A p of the rows [first, last). */
void mo_block_matrix_rows(const mo_block_matrix *matrix, const double *p, double *y, int64_t first,
                          int64_t last);
void mo_block_matrix_multiply(const mo_block_matrix *matrix, mo_pool *pool, const double *p,
                              double *y);

#endif
