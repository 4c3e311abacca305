/*
 * Contact areas of two support features: opposing faces, segments and points.
 */
#ifndef MO_COLLIDE_POLYGON_H
#define MO_COLLIDE_POLYGON_H

#include "collide/convex/clip.h"
#include "collide/convex/convex.h"

enum { MO_FACE_MOST = 128 };

/* A feature: a point, a segment, or a face, whose corners run counter-clockwise about the
 * normal. */
typedef struct mo_polygon {
    int count;
    uint16_t first; /* number of the line from corner 0 to corner 1; others follow */
    uint32_t face;
    mo_vec3 normal; /* of a face */
    mo_vec3 x[MO_FACE_MOST];
} mo_polygon;

/* The feature of a shape that is farthest along a unit vector, within a few degrees. */
void mo_support_polygon(const mo_posed *posed, mo_vec3 direction, mo_polygon *polygon);

/* The manifold of a reference face (at least three corners) and the other shape's feature, up to
 * the margin; `of_a`: the reference is of a. Points nearer to each other than `tolerance` are one
 * when four are chosen. The number of points. */
int mo_polygon_contact(const mo_polygon *reference, const mo_polygon *incident, bool of_a,
                       double margin, double tolerance, mo_manifold *m);

#endif
