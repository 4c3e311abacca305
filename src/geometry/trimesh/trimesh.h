/*
 * A triangle mesh with shared vertices: manifold test, Euler characteristic, area and volume,
 * normals, volume-preserving smoothing.
 *
 * These use the fans: for each vertex the corners of its triangles. A mesh is a closed,
 * consistently oriented 2-manifold exactly if the triangles of every fan form one ring: a local
 * test that detects open edges, edges with more than two triangles, inconsistently oriented edges
 * and vertices where two sheets meet.
 */
#ifndef MO_GEOMETRY_TRIMESH_H
#define MO_GEOMETRY_TRIMESH_H

#include "base/pool.h"

typedef struct mo_trimesh {
    mo_memory *memory;
    int64_t vertices, triangles;
    double *x, *normal; /* three per vertex; normals have length 1 and point outward */
    int32_t *corner;    /* three per triangle, counter-clockwise from outside */
} mo_trimesh;

void mo_trimesh_init(mo_trimesh *mesh, mo_memory *memory);
void mo_trimesh_release(mo_trimesh *mesh);
mote_status mo_trimesh_reserve(mo_trimesh *mesh, int64_t vertices, int64_t triangles,
                               mote_error *error);

/* The corners at a vertex v: item[start[v] .. start[v + 1]), each 3 * triangle + (0, 1, 2),
 * ascending. */
typedef struct mo_fans {
    mo_memory *memory;
    int32_t *start, *item;
} mo_fans;

mote_status mo_fans_make(const mo_trimesh *mesh, mo_fans *fans, mote_error *error);
void mo_fans_release(mo_fans *fans);

typedef struct mo_trimesh_report {
    int64_t bad_vertices; /* whose fan is not one ring; 0: closed, manifold, oriented */
    int64_t pinched;      /* whose fan is neither a ring nor one sector; 0: manifold, oriented */
    int64_t border;       /* edges with one triangle */
    int64_t flat;         /* triangles without an area */
    int64_t euler;        /* vertices - edges + triangles; of a manifold */
    double area, volume;
} mo_trimesh_report;

mote_status mo_trimesh_examine(const mo_trimesh *mesh, const mo_fans *fans, mo_pool *pool,
                               mo_trimesh_report *report, mote_error *error);

/* Normals from the triangles, weighted by their angles at the vertex (Thuermer, Wuethrich 1998).
 * With `keep`, only those that are zero, or point against the triangles around them. */
void mo_trimesh_normals(mo_trimesh *mesh, const mo_fans *fans, mo_pool *pool, bool keep);

/* `passes` times a step of Laplacian smoothing and a longer one back (Taubin 1995), a low-pass
 * filter; then all vertices are offset along their normals to restore the volume. */
mote_status mo_trimesh_smooth(mo_trimesh *mesh, const mo_fans *fans, mo_pool *pool, int64_t passes,
                              mote_error *error);

#endif
