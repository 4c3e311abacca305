/*
 * The surface of a field on a sparse grid: where it passes through zero, as triangles. Inside is
 * above zero.
 *
 * Marching cubes with the table of cube_table.h: closed, manifold, oriented outward whatever the
 * field, provided that every node inside has all its neighbours in blocks of the grid (who fills a
 * grid leaves a margin of one node; where there is no block the field is outside).
 *
 * A vertex belongs to a crossed edge of the grid, an edge to its lower node, a node to its block;
 * so vertices are numbered by prefix sums over blocks, nothing is looked for twice, and there are
 * no duplicates. Vertices keep off the nodes by 1/64 of a cell, so that no triangle shrinks to
 * nothing.
 */
#ifndef MO_GEOMETRY_GRID_ISOSURFACE_H
#define MO_GEOMETRY_GRID_ISOSURFACE_H

#include "geometry/grid/sparse_grid.h"
#include "geometry/trimesh/trimesh.h"

/* Normals are the field's gradient (central differences at the nodes, linear between them) and may
 * be zero or poor where the field has kinks; mo_trimesh_normals mends those. */
mote_status mo_isosurface_extract(const mo_sparse_grid *grid, mo_pool *pool, mo_trimesh *mesh,
                                  mote_error *error);

#endif
