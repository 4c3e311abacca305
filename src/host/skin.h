/*
 * Skins: surface meshes that move with bodies, for drawing and output. A skin has no state. Those
 * embedded in tetrahedra (geometry/mesh/embedding.h) interpolate positions and other columns from
 * the rows of their body by barycentric weights. Those of rigid bodies have a point in the body
 * frame for each vertex, x = x_row + R(q_row) offset, and take other columns from their row.
 */
#ifndef MO_HOST_SKIN_H
#define MO_HOST_SKIN_H

#include "geometry/generate/placing.h"
#include "geometry/mesh/mesh.h"
#include "geometry/trimesh/trimesh.h"

/* In a body of a scene. */
typedef struct mo_skin_def {
    const char *path; /* NULL: none */
    mo_placing placing;
} mo_skin_def;

extern const mo_section mo_skin_section;

typedef struct mo_skin {
    int64_t body;             /* of the system */
    int64_t first, row_count; /* its rows */
    int64_t vertex_count, triangle_count;
    int32_t *rows;      /* four per vertex */
    double *weights;    /* four per vertex */
    double *offsets;    /* three per vertex, in the frame of its first row; NULL: embedded */
    int32_t *triangles; /* three vertices each, counter-clockwise from outside */
} mo_skin;

/* The surface of the file, or that of the mesh, on the body whose first node is row `first`;
 * empty if there is neither. */
mote_status mo_skin_make(const mo_skin_def *def, const mo_mesh *mesh, int64_t body, int64_t first,
                         mo_memory *memory, mo_skin *skin, mote_error *error);
/* Largest distance of the skin outside its elements, in element heights. */
double mo_skin_distance(const mo_skin *skin);
void mo_skin_release(mo_skin *skin, mo_memory *memory);

/* Applies a row map (-1: removed); vertices with a removed row are removed together with their
 * triangles. `number` has one entry per vertex. */
void mo_skin_remap(mo_skin *skin, const int64_t *map, int32_t *number);

/* An empty skin of rigid bodies, to be filled by the caller: offsets, rows (one per vertex, by
 * mo_skin_tie) and triangles. */
mote_status mo_skin_make_rigid(int64_t body, int64_t first, int64_t rows, int64_t vertices,
                               int64_t triangles, mo_memory *memory, mo_skin *skin,
                               mote_error *error);
void mo_skin_tie(mo_skin *skin, int64_t vertex, int64_t row, mo_vec3 offset);

/* Interpolates a real-valued column to the vertices. `out` has `components` values per vertex.
 * `turn` is the column of quaternions, needed for the positions "x" on rigid bodies. */
void mo_skin_interpolate(const mo_skin *skin, const mote_column *column, const mote_column *turn,
                         double *out);

/* The row of largest weight at a vertex, for columns that cannot be interpolated. */
int32_t mo_skin_main_row(const mo_skin *skin, int64_t vertex);

#endif
