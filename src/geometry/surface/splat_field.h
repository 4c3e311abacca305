/*
 * Sums of splats on a sparse grid.
 *
 * Splats are sorted by the block their centre is in. A block of the grid gathers from the
 * surrounding blocks whose splats overlap it, in a fixed order and by one thread. The grid has a
 * block wherever a splat's box with a margin of one node is, so the field is outside at the border.
 */
#ifndef MO_GEOMETRY_SPLAT_FIELD_H
#define MO_GEOMETRY_SPLAT_FIELD_H

#include "geometry/grid/sparse_grid.h"
#include "geometry/surface/surface.h"

/* The blocks overlapped by the splats of one block. */
typedef struct mo_splat_box {
    int32_t low[3], high[3];
} mo_splat_box;

typedef struct mo_splat_field {
    mo_memory *memory;
    mo_sparse_grid grid;
    mo_splat_rule rule;
    double level, reach;
    int64_t count, homes; /* splats; blocks 0 to homes - 1 have some */
    mo_splat *splat;      /* in units of cells, by block */
    int32_t *row;         /* of the particle it came from */
    int64_t *start;       /* splats of home h: [start[h], start[h + 1]) */
    mo_splat_box *box;
    int32_t range[3]; /* maximum range of a splat in blocks */
} mo_splat_field;

/* Fills the grid; `width` is that of a cell, `spacing` the unit of the splats, which are not
 * changed. */
mote_status mo_splat_field_make(mo_splat_field *field, mo_memory *memory, mo_pool *pool,
                                int64_t count, const mo_splat *splat, mo_splat_rule rule,
                                double level, double width, double spacing, mote_error *error);
void mo_splat_field_release(mo_splat_field *field);

/* out[c] of every position = the weighted average of a column over the splats around it. Positions
 * are vertices of the grid's surface. */
void mo_splat_field_interpolate(const mo_splat_field *field, mo_pool *pool, int64_t points,
                                const double *x, const mote_column *column, double *out);

#endif
