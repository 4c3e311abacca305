/*
 * A sparse, unbounded grid of nodal values in hashed blocks of 8 x 8 x 8 nodes.
 *
 * Node (i, j, k) is at width * (i, j, k): the grid is fixed in space, so that the meshes of
 * successive frames do not flicker. Rows of eight nodes along x are one vector. Blocks of 8 x 4 x 4
 * would halve the memory of isolated particles, but cost a third more time for dense sets.
 *
 * Blocks are numbered in the order of insertion by one thread; results are independent of the
 * number of threads.
 */
#ifndef MO_GEOMETRY_GRID_SPARSE_GRID_H
#define MO_GEOMETRY_GRID_SPARSE_GRID_H

#include "base/memory.h"

enum { MO_GRID_X = 8, MO_GRID_Y = 8, MO_GRID_Z = 8, MO_GRID_ROWS = 64, MO_GRID_NODES = 512 };

/* Largest node index along an axis: block indices stay in 32 bits, and positions are accurate. */
#define MO_GRID_REACH 4294967296.0

typedef struct mo_grid_block {
    int32_t at[3]; /* in blocks: its first node is 8 at */
} mo_grid_block;

typedef struct mo_sparse_grid {
    mo_memory *memory;
    double width; /* between neighbouring nodes */
    int64_t count, capacity;
    mo_grid_block *block;
    int32_t *table; /* block indices by hash, -1 if absent */
    int64_t table_size;
    /* MO_GRID_NODES per block: node (i, j, k) at (8 k + j) 8 + i; NULL until reserved */
    float *value;
    float outside; /* value of nodes without a block; negative */
} mo_sparse_grid;

void mo_sparse_grid_init(mo_sparse_grid *grid, mo_memory *memory, double width);
void mo_sparse_grid_release(mo_sparse_grid *grid);

/* The index of the block, which is added if missing. */
mote_status mo_sparse_grid_add(mo_sparse_grid *grid, mo_grid_block block, int64_t *index,
                               mote_error *error);

/* The index of a block, or -1. Thread-safe. */
int64_t mo_sparse_grid_find(const mo_sparse_grid *grid, mo_grid_block block);

/* Allocates the values of all blocks; no block may be added afterwards. */
mote_status mo_sparse_grid_reserve_values(mo_sparse_grid *grid, mote_error *error);

/* The block of a node, and a block's first node, along any axis. */
static inline int32_t mo_grid_block_of(int64_t node)
{
    return (int32_t)(node >> 3);
}

static inline int64_t mo_grid_first_node(int32_t block)
{
    return (int64_t)block * MO_GRID_X;
}

#endif
