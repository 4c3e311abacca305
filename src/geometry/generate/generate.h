/*
 * The family of meshes of a scene: generators of nodes, edges, triangles and tetrahedra, and files.
 */
#ifndef MO_GEOMETRY_GENERATE_H
#define MO_GEOMETRY_GENERATE_H

#include "geometry/mesh/mesh.h"

typedef struct mo_mesh_type {
    mo_descriptor base;
    mote_status (*build)(const void *params, mo_mesh *mesh, mote_error *error);
} mo_mesh_type;

extern const mo_family mo_meshes;

/* Builds a scene's mesh. On failure nothing is allocated. */
mote_status mo_mesh_generate(mo_method method, mo_memory *memory, mo_mesh *mesh, mote_error *error);

#endif
