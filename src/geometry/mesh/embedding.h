/*
 * Barycentric embedding of points in tetrahedra: each is a weighted sum of four nodes.
 *
 * A point inside a tetrahedron has its barycentric coordinates there as weights, all between 0 and
 * 1. A point outside all of them (a fine surface outside the coarse mesh) is extrapolated linearly
 * from the nearest non-degenerate element, with some negative weights. Nearly flat elements are
 * excluded, since their weights would be large.
 */
#ifndef MO_GEOMETRY_MESH_EMBEDDING_H
#define MO_GEOMETRY_MESH_EMBEDDING_H

#include "geometry/mesh/mesh.h"

typedef struct mo_embedding {
    mo_memory *memory;
    int64_t count, outside; /* points, and the number of those in no tetrahedron */
    int32_t *nodes;         /* four per point */
    double *weights;        /* four per point, with sum 1 */
} mo_embedding;

/* The mesh has tetrahedra and its outer faces. On failure nothing is allocated. */
mote_status mo_embed(const mo_mesh *mesh, const double *points, int64_t count,
                     mo_embedding *embedding, mote_error *error);
void mo_embedding_release(mo_embedding *embedding);

#endif
