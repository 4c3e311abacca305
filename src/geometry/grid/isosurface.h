/*
 * The zero level set of a field on a sparse grid as triangles. The inside is positive.
 *
 * Marching cubes with the table of cube_table.h: a closed manifold with outward orientation for any
 * field, provided that every inside node has all its neighbours in blocks of the grid (a margin of
 * one node; without a block the field is outside).
 *
 * A vertex belongs to a crossed edge of the grid, an edge to its lower node, a node to its block;
 * so vertices are numbered by prefix sums over blocks without duplicates. Vertices are at least
 * 1/64 of a cell away from nodes, so that no triangle is degenerate.
 */
#ifndef MO_GEOMETRY_GRID_ISOSURFACE_H
#define MO_GEOMETRY_GRID_ISOSURFACE_H

#include "geometry/grid/sparse_grid.h"
#include "geometry/trimesh/trimesh.h"

/* Normals are the field's gradient (central differences at the nodes, linear between them) and may
 * be zero or inaccurate where the field is not smooth; mo_trimesh_normals corrects those. */
mote_status mo_isosurface_extract(const mo_sparse_grid *grid, mo_pool *pool, mo_trimesh *mesh,
                                  mote_error *error);

#endif
