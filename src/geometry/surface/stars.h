/*
 * Delaunay stars of points on a surface with known normals: for every point the edges and triangles
 * at it in the Delaunay triangulation of its neighbours in its tangent plane (J.-D. Boissonnat, A.
 * Ghosh 2014, "Manifold reconstruction using tangential Delaunay complexes", Discrete Comput. Geom.
 * 51, 221).
 *
 * A star follows from the Voronoi cell of the point: the neighbours whose bisectors bound the cell
 * are the ends of its edges, and the vertices of the cell are the centres of the circumcircles of
 * its triangles. Neighbours are turned into the tangent plane at their true distance, which
 * distorts less on a curved surface than a projection. A neighbour counts only if its normal and
 * the line to it are within given angles, so that stars do not connect the sides of a thin body.
 */
#ifndef MO_GEOMETRY_STARS_H
#define MO_GEOMETRY_STARS_H

#include "base/pool.h"
#include "math/vec3.h"

#include <stdint.h>

enum { MO_STAR_MAX = 20, MO_STAR_GRAIN = 256 };

/* The ends of the edges at a point, counter-clockwise about its normal; bit k of `triangles`: its
 * edges k and k + 1 (the last and the first) are the sides of a triangle. */
typedef struct mo_star {
    int32_t count;
    uint32_t triangles;
    int32_t end[MO_STAR_MAX];
} mo_star;

/* Points with unit normals, their neighbours (full lists), and the limits. */
typedef struct mo_star_points {
    int64_t count;
    const double *x, *normal;
    const int64_t *start;
    const int32_t *near_count, *near;
    double radius;       /* largest circumradius of a triangle */
    double axis_cosine;  /* of the largest angle between the normals of neighbours */
    double slope_square; /* squared sine of the largest angle between an edge and a tangent plane */
} mo_star_points;

/* Cartesian axes of the tangent plane of a point. */
typedef struct mo_tangents {
    mo_vec3 x, first, second;
} mo_tangents;

mo_tangents mo_tangents_at(const mo_star_points *points, int64_t row);

/* The direction from the point to another in its tangent plane, with the length of their
 * distance. */
typedef struct mo_planar {
    double u, v;
} mo_planar;

mo_planar mo_tangents_of(const mo_tangents *t, mo_vec3 x);

static inline double mo_planar_cross(mo_planar a, mo_planar b)
{
    return a.u * b.v - a.v * b.u;
}

/* Whether two points count as neighbours on the surface; symmetric. */
bool mo_star_joins(const mo_star_points *points, int64_t a, int64_t b);

mo_star mo_star_at(const mo_star_points *points, int64_t row);

/* The index of the edge of a star that ends at `end` and begins a triangle whose next edge ends at
 * `next`; -1: none. */
int mo_star_find(const mo_star *star, int32_t end, int32_t next);

#endif
