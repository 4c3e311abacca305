/* Rows sorted by cells: along the Morton curve (G. M. Morton 1966), where a cell's index
 * interleaves the bits of its coordinates, or in lexicographic order. */
#include "neighbor/search/cells.h"
#include "neighbor/search/morton.h"
#include "neighbor/search_state.h"

#include <string.h>

enum { ROW_GRAIN = 4096, DIGIT = 11, DIGITS = 1 << DIGIT };

typedef struct keyed_row {
    uint64_t key;
    int64_t row;
} keyed_row;

typedef struct ordering {
    mo_row_order order;
    mo_cell_frame frame;
    const double *x;
    keyed_row *keyed;
} ordering;

static uint64_t key_of(const ordering *o, const int64_t cell[3])
{
    if (o->order == MO_ORDER_LEXICOGRAPHIC) {
        return (uint64_t)mo_cell_frame_cell(&o->frame, cell[0], cell[1], cell[2]);
    }
    return mo_morton_bits(cell[0]) | mo_morton_bits(cell[1]) << 1 | mo_morton_bits(cell[2]) << 2;
}

static void find_keys(void *context, int64_t first, int64_t last)
{
    const ordering *o = context;
    for (int64_t row = first; row < last; ++row) {
        int64_t cell[3];
        for (int k = 0; k < 3; ++k) {
            cell[k] = mo_cell_frame_along(&o->frame, k, o->x[3 * row + k]);
        }
        o->keyed[row] = (keyed_row){key_of(o, cell), row};
    }
}

/* Sorts by one digit, keeping the order of equal ones. */
static void sort_digit(const keyed_row *from, keyed_row *to, int64_t rows, int shift)
{
    int64_t at[DIGITS + 1] = {0};
    for (int64_t k = 0; k < rows; ++k) {
        at[(from[k].key >> shift & (DIGITS - 1)) + 1]++;
    }
    for (int k = 0; k < DIGITS; ++k) {
        at[k + 1] += at[k];
    }
    for (int64_t k = 0; k < rows; ++k) {
        to[at[from[k].key >> shift & (DIGITS - 1)]++] = from[k];
    }
}

size_t mo_search_order_bytes(int64_t rows)
{
    return 2 * (size_t)rows * sizeof(keyed_row);
}

mote_status mo_search_order_in(void *workspace, mo_row_order by, int64_t rows, const double *x,
                               double width, mo_pool *pool, int64_t *order, mote_error *error)
{
    ordering o = {.order = by, .x = x, .keyed = workspace};
    mo_search_points points = {.rows = rows, .x = x};
    if (rows == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_search_bound(rows, x, 0, pool, points.low, points.high, error));
    MO_TRY(mo_cell_frame_choose(&o.frame, &points, width, 2 * rows + 64, pool, error));
    mo_parallel_for(pool, rows, ROW_GRAIN, find_keys, &o);
    keyed_row *from = o.keyed, *to = from + rows;
    const int64_t *size = o.frame.size;
    uint64_t highest = key_of(&o, (int64_t[3]){size[0] - 1, size[1] - 1, size[2] - 1});
    for (int shift = 0; shift < 64 && highest >> shift; shift += DIGIT) {
        keyed_row *swap = to;
        sort_digit(from, to, rows, shift);
        to = from;
        from = swap;
    }
    for (int64_t k = 0; k < rows; ++k) {
        order[k] = from[k].row;
    }
    return MOTE_OK;
}

mote_status mo_search_order(mo_memory *memory, int64_t rows, const double *x, double width,
                            mo_pool *pool, int64_t *order, mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(memory, 2 * rows, sizeof(keyed_row), &block, error));
    mote_status status =
        mo_search_order_in(block, MO_ORDER_MORTON, rows, x, width, pool, order, error);
    mo_release(memory, block);
    return status;
}
