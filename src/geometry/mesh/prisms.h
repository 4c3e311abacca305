/*
 * Tetrahedra between parallel sheets of equal triangulation: layers of prisms, each split into
 * three tetrahedra.
 *
 * The splits of adjacent prisms must match. Each side of a prism is a quadrilateral between two
 * columns of nodes; its diagonal runs from the bottom of the column with the lower index to the top
 * of the other, for both prisms (Dompierre, Labbe, Vallet, Camarero 1999).
 */
#ifndef MO_GEOMETRY_MESH_PRISMS_H
#define MO_GEOMETRY_MESH_PRISMS_H

#include "geometry/mesh/mesh.h"

/* Node c of sheet s is node s * columns + c of the mesh; the triangles (of columns) run
 * counter-clockwise seen from the next sheet. */
mote_status mo_prisms_cut(mo_mesh *mesh, const int32_t *triangles, int64_t count, int64_t columns,
                          int64_t layers, mote_error *error);

#endif
