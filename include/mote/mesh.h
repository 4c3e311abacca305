/*
 * mote/mesh.h: properties of a mesh file (Gmsh .msh, TetGen .node and .ele, VTK .vtu, surfaces .obj
 * .ply .stl), as printed by `mote info`. Bodies get their meshes through scenes ("mesh": {"type":
 * "file", ...}).
 */
#ifndef MOTE_MESH_H
#define MOTE_MESH_H

#include "mote/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_mesh_info {
    /* triangles: of the surface, the outer faces of tetrahedra */
    int64_t nodes, edges, triangles, tetrahedra;
    double low[3], high[3]; /* bounding box [m, or the file's unit] */
    /* volume of all tetrahedra and of the smallest; areas if there are none */
    double size, size_min;
    /* degrees: between faces of tetrahedra; else at corners of triangles */
    double angle_min, angle_max;
    double edge_min, edge_mean, edge_max;
    int64_t open_edges; /* edges of the surface without exactly two triangles; 0: closed */
    int components;     /* connected components */
    int set_count;      /* node sets, such as Gmsh's physical groups */
    char sets[32][48];  /* their names */
} mote_mesh_info;

/* Reads and checks the file as a scene does: invalid elements are errors that name them, unless
 * `repair` corrects them. */
mote_status mote_mesh_examine(const char *path, bool repair, mote_mesh_info *info,
                              mote_error *error);

/* Whether a path has the extension of a mesh file, including .ply, .obj and .stl. */
bool mote_mesh_has_extension(const char *path);

#ifdef __cplusplus
}
#endif

#endif
