/* Axis-aligned boxes: the bounds of anything, in double precision. */
#ifndef MO_GEOMETRY_BOUND_BOX_H
#define MO_GEOMETRY_BOUND_BOX_H

#include "math/vec3.h"

#include <stdbool.h>

/* Closed: boxes that share a face overlap. Empty where some low is above its high; ends may be
 * infinite (a half-space), and a box with a NaN overlaps nothing. */
typedef struct mo_box {
    double low[3], high[3];
} mo_box;

static inline mo_box mo_box_empty(void)
{
    const double end = (double)INFINITY;
    return (mo_box){{end, end, end}, {-end, -end, -end}};
}

static inline void mo_box_grow(mo_box *box, const double x[3])
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = x[k] < box->low[k] ? x[k] : box->low[k];
        box->high[k] = x[k] > box->high[k] ? x[k] : box->high[k];
    }
}

/* Without branches: the compiler makes vectors of it. */
static inline bool mo_boxes_overlap(const mo_box *a, const mo_box *b)
{
    bool all = true;
    for (int k = 0; k < 3; ++k) {
        all &= (a->low[k] <= b->high[k]) & (b->low[k] <= a->high[k]);
    }
    return all;
}

static inline bool mo_box_is_empty(const mo_box *a)
{
    return !mo_boxes_overlap(a, a);
}

/* Is b within a? */
static inline bool mo_box_contains(const mo_box *a, const mo_box *b)
{
    bool all = true;
    for (int k = 0; k < 3; ++k) {
        all &= (a->low[k] <= b->low[k]) & (b->high[k] <= a->high[k]);
    }
    return all;
}

#endif
