#include "geometry/grid/point_grid.h"

#include "base/hash.h"

void mo_point_grid_init(mo_point_grid *grid, mo_memory *memory, double width)
{
    *grid = (mo_point_grid){.memory = memory, .width = width};
}

void mo_point_grid_release(mo_point_grid *grid)
{
    mo_release(grid->memory, grid->x);
    mo_release(grid->memory, grid->next);
    mo_release(grid->memory, grid->table);
    mo_point_grid_init(grid, grid->memory, grid->width);
}

void mo_point_grid_clear(mo_point_grid *grid)
{
    grid->count = 0;
    for (int64_t k = 0; k < grid->table_size; ++k) {
        grid->table[k] = -1;
    }
}

/* A cell's index along an axis; clamped far from the origin. */
static int64_t cell_of(const mo_point_grid *grid, double x)
{
    double cell = floor(x / grid->width);
    return fabs(cell) < 0x1p60 ? (int64_t)cell : 0;
}

/* Cells may share a slot; the distance test decides. */
static int64_t slot_of(const mo_point_grid *grid, int64_t i, int64_t j, int64_t k)
{
    uint64_t mixed = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) +
                     (uint64_t)j * UINT64_C(0xc2b2ae3d27d4eb4f) +
                     (uint64_t)k * UINT64_C(0x165667b19e3779f9);
    return (int64_t)(mo_hash_mix(mixed) & (uint64_t)(grid->table_size - 1));
}

static void link_point(mo_point_grid *grid, int64_t row)
{
    const double *x = grid->x + 3 * row;
    int64_t slot = slot_of(grid, cell_of(grid, x[0]), cell_of(grid, x[1]), cell_of(grid, x[2]));
    grid->next[row] = grid->table[slot];
    grid->table[slot] = (int32_t)row;
}

static mote_status grow_table(mo_point_grid *grid, mote_error *error)
{
    void *table;
    int64_t size = grid->table_size ? 2 * grid->table_size : 64, count = grid->count;
    MO_TRY(mo_allocate_array(grid->memory, size, sizeof *grid->table, &table, error));
    mo_release(grid->memory, grid->table);
    grid->table = table;
    grid->table_size = size;
    mo_point_grid_clear(grid);
    grid->count = count;
    for (int64_t k = 0; k < count; ++k) {
        link_point(grid, k);
    }
    return MOTE_OK;
}

mote_status mo_point_grid_add(mo_point_grid *grid, mo_vec3 x, mote_error *error)
{
    if (grid->count == INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "boundary: more than %d points; use a larger spacing", INT32_MAX);
    }
    if (2 * grid->count >= grid->table_size) {
        MO_TRY(grow_table(grid, error));
    }
    if (grid->count == grid->capacity) {
        int64_t capacity = grid->capacity;
        MO_TRY(mo_grow(grid->memory, (void **)&grid->next, &capacity, grid->count + 1,
                       sizeof *grid->next, error));
        capacity = grid->capacity;
        MO_TRY(mo_grow(grid->memory, (void **)&grid->x, &capacity, grid->count + 1,
                       3 * sizeof *grid->x, error));
        grid->capacity = capacity;
    }
    mo_vec3_store(grid->x + 3 * grid->count, x);
    link_point(grid, grid->count++);
    return MOTE_OK;
}

/* Updates the nearest point with the points of a slot. */
static void search_slot(const mo_point_grid *grid, int64_t slot, mo_vec3 x, double *best,
                        int64_t *nearest)
{
    for (int64_t p = grid->table[slot]; p >= 0; p = grid->next[p]) {
        mo_vec3 r = mo_sub(mo_vec3_load(grid->x + 3 * p), x);
        double d = mo_dot(r, r);
        if (d < *best || (d == *best && *nearest >= 0 && p < *nearest)) {
            *best = d;
            *nearest = p;
        }
    }
}

/* Squared distance of x from a cell along an axis; 0 within it. Slightly reduced for rounding. */
static double gap_to(const mo_point_grid *grid, int64_t cell, double x)
{
    double below = (double)cell * grid->width - x, above = x - ((double)cell + 1) * grid->width;
    double gap = below > 0 ? below : above > 0 ? above : 0;
    return gap * gap * (1 - 1e-9);
}

int64_t mo_point_grid_nearest(const mo_point_grid *grid, mo_vec3 x, double radius, double *square)
{
    int64_t low[3], high[3], own[3], nearest = -1;
    double at[3], best = radius * radius;
    mo_vec3_store(at, x);
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = cell_of(grid, at[axis] - radius);
        own[axis] = cell_of(grid, at[axis]);
        high[axis] = cell_of(grid, at[axis] + radius);
    }
    if (grid->count == 0) {
        return -1;
    }
    /* the most likely first */
    search_slot(grid, slot_of(grid, own[0], own[1], own[2]), x, &best, &nearest);
    for (int64_t i = low[0]; i <= high[0]; ++i) {
        double gap_i = gap_to(grid, i, at[0]);
        for (int64_t j = low[1]; j <= high[1] && gap_i <= best; ++j) {
            double gap_j = gap_i + gap_to(grid, j, at[1]);
            for (int64_t k = low[2]; k <= high[2] && gap_j <= best; ++k) {
                bool done = i == own[0] && j == own[1] && k == own[2];
                if (!done && gap_j + gap_to(grid, k, at[2]) <= best) {
                    search_slot(grid, slot_of(grid, i, j, k), x, &best, &nearest);
                }
            }
        }
    }
    if (square && nearest >= 0) {
        *square = best;
    }
    return nearest;
}
