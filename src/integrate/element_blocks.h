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

#endif
