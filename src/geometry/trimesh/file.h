/*
 * Surfaces from files: OBJ, PLY and STL (the last two as text or binary), read into a triangle
 * mesh.
 *
 * Files are not trusted: counts are checked against the file size before allocation, corners
 * against the points, and numbers must be finite. Messages name the file and the line, or in binary
 * files the element. Polygons become triangle fans about their first corner. Colours, texture and
 * normals are ignored.
 *
 * STL has no shared points: identical points are merged in the order of their first occurrence.
 * Points of OBJ and PLY are not merged (see mo_trimesh_weld).
 */
#ifndef MO_GEOMETRY_TRIMESH_FILE_H
#define MO_GEOMETRY_TRIMESH_FILE_H

#include "geometry/trimesh/trimesh.h"

/* The format is given by the extension: .obj, .ply, .stl. `mesh` is initialised; on failure it is
 * empty. */
mote_status mo_trimesh_read(const char *path, mo_trimesh *mesh, mote_error *error);

/* The same from memory; data[size] must be a zero byte. */
mote_status mo_trimesh_parse(const char *path, const char *data, size_t size, mo_trimesh *mesh,
                             mote_error *error);

/* Merges identical points; removes triangles with two equal corners and unused points. */
mote_status mo_trimesh_weld(mo_trimesh *mesh, mote_error *error);

/* ---- for the readers of the formats */

typedef struct mo_trimesh_source {
    const char *path, *at, *end; /* terminated by a zero byte */
    int64_t line;                /* of text; from 1 */
    mo_memory *memory;
    mote_error *error;
    double *x;
    int32_t *corner;
    int64_t points, triangles, point_capacity, triangle_capacity;
} mo_trimesh_source;

/* "file:12: ..." in text, "file: ..." where line is 0. */
mote_status mo_source_fail(const mo_trimesh_source *source, int64_t line, const char *format, ...)
    MO_PRINTF(3, 4);

mote_status mo_source_add_point(mo_trimesh_source *source, const double x[3]);
mote_status mo_source_add_triangle(mo_trimesh_source *source, const int32_t corner[3]);

/* The next word of the line, NULL at its end; the line's end is left for mo_source_next_line. */
bool mo_source_word(mo_trimesh_source *source, const char **word, size_t *length);
/* The next number of the line; false if there is none, or if it is not finite. */
bool mo_source_number(mo_trimesh_source *source, double *value);
/* Advances to the next line; false at the end of the file. */
bool mo_source_next_line(mo_trimesh_source *source);

mote_status mo_trimesh_parse_obj(mo_trimesh_source *source);
mote_status mo_trimesh_parse_ply(mo_trimesh_source *source);
mote_status mo_trimesh_parse_stl(mo_trimesh_source *source);

#endif
