/*
 * Meshes of tetrahedra or triangles from files, by the file extension: Gmsh (.msh), TetGen (.node
 * and .ele, which belong together), VTK (.vtu); and surfaces (.obj, .ply, .stl: trimesh_file.h).
 */
#ifndef MO_GEOMETRY_MESHFILE_H
#define MO_GEOMETRY_MESHFILE_H

#include "geometry/mesh/mesh.h"

/* Whether the extension is one of these. */
bool mo_mesh_file_supported(const char *path);

/* The mesh is empty except for its memory. `repair` as in source.h. */
mote_status mo_mesh_file_read(const char *path, bool repair, mo_mesh *mesh, mote_error *error);

/* The same from memory; data[size] must be a zero byte. For TetGen's files `data` is the .node,
 * then the .ele, with a line of "--" between them. */
mote_status mo_mesh_file_parse(const char *path, const char *data, size_t size, bool repair,
                               mo_mesh *mesh, mote_error *error);

#endif
