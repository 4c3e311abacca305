/*
 * Jacobians of pair forces, row by row: the block K of a pair is added off the diagonal and
 * subtracted from it. The pattern has every pair of the list, including those out of range, and is
 * valid as long as the list. Blocks are searched in the matrix, which is cheap relative to a pair.
 * Periodic images of a row refer to the row.
 */
#ifndef MO_PARTICLE_FORCE_PAIR_JACOBIAN_H
#define MO_PARTICLE_FORCE_PAIR_JACOBIAN_H

#include "integrate/force.h"

static inline mote_status mo_pair_couple(const mo_pairs *pairs, mo_memory *memory,
                                         mo_block_pattern *pattern, mote_error *error)
{
    for (int64_t row = 0; row < pairs->rows; ++row) {
        for (int32_t k = 0; k < pairs->count[row]; ++k) {
            int32_t other = mo_pairs_row(pairs, pairs->index[pairs->start[row] + k]);
            if (other > row) {
                MO_TRY(mo_block_pattern_couple(memory, pattern, row, other, error));
            }
        }
    }
    return MOTE_OK;
}

/* K, column-major, to (row, other) and from (row, row). A pair with an image of the row itself
 * is skipped. */
static inline void mo_pair_fill(mo_block_matrix *matrix, int64_t row, int64_t other,
                                const double k[9])
{
    int64_t slot = mo_block_matrix_slot(matrix, row, other);
    double *own = matrix->value + 9 * matrix->diagonal[row];
    for (int n = 0; n < 9 && row != other; ++n) {
        own[n] -= k[n];
        if (slot >= 0) {
            matrix->value[9 * slot + n] += k[n];
        }
    }
}

#endif
