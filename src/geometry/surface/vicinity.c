#include "geometry/surface/vicinity.h"

#include "neighbor/search_state.h"

#include <string.h>

/* Padding: full vectors may be loaded at the end. */
enum { PADDING = 4, PACK_GRAIN = 4096 };

void mo_vicinity_init(mo_vicinity *vicinity, mo_memory *memory)
{
    *vicinity = (mo_vicinity){.memory = memory};
    mo_cells_init(&vicinity->cells, memory);
}

void mo_vicinity_release(mo_vicinity *vicinity)
{
    mo_cells_release(&vicinity->cells);
    mo_release(vicinity->memory, vicinity->x);
    mo_vicinity_init(vicinity, vicinity->memory);
}

typedef struct packing {
    mo_vicinity *to;
    const double *x;
} packing;

static void pack_range(void *context, int64_t first, int64_t last)
{
    const packing *p = context;
    for (int64_t slot = first; slot < last; ++slot) {
        const double *x = p->x + 3 * (int64_t)p->to->cells.row[slot];
        p->to->x[slot] = x[0];
        p->to->y[slot] = x[1];
        p->to->z[slot] = x[2];
    }
}

mote_status mo_vicinity_build(mo_vicinity *vicinity, mo_pool *pool, int64_t rows, const double *x,
                              double radius, mote_error *error)
{
    void *block = vicinity->x;
    int64_t stride = rows + PADDING;
    int64_t most = 2 * rows + 64; /* cells */
    vicinity->radius = radius;
    mote_status status =
        mo_grow(vicinity->memory, &block, &vicinity->capacity, 3 * stride, sizeof(double), error);
    vicinity->x = block;
    MO_TRY(status);
    /* sorted from a padded copy: sorting loads a row as four values */
    if (rows > 0) {
        memcpy(vicinity->x, x, (size_t)rows * 3 * sizeof(double));
    }
    mo_search_points points = {.rows = rows, .x = vicinity->x, .radius = radius};
    MO_TRY(mo_search_bound(rows, vicinity->x, 0, pool, points.low, points.high, error));
    MO_TRY(mo_cell_frame_choose(&vicinity->frame, &points, radius, most, pool, error));
    MO_TRY(mo_cells_sort(&vicinity->cells, &vicinity->frame, most, rows, vicinity->x, pool, error));
    vicinity->y = vicinity->x + stride;
    vicinity->z = vicinity->y + stride;
    packing p = {vicinity, x};
    mo_parallel_for(pool, rows, PACK_GRAIN, pack_range, &p);
    return MOTE_OK;
}
