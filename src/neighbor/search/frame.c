#include "neighbor/search/cells.h"

#include <string.h>

enum {
    ROW_GRAIN = 4096,
    AXIS_CELLS_MAX = 1 << 20, /* keeps the rounding of a cell index far below MARGIN */
    TRIMS_MAX = 8
};

/* Cells are wider than requested by more than the rounding of a position in units of cells (2^20
 * 2^-51), so that a pair at exactly the width is never two cells apart. */
static const double MARGIN = 1 + 0x1p-20;

typedef struct box {
    double low[3], high[3];
} box;

typedef struct boxed_points {
    const double *x;
    box b;
} boxed_points;

static inline bool in_box(const box *b, const double *x)
{
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        inside = inside && x[k] >= b->low[k] && x[k] <= b->high[k];
    }
    return inside;
}

/* ---- bounding box of a subset ---- */

enum { BOUND_HIGH, BOUND_LOW = 3, BOUNDS = 6 };

/* Of the points in the box: the highest x, y, z and the highest -x, -y, -z. */
static void bound_range(void *context, int64_t first, int64_t last, double *bound)
{
    const boxed_points *points = context;
    for (int k = 0; k < BOUNDS; ++k) {
        bound[k] = -(double)INFINITY;
    }
    for (int64_t row = first; row < last; ++row) {
        const double *x = points->x + 3 * row;
        for (int k = 0; k < 3 && in_box(&points->b, x); ++k) {
            bound[BOUND_HIGH + k] = x[k] > bound[BOUND_HIGH + k] ? x[k] : bound[BOUND_HIGH + k];
            bound[BOUND_LOW + k] = -x[k] > bound[BOUND_LOW + k] ? -x[k] : bound[BOUND_LOW + k];
        }
    }
}

/* Shrinks the box to the points in it. */
static mote_status fit_box(mo_pool *pool, int64_t rows, boxed_points *points, mote_error *error)
{
    double bound[BOUNDS];
    MO_TRY(mo_parallel_reduce(pool, rows, ROW_GRAIN, MO_MAX, BOUNDS, bound_range, points, bound,
                              error));
    for (int k = 0; k < 3; ++k) {
        points->b.low[k] = -bound[BOUND_LOW + k];
        points->b.high[k] = bound[BOUND_HIGH + k];
    }
    return MOTE_OK;
}

/* ---- outliers ---- */

static double cells_along(const box *b, int k, double width)
{
    return floor((b->high[k] - b->low[k]) / width) + 1;
}

static bool fits(const box *b, double width, double most)
{
    double cells = 1;
    for (int k = 0; k < 3; ++k) {
        double along = cells_along(b, k, width);
        if (!(along <= AXIS_CELLS_MAX)) {
            return false;
        }
        cells *= along;
    }
    return cells <= most;
}

enum { MOMENT_COUNT, MOMENT_SUM, MOMENT_SQUARES = 4, MOMENTS = 7 };

/* Relative coordinate in the box: 0 at the lower side, 1 at the upper. */
static inline double fraction(const box *b, int k, double x)
{
    double length = b->high[k] - b->low[k];
    return length > 0 ? (x - b->low[k]) / length : 0;
}

/* Number, sums and sums of squares of the points in the box, as fractions of its sides. */
static void moments_of_range(void *context, int64_t first, int64_t last, double *moment)
{
    const boxed_points *points = context;
    memset(moment, 0, MOMENTS * sizeof *moment);
    for (int64_t row = first; row < last; ++row) {
        const double *x = points->x + 3 * row;
        bool inside = in_box(&points->b, x);
        for (int k = 0; inside && k < 3; ++k) {
            double a = fraction(&points->b, k, x[k]);
            moment[MOMENT_SUM + k] += a;
            moment[MOMENT_SQUARES + k] += a * a;
        }
        moment[MOMENT_COUNT] += inside;
    }
}

/* Cuts the box to three standard deviations about the mean of the points in it, which keeps at
 * least two thirds of them (Chebyshev). A uniformly filled box has sides of 3.5 standard
 * deviations and is not cut. */
static void cut_box(box *b, const double moment[MOMENTS])
{
    static const double ROUNDING = 1e-6; /* of the deviation: the variance is a difference */
    for (int k = 0; k < 3; ++k) {
        double mean = moment[MOMENT_SUM + k] / moment[MOMENT_COUNT];
        double variance = moment[MOMENT_SQUARES + k] / moment[MOMENT_COUNT] - mean * mean;
        double reach = 3 * sqrt(fmax(variance, 0)) + ROUNDING, low = b->low[k],
               length = b->high[k] - low;
        b->low[k] = fmax(low, low + (mean - reach) * length);
        b->high[k] = fmin(b->high[k], low + (mean + reach) * length);
    }
}

static bool has_halved(const box *before, const box *after)
{
    bool halved = false;
    for (int k = 0; k < 3; ++k) {
        halved =
            halved || after->high[k] - after->low[k] < 0.5 * (before->high[k] - before->low[k]);
    }
    return halved;
}

/* Excludes outliers while the box has too many cells: a single distant particle must not widen the
 * cells for all others. */
static mote_status trim_box(mo_pool *pool, int64_t rows, boxed_points *points, double width,
                            double most, mote_error *error)
{
    bool halved = true;
    for (int k = 0; k < TRIMS_MAX && halved && !fits(&points->b, width, most); ++k) {
        double moment[MOMENTS];
        box before = points->b;
        MO_TRY(mo_parallel_reduce(pool, rows, ROW_GRAIN, MO_SUM, MOMENTS, moments_of_range, points,
                                  moment, error));
        cut_box(&points->b, moment);
        MO_TRY(fit_box(pool, rows, points, error));
        halved = has_halved(&before, &points->b);
    }
    return MOTE_OK;
}

mote_status mo_cell_frame_choose(mo_cell_frame *frame, const mo_search_points *points, double width,
                                 int64_t most, mo_pool *pool, mote_error *error)
{
    boxed_points boxed = {.x = points->x};
    memcpy(boxed.b.low, points->low, sizeof boxed.b.low);
    memcpy(boxed.b.high, points->high, sizeof boxed.b.high);
    box all = boxed.b;
    width *= MARGIN;
    MO_TRY(trim_box(pool, points->rows, &boxed, width, (double)most, error));
    while (!fits(&boxed.b, width, (double)most)) {
        width *= 1.25;
    }
    for (int k = 0; k < 3; ++k) {
        frame->low[k] = boxed.b.low[k];
        frame->size[k] = (int64_t)cells_along(&boxed.b, k, width);
    }
    frame->width = width;
    frame->inverse_width = 1 / width;
    frame->strays = memcmp(&all, &boxed.b, sizeof all) != 0;
    return MOTE_OK;
}
