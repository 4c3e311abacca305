/*
 * Skins: surface meshes embedded in the tetrahedra of bodies (geometry/mesh/embedding.h), for
 * drawing and output. A skin has no state: positions and other columns are interpolated from the
 * rows of its body by barycentric weights.
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
    int32_t *rows;      /* four a vertex */
    double *weights;    /* four a vertex */
    int32_t *triangles; /* three vertices each, counter-clockwise from outside */
} mo_skin;

/* The surface of the file, or that of the mesh itself, on the body whose first node is row `first`;
 * nothing if there is neither. */
mote_status mo_skin_make(const mo_skin_def *def, const mo_mesh *mesh, int64_t body, int64_t first,
                         mo_memory *memory, mo_skin *skin, mote_error *error);
/* Largest distance of the skin outside its elements, in element heights. */
double mo_skin_stray(const mo_skin *skin);
void mo_skin_release(mo_skin *skin, mo_memory *memory);

/* Applies a row map (-1: removed); vertices with a removed row are removed together with their
 * triangles. `number` has one entry per vertex. */
void mo_skin_remap(mo_skin *skin, const int64_t *map, int32_t *number);

/* Interpolates a real-valued column to the vertices. `out` has `components` values per vertex. */
void mo_skin_carry(const mo_skin *skin, const mote_column *column, double *out);

/* The row of largest weight at a vertex, for columns that cannot be interpolated. */
int32_t mo_skin_main_row(const mo_skin *skin, int64_t vertex);

#endif
