/*
 * Convex polyhedra: the convex hull of a set of points as half edges, with polygonal faces.
 *
 * The half edges of a face are consecutive and run counter-clockwise seen from outside. Vertices
 * are relative to `center`, the mean of the hull's vertices, so that hulls far from the origin lose
 * no digits. Coplanar triangles are merged into one face: contact of faces has the polygon's
 * corners, not those of an arbitrary triangulation.
 */
#ifndef MO_GEOMETRY_HULL_H
#define MO_GEOMETRY_HULL_H

#include "base/memory.h"
#include "math/vec3.h"

typedef struct mo_hull_edge {
    int32_t origin, twin, next, face;
} mo_hull_edge;

typedef struct mo_hull {
    int32_t vertices, faces, edges; /* edges: half edges */
    mo_vec3 center;
    double reach;    /* of the farthest vertex from the center */
    mo_vec3 *vertex; /* relative to the center */
    mo_vec3 *normal; /* of each face, outward, of length 1 */
    double *offset;  /* normal . x of the points of a face */
    int32_t *first;  /* half edges of face f: first[f] .. first[f + 1] */
    mo_hull_edge *edge;
} mo_hull;

/* Vertices that a hull may have; a larger hull is approximated from inside by the most extreme
 * points, one after another. */
enum { MO_HULL_VERTICES_MOST = 128 };

/* The hull of `count` points, three numbers each. Fails with a message that names `name` if there
 * are fewer than four points, if they are coplanar within rounding, or not finite. `lost` (may be
 * NULL) is the largest distance of a point from the hull, if vertices had to be left out. */
mote_status mo_hull_build(int64_t count, const double *points, const char *name, mo_arena *arena,
                          mo_hull *hull, double *lost, mote_error *error);

#endif
