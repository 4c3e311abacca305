/*
 * The outer part of a solid as particles: the cells of a lattice, each with its volume inside the
 * solid and the centroid of that.
 *
 * The lattice is the one that a fluid beside the solid has. Of a box it begins half a step from its
 * faces, the steps stretched to fit as those of a fill (geometry/shape/filling.h); of a plane too,
 * and along it it goes through the first particle of the fluid. Cells are cut by no face then.
 * Cells that the surface of another shape cuts are divided into 4^d parts, which count where they
 * are in the solid: total volume and centroid are exact to a part.
 */
#ifndef MO_FLUID_BOUNDARY_SOLID_CELLS_H
#define MO_FLUID_BOUNDARY_SOLID_CELLS_H

#include "fluid/boundary/extent.h"

typedef struct mo_solid_cells {
    mo_memory *memory;
    int64_t count;
    double *x;      /* three numbers each, in the frame of the collider */
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
    double depth;     /* how far below the surface cells are wanted */
    double margin;    /* of planes, see extent.h; not a number: that of everything */
    mo_extent extent; /* of everything */
} mo_solid_cells_def;

/* Adds the cells of one collider. Where solids that stand still overlap, the first has the
 * volume. */
mote_status mo_solid_cells_add(mo_solid_cells *cells, const mo_solid_cells_def *def,
                               mote_error *error);

#endif
