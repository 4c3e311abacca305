/*
 * Hanging nodes: where only one of two adjacent elements has been refined, a node of one lies on a
 * face or an edge of the other without being its corner. It is not constrained there, and a crack
 * opens under deformation.
 *
 * Such faces have no partner, so only the outer faces and their nodes are tested. Nodes that
 * coincide with a corner are allowed, as for adjacent bodies or the two sides of a cut.
 */
#ifndef MO_GEOMETRY_MESHFILE_HANGING_H
#define MO_GEOMETRY_MESHFILE_HANGING_H

#include "geometry/meshfile/source.h"

/* The mesh has its outer faces; the source gives the names for the message. */
mote_status mo_mesh_check_hanging(const mo_mesh *mesh, mo_mesh_source *source);

#endif
