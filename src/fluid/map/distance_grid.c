#include "fluid/map/distance_grid.h"

#include <math.h>

enum { CELLS = MO_GRID_X, NODES = CELLS + 1, BLOCK = NODES * NODES * NODES };

void mo_distance_grid_init(mo_distance_grid *g, const mo_map_solid *solid, double width,
                           double band, mo_memory *memory)
{
    *g = (mo_distance_grid){.memory = memory, .solid = *solid, .width = width, .band = band};
    mo_sparse_grid_init(&g->blocks, memory, width);
}

void mo_distance_grid_release(mo_distance_grid *g)
{
    mo_sparse_grid_release(&g->blocks);
    mo_release(g->memory, g->value);
    *g = (mo_distance_grid){0};
}

/* ---- building ---- */

/* Adds the blocks of a cube of `size` blocks per side that are within the band. */
static mote_status add_blocks(mo_distance_grid *g, const int32_t at[3], int32_t size,
                              mote_error *error)
{
    double side = CELLS * g->width, x[3], gap;
    for (int c = 0; c < 3; ++c) {
        x[c] = (at[c] + 0.5 * size) * side;
    }
    g->solid.gap(g->solid.context, 1, x, &gap, NULL);
    if (!(fabs(gap) <= g->band + sqrt(0.75) * size * side)) {
        return MOTE_OK;
    }
    if (size == 1) {
        int64_t index;
        return mo_sparse_grid_add(&g->blocks, (mo_grid_block){{at[0], at[1], at[2]}}, &index,
                                  error);
    }
    int32_t half = size / 2;
    for (int k = 0; k < 8; ++k) {
        const int32_t part[3] = {at[0] + (k & 1 ? half : 0), at[1] + (k & 2 ? half : 0),
                                 at[2] + (k & 4 ? half : 0)};
        MO_TRY(add_blocks(g, part, half, error));
    }
    return MOTE_OK;
}

static mote_status find_blocks(mo_distance_grid *g, mote_error *error)
{
    double side = CELLS * g->width, longest = 0;
    int32_t first[3], size = 1;
    for (int c = 0; c < 3; ++c) {
        double from = floor((mo_vec3_at(g->solid.low, c) - g->band) / side);
        double to = ceil((mo_vec3_at(g->solid.high, c) + g->band) / side);
        if (!(fabs(from) < 1e9 && fabs(to) < 1e9)) {
            return MOTE_OK; /* too large for a grid; reported by the next user */
        }
        first[c] = (int32_t)from;
        longest = fmax(longest, to - from);
    }
    while (size < longest) {
        size *= 2;
    }
    return add_blocks(g, first, size, error);
}

static void fill_blocks(void *context, int64_t first, int64_t last)
{
    const mo_distance_grid *g = context;
    for (int64_t k = first; k < last; ++k) {
        const int32_t *at = g->blocks.block[k].at;
        double x[3 * NODES];
        for (int row = 0; row < NODES * NODES; ++row) {
            for (int n = 0; n < NODES; ++n) {
                x[3 * n] = ((double)at[0] * CELLS + n) * g->width;
                x[3 * n + 1] = ((double)at[1] * CELLS + row % NODES) * g->width;
                x[3 * n + 2] = ((double)at[2] * CELLS + row / NODES) * g->width;
            }
            g->solid.gap(g->solid.context, NODES, x, g->value + k * BLOCK + (int64_t)row * NODES,
                         NULL);
        }
    }
}

mote_status mo_distance_grid_build(mo_distance_grid *g, mo_pool *pool, mote_error *error)
{
    MO_TRY(find_blocks(g, error));
    MO_TRY(mo_reserve(g->memory, &g->value, &g->value_capacity, g->blocks.count * BLOCK,
                      sizeof *g->value, error));
    mo_parallel_for(pool, g->blocks.count, 1, fill_blocks, g);
    return MOTE_OK;
}

/* ---- evaluation ---- */

/* Trilinear interpolation in a cell; and the gradient, times the width. */
static double interpolate(const double *node, const double u[3], double gradient[3])
{
    double plane[2], along_x[2], along_y[2];
    for (int k = 0; k < 2; ++k) {
        const double *a = node + (int64_t)k * NODES * NODES, *b = a + NODES;
        double low = a[0] + u[0] * (a[1] - a[0]), high = b[0] + u[0] * (b[1] - b[0]);
        plane[k] = low + u[1] * (high - low);
        along_x[k] = (a[1] - a[0]) + u[1] * ((b[1] - b[0]) - (a[1] - a[0]));
        along_y[k] = high - low;
    }
    gradient[0] = along_x[0] + u[2] * (along_x[1] - along_x[0]);
    gradient[1] = along_y[0] + u[2] * (along_y[1] - along_y[0]);
    gradient[2] = plane[1] - plane[0];
    return plane[0] + u[2] * (plane[1] - plane[0]);
}

static bool find_gap(const mo_distance_grid *g, const double *x, double *gap, double *normal)
{
    mo_grid_block where;
    double u[3], gradient[3];
    int64_t cell[3];
    for (int c = 0; c < 3; ++c) {
        double at = x[c] / g->width, whole = floor(at);
        if (!(fabs(whole) < 1e9)) {
            return false;
        }
        where.at[c] = (int32_t)floor(whole / CELLS);
        cell[c] = (int64_t)whole - (int64_t)where.at[c] * CELLS;
        u[c] = at - whole;
    }
    int64_t k = mo_sparse_grid_find(&g->blocks, where);
    if (k < 0) {
        return false;
    }
    *gap = interpolate(g->value + k * BLOCK + (cell[2] * NODES + cell[1]) * NODES + cell[0], u,
                       gradient);
    if (normal) {
        mo_vec3 n = mo_vec3_load(gradient);
        double length = mo_length(n);
        if (!(length > 0.5 * g->width)) { /* on the medial axis */
            return false;
        }
        mo_vec3_store(normal, mo_scale(1 / length, n));
    }
    return true;
}

void mo_distance_grid_gaps(const void *context, int64_t count, const double *x, double *gap,
                           double *normal)
{
    const mo_distance_grid *g = context;
    for (int64_t k = 0; k < count; ++k) {
        double *n = normal ? normal + 3 * k : NULL;
        if (g->blocks.count == 0 || !find_gap(g, x + 3 * k, gap + k, n)) {
            g->solid.gap(g->solid.context, 1, x + 3 * k, gap + k, n);
        }
    }
}
