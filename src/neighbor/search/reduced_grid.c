/*
 * A wrapped grid: cell coordinates are modulo E along each axis, so a table of E^3 cells (E^2 in
 * the plane) covers an unbounded space. Distant points that share a cell are distinguished by their
 * distances. Points that repeat with the period of the table (a plane along an axis, a lattice)
 * collide; memory is small for any shape. D. Tonnesen 1998, "Dynamically coupled particle systems
 * for geometric modeling, reconstruction, and animation", section 7.2.4, after R. Szeliski.
 */
#include "base/radix.h"
#include "neighbor/search/lattice.h"
#include "neighbor/search/packed.h"

enum { ROW_GRAIN = 8192, SIDE_MAX = 512 };

typedef struct parameters {
    double width;
    int64_t side;
} parameters;

static const mo_param PARAMS[] = {
    {"width", MO_REAL, MO_FIELD(parameters, width), .unit = "radius", .initial = "1",
     .range = MO_LATTICE_WIDTHS, .doc = "Cell width, in search radii."},
    {"side", MO_INT, MO_FIELD(parameters, side), .initial = "0", .range = "[0, 512]",
     .doc =
         "Cells along each axis of the table; 0: the smallest power of two for which the table has "
         "at least half as many cells as points."},
    {0}};

typedef struct reduced_grid {
    mo_packed packed;
    parameters p;
    mo_radix radix;
    double inverse_width;
    int64_t side[3];
    int32_t *start; /* the table: cell c has the slots start[c] to start[c + 1] - 1 */
    int64_t start_capacity;
} reduced_grid;

static const mo_structure_array ARRAYS[] = {
    MO_PACKED_ARRAYS(reduced_grid), MO_STRUCTURE_ARRAY(reduced_grid, start), {0}};

static const parameters DEFAULTS = {1, 0};

static void choose_sides(reduced_grid *g)
{
    int64_t side = g->p.side, dimensions = g->packed.head.points.flat ? 2 : 3;
    if (side == 0) {
        for (side = 1; side < SIDE_MAX && 2 * (dimensions == 2 ? side * side : side * side * side) <
                                              g->packed.head.points.rows;) {
            side *= 2;
        }
    }
    for (int k = 0; k < 3; ++k) {
        g->side[k] = k < dimensions ? side : 1;
    }
}

static inline int64_t wrap(int64_t cell, int64_t side)
{
    if ((side & (side - 1)) == 0) {
        return cell & (side - 1);
    }
    int64_t rest = cell % side;
    return rest < 0 ? rest + side : rest;
}

static inline int64_t table_cell(const reduced_grid *g, int64_t i, int64_t j, int64_t k)
{
    return (k * g->side[1] + j) * g->side[0] + i;
}

static void find_keys(void *context, int64_t first, int64_t last)
{
    reduced_grid *g = context;
    for (int64_t row = first; row < last; ++row) {
        mo_lattice_cell c = mo_lattice_at(g->inverse_width, g->packed.head.points.x + 3 * row);
        int64_t cell = table_cell(g, wrap(c.at[0], g->side[0]), wrap(c.at[1], g->side[1]),
                                  wrap(c.at[2], g->side[2]));
        g->radix.item[row] = (mo_keyed){(uint64_t)cell, row};
    }
}

static mote_status reduced_grid_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                      mote_error *error)
{
    reduced_grid *g = instance;
    int64_t rows = points->rows;
    g->packed.head.points = *points;
    g->inverse_width = 1 / (g->p.width * points->radius);
    choose_sides(g);
    int64_t cells = g->side[0] * g->side[1] * g->side[2];
    MO_TRY(mo_radix_resize(&g->radix, rows, error));
    MO_TRY(mo_packed_resize(&g->packed, rows, error));
    MO_TRY(mo_reserve(g->packed.head.memory, &g->start, &g->start_capacity, cells + 1,
                      sizeof *g->start, error));
    mo_parallel_for(pool, rows, ROW_GRAIN, find_keys, g);
    mo_packed_sort(&g->packed, &g->radix, g->start, cells, pool);
    return MOTE_OK;
}

/* A range of cells along an axis, wrapped, without duplicates. */
typedef struct stretch {
    int64_t first, count;
} stretch;

static stretch wrap_range(const reduced_grid *g, const mo_lattice_range *range, int axis)
{
    int64_t side = g->side[axis], count = range->high.at[axis] - range->low.at[axis] + 1;
    return count >= side ? (stretch){0, side} : (stretch){wrap(range->low.at[axis], side), count};
}

static inline int64_t step_along(stretch s, int64_t number, int64_t side)
{
    int64_t at = s.first + number;
    return at < side ? at : at - side;
}

/* The cells along x are consecutive in memory: one run, or two across the wrap. */
static void reduced_grid_walk(const void *instance, const mo_search_window *window, mo_runs *runs)
{
    const reduced_grid *g = instance;
    mo_lattice_range range = mo_lattice_reach(g->inverse_width, window);
    stretch x = wrap_range(g, &range, 0), y = wrap_range(g, &range, 1),
            z = wrap_range(g, &range, 2);
    int64_t over = x.first + x.count - g->side[0];
    int64_t end = over > 0 ? g->side[0] : x.first + x.count;
    for (int64_t k = 0; k < z.count; ++k) {
        for (int64_t j = 0; j < y.count; ++j) {
            int64_t line =
                table_cell(g, 0, step_along(y, j, g->side[1]), step_along(z, k, g->side[2]));
            if (over > 0) {
                mo_runs_add(runs, g->start[line], g->start[line + over]);
            }
            mo_runs_add(runs, g->start[line + x.first], g->start[line + end]);
        }
    }
}

const mo_search_type mo_search_reduced_grid = {
    .base = {.name = "reduced_grid",
             .summary = "Grid with cell coordinates modulo the size of a small table.",
             .citation = "D. Tonnesen 1998, PhD thesis, University of Toronto, section 7.2.4",
             .capabilities = MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .layout = {.size = sizeof(reduced_grid),
               .params = offsetof(reduced_grid, p),
               .defaults = &DEFAULTS,
               .radix = offsetof(reduced_grid, radix),
               .arrays = ARRAYS},
    .build = reduced_grid_build,
    .walk = reduced_grid_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
};
