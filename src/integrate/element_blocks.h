/*
 * Elements (springs, triangles, tetrahedra) sorted by the blocks of rows that need them.
 *
 * Owner computes (see force.h): a block of rows evaluates every element with a node in it and adds
 * the forces on its own nodes. An element across k blocks is evaluated k times. For meshes with
 * ordered nodes that is a few per cent more arithmetic, in exchange for streaming access, no write
 * conflicts and results that do not depend on threads.
 */
#ifndef MO_INTEGRATE_ELEMENT_BLOCKS_H
#define MO_INTEGRATE_ELEMENT_BLOCKS_H

#include "base/memory.h"
#include "linear/block_matrix.h"

typedef struct mo_element_blocks {
    int64_t block_count;
    int64_t *start;   /* block b owns entries [start[b], start[b + 1]) */
    int64_t *element; /* of an entry; ascending within a block */
} mo_element_blocks;

/* node[width * e + k] is the k-th node of element e; rows are divided into blocks of `grain`. */
mote_status mo_element_blocks_build(mo_memory *memory, int64_t elements, int width,
                                    const int32_t *node, int64_t rows, int64_t grain,
                                    mo_element_blocks *blocks, mote_error *error);
void mo_element_blocks_release(mo_memory *memory, mo_element_blocks *blocks);

/* Matrix slots of element Jacobians: slot[(entry * width + k) * width + j] is that of the block
 * (node k, node j) of an entry's element. -1: node k belongs to another block, or the matrix has no
 * such block. *slot is grown, *capacity counts entries. */
mote_status mo_element_blocks_find_slots(mo_memory *memory, const mo_element_blocks *blocks,
                                         int width, const int32_t *node, int64_t grain,
                                         const mo_block_matrix *matrix, int32_t **slot,
                                         int64_t *capacity, mote_error *error);
/* Adds every pair of nodes of every element to the pattern. */
mote_status mo_element_blocks_couple(mo_memory *memory, int64_t elements, int width,
                                     const int32_t *node, mo_block_pattern *pattern,
                                     mote_error *error);

/* Adds a block of nine values, column-major, unless its slot is -1. */
static inline void mo_add_block(mo_block_matrix *matrix, int64_t slot, const double block[9])
{
    double *to = matrix->value + 9 * (slot < 0 ? 0 : slot);
    for (int k = 0; slot >= 0 && k < 9; ++k) {
        to[k] += block[k];
    }
}

#endif
