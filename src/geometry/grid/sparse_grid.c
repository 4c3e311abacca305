#include "geometry/grid/sparse_grid.h"

#include "base/hash.h"

#include <string.h>

enum { TABLE_FIRST = 64 };

void mo_sparse_grid_init(mo_sparse_grid *grid, mo_memory *memory, double width)
{
    *grid = (mo_sparse_grid){.memory = memory, .width = width, .outside = -1};
}

void mo_sparse_grid_release(mo_sparse_grid *grid)
{
    mo_release(grid->memory, grid->block);
    mo_release(grid->memory, grid->table);
    mo_release(grid->memory, grid->value);
    mo_sparse_grid_init(grid, grid->memory, grid->width);
}

static uint64_t hash_of(mo_grid_block block)
{
    uint64_t xy = (uint64_t)(uint32_t)block.at[0] << 32 | (uint32_t)block.at[1];
    return mo_hash_mix(xy + UINT64_C(0x9e3779b97f4a7c15) * (uint32_t)block.at[2]);
}

static bool same_block(mo_grid_block a, mo_grid_block b)
{
    return a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

/* The slot of the block in the table, or the free slot where it would be. */
static int64_t slot_of(const mo_sparse_grid *grid, mo_grid_block block)
{
    int64_t slot = (int64_t)(hash_of(block) & (uint64_t)(grid->table_size - 1));
    while (grid->table[slot] >= 0 && !same_block(grid->block[grid->table[slot]], block)) {
        slot = (slot + 1) & (grid->table_size - 1);
    }
    return slot;
}

int64_t mo_sparse_grid_find(const mo_sparse_grid *grid, mo_grid_block block)
{
    return grid->count > 0 ? grid->table[slot_of(grid, block)] : -1;
}

/* Doubles the table. */
static mote_status grow_table(mo_sparse_grid *grid, mote_error *error)
{
    void *table;
    int64_t size = grid->table_size ? 2 * grid->table_size : TABLE_FIRST;
    MO_TRY(mo_allocate_array(grid->memory, size, sizeof *grid->table, &table, error));
    memset(table, 0xff, (size_t)size * sizeof *grid->table);
    mo_release(grid->memory, grid->table);
    grid->table = table;
    grid->table_size = size;
    for (int64_t k = 0; k < grid->count; ++k) {
        grid->table[slot_of(grid, grid->block[k])] = (int32_t)k;
    }
    return MOTE_OK;
}

mote_status mo_sparse_grid_add(mo_sparse_grid *grid, mo_grid_block block, int64_t *index,
                               mote_error *error)
{
    MOTE_ASSERT(!grid->value);
    if (2 * (grid->count + 1) > grid->table_size) {
        MO_TRY(grow_table(grid, error));
    }
    int64_t slot = slot_of(grid, block);
    if (grid->table[slot] < 0) {
        if (grid->count == INT32_MAX) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "surface: the particles cover more than %d blocks of grid cells; use larger cells",
                INT32_MAX);
        }
        void *blocks = grid->block;
        mote_status status =
            mo_grow(grid->memory, &blocks, &grid->capacity, grid->count + 1, sizeof block, error);
        grid->block = blocks;
        MO_TRY(status);
        grid->block[grid->count] = block;
        grid->table[slot] = (int32_t)grid->count++;
    }
    *index = grid->table[slot];
    return MOTE_OK;
}

mote_status mo_sparse_grid_reserve_values(mo_sparse_grid *grid, mote_error *error)
{
    void *values;
    MO_TRY(mo_allocate_array(grid->memory, grid->count, MO_GRID_NODES * sizeof *grid->value,
                             &values, error));
    grid->value = values;
    return MOTE_OK;
}
