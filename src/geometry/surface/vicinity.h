/* Points sorted into cells, and as columns in the order of the cells. */
#ifndef MO_GEOMETRY_SURFACE_VICINITY_H
#define MO_GEOMETRY_SURFACE_VICINITY_H

#include "neighbor/search/cells.h"

typedef struct mo_vicinity {
    mo_memory *memory;
    double radius;
    mo_cell_frame frame; /* cells as wide as the radius */
    mo_cells cells;
    double *x, *y, *z; /* by sorted index */
    int64_t capacity;
} mo_vicinity;

void mo_vicinity_init(mo_vicinity *vicinity, mo_memory *memory);
void mo_vicinity_release(mo_vicinity *vicinity);
mote_status mo_vicinity_build(mo_vicinity *vicinity, mo_pool *pool, int64_t rows, const double *x,
                              double radius, mote_error *error);

#endif
