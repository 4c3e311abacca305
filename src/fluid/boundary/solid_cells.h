/*
 * The outer part of a solid as particles: the cells of a lattice, each with its volume inside the
 * solid and the centroid of that.
 *
 * The lattice continues that of the adjacent fluid. In a box it begins half a step from the faces,
 * with stretched steps as in a fill (geometry/shape/filling.h); at a plane too, aligned with the
 * first fluid particle. Then no cell is cut. Cells cut by the surface of another shape are divided
 * into 4^d parts: total volume and centroid are exact to a part.
 */
#ifndef MO_FLUID_BOUNDARY_SOLID_CELLS_H
#define MO_FLUID_BOUNDARY_SOLID_CELLS_H

#include "fluid/boundary/extent.h"

typedef struct mo_solid_cells {
    mo_memory *memory;
    int64_t count;
    double *x;      /* three components each, in the frame of the collider */
    double *volume; /* m^d */
    double *depth;  /* below the surface [m] */
    int64_t x_capacity, volume_capacity, depth_capacity;
} mo_solid_cells;

void mo_solid_cells_init(mo_solid_cells *cells, mo_memory *memory);
void mo_solid_cells_release(mo_solid_cells *cells);

typedef struct mo_solid_cells_def {
    const mo_fluid *fluid;
    const mo_colliders *colliders;
    int64_t number;   /* of the collider */
    double depth;     /* depth of the cells below the surface */
    double margin;    /* of planes, see extent.h; NaN: that of the scene */
    mo_extent extent; /* of the scene */
} mo_solid_cells_def;

/* Adds the cells of one collider. Where static solids overlap, the first has the volume. */
mote_status mo_solid_cells_add(mo_solid_cells *cells, const mo_solid_cells_def *def,
                               mote_error *error);

#endif
