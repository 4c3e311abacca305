/*
 * Primitives in cells: what hashing and the uniform grid share. The entries of a slot (a cell, or
 * an entry of the hash table) are a range of one array, filled by a counting sort. A primitive has
 * an entry for every cell that its box overlaps; where boxes are much larger than cells that is
 * many, so their number is limited: beyond, a primitive goes to the list of large ones, which every
 * query compares itself with.
 */
#ifndef MO_GEOMETRY_SUBDIVIDE_CELLS_H
#define MO_GEOMETRY_SUBDIVIDE_CELLS_H

#include "geometry/subdivide/subdivide.h"

enum { MO_BOX_CELLS_MAX = 512 }; /* of a primitive */

typedef struct mo_box_cells {
    const mo_subdivided *over;
    double inverse; /* of the cell size */
    mo_vec3 origin;
    int64_t slots;
    /* the slot of a cell; cells of a box that share a slot are entered once for each */
    int64_t (*slot)(const struct mo_box_cells *c, const int64_t cell[3]);
    int64_t dims[3]; /* of a uniform grid */
    int64_t *start;  /* slot k has the entries start[k] .. start[k + 1] */
    int32_t *entry, *large;
    int64_t start_capacity, entry_capacity, large_capacity, large_count;
} mo_box_cells;

void mo_box_cells_release(mo_box_cells *c, mo_memory *memory);
mote_status mo_box_cells_fill(mo_box_cells *c, const mo_subdivided *over, mo_memory *memory,
                              mote_error *error);
void mo_box_cells_near(const mo_box_cells *c, const mo_box *box, mo_overlapping_fn *found,
                       void *context);

#endif
