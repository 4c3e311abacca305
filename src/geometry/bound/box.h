/* Axis-aligned boxes: the bounds of anything, in double precision. */
#ifndef MO_GEOMETRY_BOUND_BOX_H
#define MO_GEOMETRY_BOUND_BOX_H

#include "math/vec3.h"
#include "math/wide.h"

#include <stdbool.h>

/* Closed: boxes that share a face overlap. Empty where some low is above its high; ends may be
 * infinite (a half-space), and a box with a NaN overlaps nothing. */
typedef struct mo_box {
    double low[3], high[3];
} mo_box;

/* Its six numbers, the lowest corner first. */
static inline const double *mo_box_numbers(const mo_box *box)
{
    return (const double *)(const void *)box;
}

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

/* Three comparisons at a time: (l0 l1 l2 h0) of one against (h0 h1 h2) of the other. */
static inline bool mo_boxes_overlap(const mo_box *a, const mo_box *b)
{
    const double *p = mo_box_numbers(a), *q = mo_box_numbers(b);
    mo_d4 a_low = mo_d4_load(p), b_low = mo_d4_load(q);
    mo_d4 a_high = mo_d4_load(p + 2), b_high = mo_d4_load(q + 2); /* l2 h0 h1 h2 */
    a_high = __builtin_shufflevector(a_high, a_high, 1, 2, 3, 3);
    b_high = __builtin_shufflevector(b_high, b_high, 1, 2, 3, 3);
    mo_l4 apart = ~((a_low <= b_high) & (b_low <= a_high)) & (mo_l4){-1, -1, -1, 0};
    return !mo_l4_any(apart);
}

static inline bool mo_box_is_empty(const mo_box *a)
{
    return !mo_boxes_overlap(a, a);
}

/* Whether b is within a. */
static inline bool mo_box_contains(const mo_box *a, const mo_box *b)
{
    bool all = true;
    for (int k = 0; k < 3; ++k) {
        all &= (a->low[k] <= b->low[k]) & (b->high[k] <= a->high[k]);
    }
    return all;
}

#endif
