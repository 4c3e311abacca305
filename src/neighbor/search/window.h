/*
 * Windows: the bounding box of one or several positions, and the search radius beyond it.
 *
 * Pruning is exact, without any margin, because rounding is monotone. If x >= low then fl(x - p) >=
 * fl(low - p); squares and sums of such terms keep the order. The square of the gap between a
 * window and a box, with its terms in the order of mo_square, is therefore at most that of any pair
 * of points in them, and pruned pairs are never within. Likewise fl(p - reach) is at most any x
 * within the reach, and so are their cells.
 */
#ifndef MO_NEIGHBOR_SEARCH_WINDOW_H
#define MO_NEIGHBOR_SEARCH_WINDOW_H

#include "math/vec3.h"

#include <stdbool.h>

typedef struct mo_search_window {
    double low[3], high[3]; /* of the query positions */
    double reach;           /* slightly above the radius: an upper bound of |x - p| of pairs */
    double square;          /* of the radius */
} mo_search_window;

/* The square of the distance, each term rounded as written: the definition of search.h. */
static inline double mo_square(const double *x, mo_vec3 p)
{
    double dx = x[0] - p.x, dy = x[1] - p.y, dz = x[2] - p.z;
    return dx * dx + dy * dy + dz * dz;
}

static inline mo_search_window mo_search_window_at(mo_vec3 p, double radius)
{
    /* twice the largest values whose squares are 0 or denormal minimum */
    static const double UNDERFLOW = 1e-161;
    double reach = radius * (1 + 0x1p-40) + UNDERFLOW;
    return (mo_search_window){{p.x, p.y, p.z}, {p.x, p.y, p.z}, reach, radius * radius};
}

static inline void mo_search_window_include(mo_search_window *w, const double *x)
{
    for (int k = 0; k < 3; ++k) {
        w->low[k] = x[k] < w->low[k] ? x[k] : w->low[k];
        w->high[k] = x[k] > w->high[k] ? x[k] : w->high[k];
    }
}

static inline double mo_gap(double low, double high, double other_low, double other_high)
{
    double above = other_low - high, below = low - other_high;
    double gap = above > below ? above : below;
    return gap > 0 ? gap : 0;
}

/* The square of the gap between a window and a box. */
static inline double mo_search_window_gap(const mo_search_window *w, const double *low,
                                          const double *high)
{
    double x = mo_gap(w->low[0], w->high[0], low[0], high[0]);
    double y = mo_gap(w->low[1], w->high[1], low[1], high[1]);
    double z = mo_gap(w->low[2], w->high[2], low[2], high[2]);
    return x * x + y * y + z * z;
}

#endif
