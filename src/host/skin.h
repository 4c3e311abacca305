/*
 * Skins: fine surfaces that ride on the tetrahedra of bodies (geometry/mesh/embedding.h). The body
 * moves, the skin is what is drawn and written. A skin holds no state: places, and any other
 * column, follow from the rows of its body by fixed weights.
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
/* How far the skin lies outside the elements that carry it at most, in heights of these. */
double mo_skin_stray(const mo_skin *skin);
void mo_skin_release(mo_skin *skin, mo_memory *memory);

/* Rows have moved, those that are gone have -1; vertices that have lost one go, and triangles with
   them. `number` has room for one number a vertex. */
void mo_skin_remap(mo_skin *skin, const int64_t *map, int32_t *number);

/* A column at the vertices: real numbers by the weights. `out` has components numbers a vertex. */
void mo_skin_carry(const mo_skin *skin, const mote_column *column, double *out);

/* The row that counts most at a vertex, for what cannot be mixed. */
int32_t mo_skin_main_row(const mo_skin *skin, int64_t vertex);

#endif
