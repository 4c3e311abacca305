/*
 * Polygons of contact: clipping of the incident face at the sides of the reference face, and the
 * reduction of the result to a manifold.
 *
 * Every corner of a clipped polygon is the intersection of two lines: edges of the incident face
 * and sides of the reference face. The pair of their numbers identifies the corner in successive
 * steps, as long as the same lines intersect there, for any slip.
 */
#ifndef MO_COLLIDE_CLIP_H
#define MO_COLLIDE_CLIP_H

#include "collide/manifold.h"

/* Corners of a polygon after all cuts: those of both faces. */
enum { MO_POLYGON_MOST = 2 * 128 };

/* In the plane of the reference face: x, y; z is the height above it, the gap. */
typedef struct mo_corner {
    double x, y, z;
    uint16_t before, after; /* numbers of the intersecting lines */
} mo_corner;

/* Numbers of sides of the reference face begin here, those of incident edges at 0. */
enum { MO_CLIP_SIDE = 1 << 10 };

/* Keeps the part with nx x + ny y <= offset; `side` is the number of the line. Returns the number
 * of corners. */
int mo_clip(const mo_corner *in, int count, double nx, double ny, double offset, uint16_t side,
            mo_corner *out);

/* Chooses at most four corners in place: an extreme one, the farthest from it, and the ones that
 * span the largest area on both sides, unless all are on a line within `tolerance`; the deepest
 * replaces the nearest of them if it is missing and deeper by more than `tolerance`. Ties go to
 * the lower index. */
int mo_clip_reduce(mo_corner *corner, int count, double tolerance);

/* The key of a corner of the contact with a reference face (`kind` 1: of a, 2: of b). */
uint32_t mo_clip_key(const mo_corner *corner, uint32_t kind, uint32_t face);

#endif
