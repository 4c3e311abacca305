/*
 * Points sorted into the cells of a grid, shared by the grid structures.
 *
 * The domain is unbounded. A frame of cells covers the bounding box of the points; outliers belong
 * to the nearest border cell (clamping to a box does not increase distances, so no pair is missed).
 * If the box has many more cells than points, a few outliers are excluded, and if that does not
 * suffice the cells are widened: memory stays proportional to the number of points, and only
 * distant clusters cost more time.
 *
 * Sorting is a stable counting sort in two levels, both parallel: rows into up to 512 buckets of
 * consecutive cells, then each bucket, in the cache, into its cells. Rows ascend within a cell, so
 * the result does not depend on threads or blocks.
 */
#ifndef MO_NEIGHBOR_SEARCH_CELLS_H
#define MO_NEIGHBOR_SEARCH_CELLS_H

#include "neighbor/search/search.h"

typedef struct mo_cell_frame {
    double low[3], width, inverse_width;
    int64_t size[3];
    bool strays; /* there are outliers */
} mo_cell_frame;

/* Cells of at least `width` over the points (at least one), at most `most` cells. A pair within
 * k widths is at most k cells apart, including rounding. */
mote_status mo_cell_frame_choose(mo_cell_frame *frame, const mo_search_points *points, double width,
                                 int64_t most, mo_pool *pool, mote_error *error);

static inline int64_t mo_cell_frame_cells(const mo_cell_frame *frame)
{
    return frame->size[0] * frame->size[1] * frame->size[2];
}

/* The cell along an axis: monotone in x. */
static inline int64_t mo_cell_frame_along(const mo_cell_frame *frame, int axis, double x)
{
    double cells = (x - frame->low[axis]) * frame->inverse_width,
           last = (double)(frame->size[axis] - 1);
    return cells > 0 ? (int64_t)(cells < last ? cells : last) : 0;
}

static inline int64_t mo_cell_frame_cell(const mo_cell_frame *frame, int64_t i, int64_t j,
                                         int64_t k)
{
    return (k * frame->size[1] + j) * frame->size[0] + i;
}

enum { MO_CELLS_IN_ROW = 8 };

typedef struct mo_cells {
    mo_memory *memory;
    int64_t rows, stride;
    int32_t *start;  /* cell c has the slots start[c] to start[c + 1] - 1 */
    int32_t *row;    /* of a slot */
    float *offset;   /* offsets of a slot from the centre of its cell, in widths: x from 0, y from
                      * `stride`, z from 2 stride; each with padding of 8. Undefined for outliers. */
    const double *x; /* the positions that were sorted, by row */
    int32_t *cell_of, *pending, *histogram; /* of the sort */
    int64_t start_capacity, row_capacity, offset_capacity, cell_of_capacity, pending_capacity;
    int64_t histogram_capacity;
} mo_cells;

/* The arrays of a member of an instance, for the layout of its structure. */
#define MO_CELLS_ARRAYS(type, member) \
    MO_STRUCTURE_ARRAY(type, member.start), MO_STRUCTURE_ARRAY(type, member.row), \
        MO_STRUCTURE_ARRAY(type, member.offset), MO_STRUCTURE_ARRAY(type, member.cell_of), \
        MO_STRUCTURE_ARRAY(type, member.pending), MO_STRUCTURE_ARRAY(type, member.histogram)

void mo_cells_init(mo_cells *cells, mo_memory *memory);
void mo_cells_release(mo_cells *cells);

/* Sorts the points into the frame's cells. `most` as for the frame: all of them are reserved at
 * once, so that a frame may grow without allocation. */
mote_status mo_cells_sort(mo_cells *cells, const mo_cell_frame *frame, int64_t most, int64_t rows,
                          const double *x, mo_pool *pool, mote_error *error);

/* The lists of all points of `from` with those of `to`, sorted into the same frame. */
typedef struct mo_cells_job {
    const mo_cell_frame *frame;
    const mo_cells *to, *from; /* from NULL: `to`, excluding each point from its own list */
    int64_t owned;             /* lists for the first `owned` rows */
    int64_t reach;             /* all pairs are at most this many cells apart; 1 to 4 */
    double radius;
    bool strays; /* either has outliers */
} mo_cells_job;
mote_status mo_cells_lists(const mo_cells_job *job, mo_pool *pool, mo_lists *lists,
                           mote_error *error);

#endif
