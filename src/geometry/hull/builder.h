/* The triangulated hull while it is built (build.c), and what makes polygons of it (merge.c). */
#ifndef MO_GEOMETRY_HULL_BUILDER_H
#define MO_GEOMETRY_HULL_BUILDER_H

#include "geometry/hull/hull.h"

/* A triangulation of n vertices has 2 n - 4 triangles; while a point is added, the replaced ones
 * are still there. */
enum { MO_HULL_TRIANGLES = 4 * MO_HULL_VERTICES_MOST };

typedef struct mo_hull_triangle {
    int32_t v[3];
    int32_t next[3]; /* across the edge from v[k] to v[k + 1] */
    mo_vec3 normal;
    double offset, area;
    bool live, visible;
} mo_hull_triangle;

typedef struct mo_hull_builder {
    int64_t count;
    const double *points;
    mo_vec3 center;
    double size, epsilon;
    double *far;   /* of each point from the triangle that it sees */
    int32_t *sees; /* -1: inside */
    int32_t vertices, used, free_count;
    mo_vec3 vertex[MO_HULL_VERTICES_MOST];
    mo_hull_triangle triangle[MO_HULL_TRIANGLES];
    int32_t free[MO_HULL_TRIANGLES], visible[MO_HULL_TRIANGLES], fan[MO_HULL_TRIANGLES];
    int32_t loop[MO_HULL_VERTICES_MOST], beyond[MO_HULL_VERTICES_MOST];
} mo_hull_builder;

/* Merges coplanar triangles into faces and makes the hull in the arena. */
mote_status mo_hull_merge(mo_hull_builder *builder, mo_arena *arena, mo_hull *hull,
                          mote_error *error);

#endif
