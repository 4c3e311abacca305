/*
 * A uniform grid over unbounded space with integer cell coordinates. They are monotone in the
 * coordinate despite rounding, so the cells from that of p - reach to that of p + reach contain
 * everything within the reach (window.h). Beyond 2^52 cells from the origin, where doubles are
 * wider apart than cells, the remaining space shares the last one.
 */
#ifndef MO_NEIGHBOR_SEARCH_LATTICE_H
#define MO_NEIGHBOR_SEARCH_LATTICE_H

#include "neighbor/search/window.h"

#include <stdint.h>

typedef struct mo_lattice_cell {
    int64_t at[3];
} mo_lattice_cell;

static inline int64_t mo_lattice_along(double inverse_width, double x)
{
    static const double LAST = 0x1p52;
    double cell = x * inverse_width;
    cell = cell < -LAST ? -LAST : cell;
    cell = cell > LAST ? LAST : cell;
    int64_t whole = (int64_t)cell;
    return whole - ((double)whole > cell);
}

static inline mo_lattice_cell mo_lattice_at(double inverse_width, const double *x)
{
    return (mo_lattice_cell){{mo_lattice_along(inverse_width, x[0]),
                              mo_lattice_along(inverse_width, x[1]),
                              mo_lattice_along(inverse_width, x[2])}};
}

static inline bool mo_lattice_same(mo_lattice_cell a, mo_lattice_cell b)
{
    return a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

/* The cells overlapped by a window: from `low` to `high`, inclusive. */
typedef struct mo_lattice_range {
    mo_lattice_cell low, high;
} mo_lattice_range;

static inline mo_lattice_range mo_lattice_reach(double inverse_width, const mo_search_window *w)
{
    mo_lattice_range range;
    for (int k = 0; k < 3; ++k) {
        range.low.at[k] = mo_lattice_along(inverse_width, w->low[k] - w->reach);
        range.high.at[k] = mo_lattice_along(inverse_width, w->high[k] + w->reach);
    }
    return range;
}

/* Widths of cells, in radii. With the smallest, a batch of slots (packed_lists.c) overlaps 8
 * cells along an axis, or 9 due to rounding. */
#define MO_LATTICE_WIDTHS "[0.5, 8]"
enum { MO_LATTICE_CELLS_MAX = 729 };

#endif
