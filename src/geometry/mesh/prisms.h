/*
 * Tetrahedra between sheets of triangles: the same triangles again and again, a layer of prisms
 * between each and the next, each prism cut into three.
 *
 * A cut must fit the cuts of the prisms beside it. Each side of a prism is a rectangle between two
 * columns of nodes; it is cut from the foot of the column with the lower number to the head of the
 * other, which both prisms agree on (Dompierre, Labbe, Vallet, Camarero 1999).
 */
#ifndef MO_GEOMETRY_MESH_PRISMS_H
#define MO_GEOMETRY_MESH_PRISMS_H

#include "geometry/mesh/mesh.h"

/* Node c of sheet s is node s * columns + c of the mesh; the triangles (of columns) run
 * counter-clockwise seen from the next sheet. */
mote_status mo_prisms_cut(mo_mesh *mesh, const int32_t *triangles, int64_t count, int64_t columns,
                          int64_t layers, mote_error *error);

#endif
