/* Rows along the Morton curve (G. M. Morton 1966): a cell's number is made of the bits of its
 * coordinates in turn. */
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
    mo_cell_frame frame;
    const double *x;
    keyed_row *keyed;
} ordering;

static void find_keys(void *context, int64_t first, int64_t last)
{
    const ordering *o = context;
    for (int64_t row = first; row < last; ++row) {
        uint64_t key = 0;
        for (int k = 0; k < 3; ++k) {
            key |= mo_morton_bits(mo_cell_frame_along(&o->frame, k, o->x[3 * row + k])) << k;
        }
        o->keyed[row] = (keyed_row){key, row};
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

mote_status mo_search_order_in(void *workspace, int64_t rows, const double *x, double width,
                               mo_pool *pool, int64_t *order, mote_error *error)
{
    ordering o = {.x = x, .keyed = workspace};
    mo_search_points points = {.rows = rows, .x = x};
    if (rows == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_search_bound(rows, x, 0, pool, points.low, points.high, error));
    MO_TRY(mo_cell_frame_lay(&o.frame, &points, width, 2 * rows + 64, pool, error));
    mo_parallel_for(pool, rows, ROW_GRAIN, find_keys, &o);
    keyed_row *from = o.keyed, *to = from + rows;
    uint64_t highest = 0;
    for (int k = 0; k < 3; ++k) {
        highest |= mo_morton_bits(o.frame.size[k] - 1) << k;
    }
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
    mote_status status = mo_search_order_in(block, rows, x, width, pool, order, error);
    mo_release(memory, block);
    return status;
}
