/*
 * Intersecting pairs of triangles of a set, over all pairs: an independent check of contact
 * methods. It shares nothing with hierarchies and collision times: triangles are sorted along one
 * axis, and every pair whose boxes overlap is tested.
 *
 * Triangles without a common corner intersect if they have a point in common
 * (mo_triangles_intersect). Triangles with one common corner intersect if an edge of one that does
 * not end there crosses the interior of the other; those with two common corners are adjacent.
 */
#ifndef MO_GEOMETRY_TRIMESH_CROSSINGS_H
#define MO_GEOMETRY_TRIMESH_CROSSINGS_H

#include "base/memory.h"
#include "math/vec3.h"

/* `corner`: three rows of x each; x: three components per row, finite. */
mote_status mo_crossings_count(mo_memory *memory, int64_t triangles, const int32_t *corner,
                               const double *x, int64_t *count, mote_error *error);

/* Whether two triangles intersect, given by their rows. */
bool mo_triangles_cross(const int32_t a[3], const int32_t b[3], const double *x);

#endif
