/*
 * Points that ride on tetrahedra: each is written as a weighted sum of four nodes, and goes where
 * they go.
 *
 * A point inside a tetrahedron has its barycentric coordinates there as weights, all between 0 and
 * 1. A point outside of all of them (the finer surface pokes out of the coarse one between its
 * nodes) takes the nearest sound element and goes on linearly from there: some weights are then
 * negative. Sound is what is not nearly flat; in a flat tetrahedron a small step outwards would be
 * a large weight.
 */
#ifndef MO_GEOMETRY_MESH_EMBEDDING_H
#define MO_GEOMETRY_MESH_EMBEDDING_H

#include "geometry/mesh/mesh.h"

typedef struct mo_embedding {
    mo_memory *memory;
    int64_t count, outside; /* points, and how many of them are in no tetrahedron */
    int32_t *nodes;         /* four a point */
    double *weights;        /* four a point, of sum 1 */
} mo_embedding;

/* The mesh has tetrahedra and its outer faces. On failure there is nothing to release. */
mote_status mo_embed(const mo_mesh *mesh, const double *points, int64_t count,
                     mo_embedding *embedding, mote_error *error);
void mo_embedding_release(mo_embedding *embedding);

#endif
