/*
 * Numbers at the nodes of an endless grid, kept only where something is: blocks of 8 x 4 x 4 nodes, found by a
 * hash of their coordinates. Two drops a kilometre apart need the blocks around two drops.
 *
 * Node (i, j, k) stands at width * (i, j, k): the grid does not move with what is in it, so the meshes of
 * successive frames do not flicker. Rows of eight nodes along x are one vector. A block is flat in y and z
 * because a lonely particle then touches less memory than with 8 x 8 x 8.
 *
 * Blocks are numbered in the order in which they were added, by one thread; so everything that follows is the
 * same on any number of threads.
 */
#ifndef MO_GEOMETRY_SPARSE_GRID_H
#define MO_GEOMETRY_SPARSE_GRID_H

#include "base/memory.h"

enum { MO_GRID_X = 8, MO_GRID_Y = 4, MO_GRID_Z = 4, MO_GRID_ROWS = 16, MO_GRID_NODES = 128 };

/* A node's number along an axis is at most this: block numbers stay in 32 bits, and places exact enough. */
#define MO_GRID_REACH 4294967296.0

typedef struct mo_grid_block {
    int32_t at[3]; /* in blocks: its first node is (8 at[0], 4 at[1], 4 at[2]) */
} mo_grid_block;

typedef struct mo_sparse_grid {
    mo_memory *memory;
    double width; /* between neighbouring nodes */
    int64_t count, capacity;
    mo_grid_block *block;
    int32_t *table; /* block numbers by hash, -1 where there is none */
    int64_t table_size;
    float *value;  /* MO_GRID_NODES a block: node (i, j, k) of it at (4 k + j) 8 + i; NULL until asked for */
    float outside; /* what nodes without a block have; below zero */
} mo_sparse_grid;

void mo_sparse_grid_init(mo_sparse_grid *grid, mo_memory *memory, double width);
void mo_sparse_grid_release(mo_sparse_grid *grid);

/* The number of the block, which is added if it is not there. */
mote_status mo_sparse_grid_add(mo_sparse_grid *grid, mo_grid_block block, int64_t *index, mote_error *error);

/* The number of a block, or -1. May be called from many threads at once. */
int64_t mo_sparse_grid_find(const mo_sparse_grid *grid, mo_grid_block block);

/* Room for the values of all blocks; no block may be added afterwards. */
mote_status mo_sparse_grid_reserve_values(mo_sparse_grid *grid, mote_error *error);

/* The node at or below a place along an axis (0, 1, 2), and the block it is in. */
static inline int32_t mo_grid_block_of(int64_t node, int axis)
{
    return (int32_t)(axis == 0 ? node >> 3 : node >> 2);
}

static inline int64_t mo_grid_first_node(int32_t block, int axis)
{
    return axis == 0 ? (int64_t)block * MO_GRID_X : (int64_t)block * MO_GRID_Y;
}

#endif
