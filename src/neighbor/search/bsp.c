/*
 * A binary space partition: planes of arbitrary orientation split the points recursively. A plane
 * is perpendicular to the principal axis of the covariance, at the median, so that oblique sheets
 * and threads are split across their length. H. Fuchs, Z. M. Kedem, B. F. Naylor 1980, "On visible
 * surface generation by a priori tree structures", SIGGRAPH, 124; planes by the principal axis for
 * range search: R. F. Sproull 1991, "Refinements to nearest-neighbor searching in k-dimensional
 * trees", Algorithmica 6, 579.
 *
 * Pruning needs a margin for rounding: the projection of a point onto a direction is a sum of
 * products, which is not monotone. The margin bounds its error.
 */
#include "neighbor/search/halving.h"

enum { ITERATIONS = 8 };

typedef struct parameters {
    int64_t capacity;
} parameters;

static const mo_param PARAMS[] = {{"capacity", MO_INT, MO_FIELD(parameters, capacity),
                                   .initial = "16", .range = "[1, 1e6]",
                                   .doc = "Maximum number of points in a leaf."},
                                  {0}};

typedef struct plane {
    double normal[3];
    double lower_end, upper_begin; /* ends of the halves along the normal */
} plane;

typedef struct bsp {
    mo_packed packed;
    parameters p;
    double scale;       /* of the coordinates */
    mo_half_item *item; /* of the build */
    plane *planes;      /* by node */
    int64_t item_capacity, planes_capacity;
} bsp;

static const mo_structure_array ARRAYS[] = {
    MO_PACKED_ARRAYS(bsp), MO_STRUCTURE_ARRAY(bsp, item), MO_STRUCTURE_ARRAY(bsp, planes), {0}};

static const parameters DEFAULTS = {16};

/* ---- building ---- */

static inline double along(const double normal[3], const double *x)
{
    return normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2];
}

/* The covariance of the points as xx, yy, zz, xy, xz, yz; in units in which the widest side of
 * their box is 1, so that no square over- or underflows. */
static void covariance(const mo_half_item *item, int64_t low, int64_t high, double c[6])
{
    mo_search_window box = mo_search_window_at(mo_vec3_load(item[low].x), 0);
    double width = 0, sum[3] = {0}, square[6] = {0}, count = (double)(high - low);
    for (int64_t k = low + 1; k < high; ++k) {
        mo_search_window_include(&box, item[k].x);
    }
    for (int k = 0; k < 3; ++k) {
        width = fmax(width, box.high[k] - box.low[k]);
    }
    double scale = width > 0 ? 1 / width : 0;
    for (int64_t k = low; k < high; ++k) {
        double x = (item[k].x[0] - box.low[0]) * scale, y = (item[k].x[1] - box.low[1]) * scale;
        double z = (item[k].x[2] - box.low[2]) * scale;
        sum[0] += x;
        sum[1] += y;
        sum[2] += z;
        square[0] += x * x;
        square[1] += y * y;
        square[2] += z * z;
        square[3] += x * y;
        square[4] += x * z;
        square[5] += y * z;
    }
    for (int k = 0; k < 3; ++k) {
        c[k] = square[k] - sum[k] * sum[k] / count;
    }
    c[3] = square[3] - sum[0] * sum[1] / count;
    c[4] = square[4] - sum[0] * sum[2] / count;
    c[5] = square[5] - sum[1] * sum[2] / count;
}

/* Power iteration from the column of the largest variance. It need not converge: any direction
 * is valid. */
static mo_vec3 principal_axis(const double c[6])
{
    mo_vec3 x = {c[0], c[3], c[4]}, y = {c[3], c[1], c[5]}, z = {c[4], c[5], c[2]};
    mo_vec3 fallback = {1, 0, 0};
    mo_vec3 v = mo_unit(c[0] >= c[1] && c[0] >= c[2] ? x : c[1] >= c[2] ? y : z, fallback);
    for (int k = 0; k < ITERATIONS; ++k) {
        v = mo_unit(mo_vec3_make(mo_dot(x, v), mo_dot(y, v), mo_dot(z, v)), v);
    }
    return v;
}

static void choose_plane(void *context, int64_t node, mo_half_item *item, int64_t low, int64_t high)
{
    bsp *t = context;
    double c[6];
    covariance(item, low, high, c);
    plane *p = t->planes + node;
    mo_vec3_store(p->normal, principal_axis(c));
    for (int64_t k = low; k < high; ++k) {
        item[k].key = along(p->normal, item[k].x);
    }
}

static void find_ends(void *context, int64_t node, const mo_half_item *item, int64_t low,
                      int64_t middle, int64_t high)
{
    plane *p = ((bsp *)context)->planes + node;
    p->lower_end = item[low].key;
    for (int64_t k = low + 1; k < middle; ++k) {
        p->lower_end = fmax(p->lower_end, item[k].key);
    }
    p->upper_begin = item[middle].key;
    for (int64_t k = middle + 1; k < high; ++k) {
        p->upper_begin = fmin(p->upper_begin, item[k].key);
    }
}

static mote_status bsp_build(void *instance, const mo_search_points *points, mo_pool *pool,
                             mote_error *error)
{
    bsp *t = instance;
    int64_t rows = points->rows;
    t->packed.head.points = *points;
    t->scale = 0;
    for (int k = 0; rows > 0 && k < 3; ++k) {
        t->scale = fmax(t->scale, fmax(fabs(points->low[k]), fabs(points->high[k])));
    }
    MO_TRY(mo_packed_resize(&t->packed, rows, error));
    MO_TRY(mo_reserve(t->packed.head.memory, &t->item, &t->item_capacity, rows, sizeof *t->item,
                      error));
    MO_TRY(mo_reserve(t->packed.head.memory, &t->planes, &t->planes_capacity,
                      mo_half_nodes(rows, t->p.capacity), sizeof *t->planes, error));
    mo_halve(&(mo_halving){t->item, rows, t->p.capacity, false, choose_plane, find_ends, t},
             &t->packed, pool);
    return MOTE_OK;
}

/* ---- searching ---- */

/* Extent of a window along a normal. |n . (x - p)| <= |n| |x - p|, and |n| is 1 up to rounding.
 * A sum of three products has an error of less than 4 units in the last place of the largest
 * term; `slack` allows for that on both sides, and for the window's own. */
typedef struct cover {
    double center[3], half[3], reach, slack;
} cover;

static cover cover_of(const bsp *t, const mo_search_window *w)
{
    cover c;
    double scale = t->scale;
    for (int k = 0; k < 3; ++k) {
        c.center[k] = 0.5 * w->low[k] + 0.5 * w->high[k];
        c.half[k] = 0.5 * (w->high[k] - w->low[k]);
        scale = fmax(scale, fmax(fabs(w->low[k]), fabs(w->high[k])));
    }
    c.slack = 64 * 0x1p-53 * scale;
    c.reach = w->reach * (1 + 0x1p-40) + c.slack;
    return c;
}

static void bsp_walk(const void *instance, const mo_search_window *window, mo_runs *runs)
{
    const bsp *t = instance;
    mo_half stack[MO_HALF_DEPTH + 2];
    int depth = 0;
    if (t->packed.head.points.rows == 0 ||
        mo_search_window_gap(window, t->packed.head.points.low, t->packed.head.points.high) >
            window->square) {
        return;
    }
    cover c = cover_of(t, window);
    stack[depth++] = (mo_half){1, 0, t->packed.head.points.rows};
    while (depth > 0) {
        mo_half at = stack[--depth];
        if (at.high - at.low <= t->p.capacity) {
            mo_runs_add(runs, (int32_t)at.low, (int32_t)at.high);
            continue;
        }
        const plane *p = t->planes + at.node;
        double center = along(p->normal, c.center), reach = c.reach;
        for (int k = 0; k < 3; ++k) {
            reach += fabs(p->normal[k]) * c.half[k];
        }
        if (center + reach >= p->upper_begin) {
            stack[depth++] = mo_half_upper(at, false);
        }
        if (center - reach <= p->lower_end) {
            stack[depth++] = mo_half_lower(at);
        }
    }
}

const mo_search_type mo_search_bsp = {
    .base =
        {.name = "bsp",
         .summary = "Binary space partition by planes perpendicular to the direction of largest "
                    "variance.",
         .citation =
             "R. F. Sproull 1991, Algorithmica 6, 579; Fuchs, Kedem, Naylor 1980, SIGGRAPH, 124",
         .capabilities = MO_SEARCH_PARALLEL | MO_PORTABLE,
         .param_size = sizeof(parameters),
         .params = PARAMS},
    .layout = {.size = sizeof(bsp),
               .params = offsetof(bsp, p),
               .defaults = &DEFAULTS,
               .arrays = ARRAYS},
    .build = bsp_build,
    .walk = bsp_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
};
