/*
 * Nodes that hang: where two elements meet, but one side has been refined and the other has not, a
 * node of the one lies on a face or an edge of the other without being its corner. Nothing ties it
 * there, and a crack opens when the body moves.
 *
 * Such faces have no partner, so only the outer faces and their nodes need to be looked at. A node
 * that coincides with a corner does not count: that is how two bodies, or the two sides of a cut,
 * lie side by side.
 */
#ifndef MO_GEOMETRY_MESHFILE_HANGING_H
#define MO_GEOMETRY_MESHFILE_HANGING_H

#include "geometry/meshfile/source.h"

/* The mesh has its outer faces; the source gives the names for the message. */
mote_status mo_mesh_check_hanging(const mo_mesh *mesh, mo_mesh_source *source);

#endif
