/*
 * Primitives of a hierarchy or a space subdivision: points, edges, triangles, tetrahedra,
 * or boxes, given by their corners in an array of positions. With `end`, the primitives move in a
 * straight line from x to end, and volumes enclose the path: for continuous detection.
 */
#ifndef MO_GEOMETRY_SIMPLEX_SIMPLICES_H
#define MO_GEOMETRY_SIMPLEX_SIMPLICES_H

#include "geometry/bound/box.h"

#include <stddef.h>

enum { MO_SIMPLEX_POINTS_MAX = 8 };

typedef struct mo_simplices {
    int64_t count;
    int corners;           /* of each: 1 to 4; 2 of boxes: the lowest and the highest */
    const int32_t *corner; /* rows of x; NULL: one primitive's corners follow the other's */
    const double *x;       /* three components per row */
    const double *end;     /* the same at the end of the step; NULL: they rest */
    bool boxes;            /* not simplices: two corners of axis-aligned boxes */
    double margin;         /* volumes are larger by this on all sides */
} mo_simplices;

/* Boxes as primitives: a mo_box is two corners. */
static inline mo_simplices mo_simplices_of_boxes(int64_t count, const mo_box *boxes)
{
    return (mo_simplices){.count = count, .corners = 2, .x = mo_box_numbers(boxes), .boxes = true};
}

static inline int64_t mo_simplex_row(const mo_simplices *s, int64_t primitive, int k)
{
    int64_t at = s->corners * primitive + k;
    return s->corner ? s->corner[at] : at;
}

/* Its box, without the margin. */
static inline mo_box mo_simplex_box(const mo_simplices *s, int64_t primitive)
{
    mo_box box = mo_box_empty();
    for (int k = 0; k < s->corners; ++k) {
        int64_t row = mo_simplex_row(s, primitive, k);
        mo_box_grow(&box, s->x + 3 * row);
        if (s->end) {
            mo_box_grow(&box, s->end + 3 * row);
        }
    }
    return box;
}

/* The points whose convex hull it is, relative to an origin; how many they are. */
int mo_simplex_points(const mo_simplices *s, int64_t primitive, mo_vec3 origin,
                      double points[3 * MO_SIMPLEX_POINTS_MAX]);

/* The same for every primitive of a set. */
static inline int mo_simplex_point_count(const mo_simplices *s)
{
    return s->boxes ? 8 : s->corners * (s->end ? 2 : 1);
}

#endif
