/*
 * Subdivision of lattice cells into tetrahedra.
 *
 * Five: one in the middle with a face diagonal as every edge, and one for each of the other four
 * corners. Neighbouring cells are mirror images, so that their face diagonals match. Fewer and
 * better tetrahedra, but two classes of nodes with high and low valence.
 *
 * Six: the paths from the lowest to the highest corner along the axes (Kuhn 1960), the same in all
 * cells. The body diagonal makes the lattice anisotropic.
 */
#ifndef MO_GEOMETRY_MESH_CELLS_H
#define MO_GEOMETRY_MESH_CELLS_H

#include "geometry/mesh/mesh.h"

/* Only 5 and 6 are valid. */
mote_status mo_cells_check(int64_t tetrahedra, mote_error *error);

/* Divides the cells of the nodes 0 .. nx ny nz, x varying fastest; the lattice may be deformed,
 * but not inverted. */
mote_status mo_cells_cut(mo_mesh *mesh, int64_t nx, int64_t ny, int64_t nz, int64_t tetrahedra,
                         mote_error *error);

#endif
