/*
 * Tetrahedra inside a surface by isosurface stuffing (Labelle, Shewchuk 2007), uniform.
 *
 * Space is filled with the tetrahedra of a body-centred cubic lattice: corners and centres of
 * cubes, each tetrahedron between two neighbouring centres and an edge of the square between them.
 * Its two long edges, the "black" ones, join points of the same kind and lie along the axes; its
 * four short "red" ones join corners with centres. Where an edge crosses the surface there is a
 * cut. A lattice point with a cut closer than a quarter of a black edge, or 0.41189 of a red one,
 * is warped onto the surface, which removes the cuts near it, and the remaining cut tetrahedra are
 * replaced by a few stencils. Since cuts are on lattice edges and not near lattice points, element
 * quality is bounded for any surface: the paper proves dihedral angles between 10.78 and 164.74
 * degrees.
 *
 * Features below the resolution are lost: thin parts get holes or vanish, and sharp edges are
 * truncated by up to an edge length.
 */
#ifndef MO_GEOMETRY_MESH_STUFFING_H
#define MO_GEOMETRY_MESH_STUFFING_H

#include "geometry/mesh/mesh.h"

/* Signed distances of `count` points, negative inside. */
typedef void mo_distance_fn(const void *context, int64_t count, const double *points,
                            double *distance);

/* Fills an empty mesh with tetrahedra, edges, outer faces, shares and the sets "all" and "surface".
 * `spacing` is the edge of the lattice's cubes. An error if no lattice point is inside. */
mote_status mo_stuff(mo_mesh *mesh, mo_distance_fn *distances, const void *context, mo_vec3 min,
                     mo_vec3 max, double spacing, mote_error *error);

#endif
