/*
 * A triangle mesh assembled from Delaunay stars (stars.h): manifold by construction, with borders
 * where triangles would be too large.
 *
 * A triangle in the stars of all its corners is accepted: at a corner such triangles are sectors of
 * one star, so that they do not overlap. On a curved or cocircular sample few stars disagree. Their
 * triangles are tried in the order of votes, circumradius and rows, and accepted unless an edge has
 * its triangle already or sectors overlap at a corner. Remaining holes of few edges are closed ear
 * by ear under the same rules. Finally, of several fans at a vertex the largest remains.
 *
 * The stars and votes are found in parallel, the disputed triangles in one fixed order: the mesh is
 * the same on any number of threads.
 */
#ifndef MO_GEOMETRY_ASSEMBLY_H
#define MO_GEOMETRY_ASSEMBLY_H

#include "geometry/surface/stars.h"

/* The triangles at a vertex, counter-clockwise: the vertex, first[k], second[k]. */
typedef struct mo_star_fan {
    int32_t count;
    int32_t first[MO_STAR_MAX], second[MO_STAR_MAX];
} mo_star_fan;

typedef struct mo_assembly {
    mo_memory *memory;
    const mo_star_points *points;
    mo_star *star;    /* per point */
    mo_star_fan *fan; /* per point */
} mo_assembly;

/* The fans of all points; release it after a failure, too. */
mote_status mo_assembly_make(mo_assembly *assembly, const mo_star_points *points, mo_memory *memory,
                             mo_pool *pool, mote_error *error);
void mo_assembly_release(mo_assembly *assembly);

#endif
