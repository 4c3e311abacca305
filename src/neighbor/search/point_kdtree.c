/*
 * The point kd-tree: every node is a point, the median of its subtree along the axis of its level;
 * the axes alternate. J. L. Bentley 1975, "Multidimensional binary search trees used for
 * associative searching", Commun. ACM 18, 509, section 2, with the medians of his optimized trees.
 * J. H. Friedman, J. L. Bentley, R. A. Finkel 1977, ACM Trans. Math. Softw. 3, 209: `widest`, the
 * axis of largest extent, `leaf`, buckets of several points, and the search for the k nearest.
 *
 * The tree is an array in order (halving.h): no pointers, one byte per node.
 */
#include "neighbor/search/halving.h"
#include "neighbor/search/nearest.h"

#include <string.h>

typedef struct parameters {
    bool widest;
    int64_t leaf;
} parameters;

static const mo_param PARAMS[] = {
    {"widest", MO_BOOL, MO_FIELD(parameters, widest), .initial = "false",
     .doc = "Cut along the axis of the largest spread instead of along the axes in turn."},
    {"leaf", MO_INT, MO_FIELD(parameters, leaf), .initial = "1", .range = "[1, 1e6]",
     .doc = "Points that end the tree together; 1: every node is one point. 8 is faster."},
    {0}};

static const parameters DEFAULTS = {false, 1};

typedef struct point_kdtree {
    mo_packed packed;
    parameters p;
    mo_half_item *item; /* of the build */
    uint8_t *axis;      /* by node */
    int64_t item_capacity, axis_capacity;
} point_kdtree;

static const mo_structure_array ARRAYS[] = {MO_PACKED_ARRAYS(point_kdtree),
                                            MO_STRUCTURE_ARRAY(point_kdtree, item),
                                            MO_STRUCTURE_ARRAY(point_kdtree, axis),
                                            {0}};

/* ---- building ---- */

static int widest_axis(const mo_half_item *item, int64_t low, int64_t high)
{
    mo_search_window box = mo_search_window_at(mo_vec3_load(item[low].x), 0);
    for (int64_t k = low + 1; k < high; ++k) {
        mo_search_window_include(&box, item[k].x);
    }
    double width[3] = {box.high[0] - box.low[0], box.high[1] - box.low[1],
                       box.high[2] - box.low[2]};
    return width[0] >= width[1] && width[0] >= width[2] ? 0 : width[1] >= width[2] ? 1 : 2;
}

static void choose_axis(void *context, int64_t node, mo_half_item *item, int64_t low, int64_t high)
{
    point_kdtree *t = context;
    int level = 63 - __builtin_clzll((uint64_t)node);
    int axis =
        t->p.widest ? widest_axis(item, low, high) : level % (t->packed.head.points.flat ? 2 : 3);
    t->axis[node] = (uint8_t)axis;
    for (int64_t k = low; k < high; ++k) {
        item[k].key = item[k].x[axis];
    }
}

static mote_status point_kdtree_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                      mote_error *error)
{
    point_kdtree *t = instance;
    int64_t rows = points->rows;
    t->packed.head.points = *points;
    MO_TRY(mo_packed_resize(&t->packed, rows, error));
    MO_TRY(mo_reserve(t->packed.head.memory, &t->item, &t->item_capacity, rows, sizeof *t->item,
                      error));
    MO_TRY(mo_reserve(t->packed.head.memory, &t->axis, &t->axis_capacity,
                      mo_half_nodes(rows, t->p.leaf), 1, error));
    mo_halve(&(mo_halving){t->item, rows, t->p.leaf, true, choose_axis, NULL, t}, &t->packed, pool);
    return MOTE_OK;
}

/* ---- searching ---- */

static inline const double *coordinates(const point_kdtree *t, int axis)
{
    return axis == 0 ? t->packed.x : axis == 1 ? t->packed.y : t->packed.z;
}

/* In order, so that consecutive slots become one run. A node's point is a range of one. */
static void point_kdtree_walk(const void *instance, const mo_search_window *window, mo_runs *runs)
{
    const point_kdtree *t = instance;
    mo_half stack[2 * MO_HALF_DEPTH + 2];
    int depth = 0;
    stack[depth++] = (mo_half){1, 0, t->packed.head.points.rows};
    while (depth > 0) {
        mo_half at = stack[--depth];
        if (at.high - at.low <= t->p.leaf) {
            mo_runs_add(runs, (int32_t)at.low, (int32_t)at.high);
            continue;
        }
        int axis = t->axis[at.node];
        int64_t middle = at.low + (at.high - at.low) / 2;
        double cut = coordinates(t, axis)[middle];
        bool lower = window->low[axis] - window->reach <= cut;
        bool upper = window->high[axis] + window->reach >= cut;
        if (upper) {
            stack[depth++] = mo_half_upper(at, true);
        }
        if (lower && upper) {
            stack[depth++] = (mo_half){0, middle, middle + 1};
        }
        if (lower) {
            stack[depth++] = mo_half_lower(at);
        }
    }
}

/* A subtree, and its distance from the query position along each axis. */
typedef struct part {
    mo_half at;
    double gap[3];
} part;

static inline double square_of(const double gap[3])
{
    return gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
}

static void test_slots(const point_kdtree *t, int64_t first, int64_t last, mo_vec3 p, mo_nearest *n)
{
    for (int64_t k = first; k < last; ++k) {
        double x[3] = {t->packed.x[k], t->packed.y[k], t->packed.z[k]};
        mo_nearest_put(n, t->packed.row_at[k], mo_square(x, p));
    }
}

/* The half that contains the position is searched first, the other one only if it is close
 * enough. */
static int64_t point_kdtree_nearest(const void *instance, mo_vec3 position, int64_t k, int32_t *out,
                                    double *square)
{
    const point_kdtree *t = instance;
    const double p[3] = {position.x, position.y, position.z};
    mo_nearest n = {k, 0, out, square};
    part stack[MO_HALF_DEPTH + 2];
    int depth = 0;
    stack[depth++] = (part){{1, 0, k > 0 ? t->packed.head.points.rows : 0}, {0}};
    while (depth > 0) {
        part here = stack[--depth];
        if (square_of(here.gap) > mo_nearest_limit(&n)) {
            continue;
        }
        if (here.at.high - here.at.low <= t->p.leaf) {
            test_slots(t, here.at.low, here.at.high, position, &n);
            continue;
        }
        int axis = t->axis[here.at.node];
        int64_t middle = here.at.low + (here.at.high - here.at.low) / 2;
        double cut = coordinates(t, axis)[middle], gap = fabs(cut - p[axis]);
        bool above = p[axis] > cut;
        part same = here, other = here;
        same.at = above ? mo_half_upper(here.at, true) : mo_half_lower(here.at);
        other.at = above ? mo_half_lower(here.at) : mo_half_upper(here.at, true);
        other.gap[axis] = gap > here.gap[axis] ? gap : here.gap[axis];
        test_slots(t, middle, middle + 1, position, &n);
        stack[depth++] = other;
        stack[depth++] = same;
    }
    return mo_nearest_finish(&n);
}

const mo_search_type mo_search_point_kdtree = {
    .base = {.name = "point_kdtree",
             .summary = "Balanced k-d tree of points, split at medians.",
             .citation =
                 "J. L. Bentley 1975, Commun. ACM 18, 509; Friedman, Bentley, Finkel 1977, ACM "
                 "Trans. Math. Softw. 3, 209",
             .capabilities = MO_SEARCH_NEAREST | MO_SEARCH_PARALLEL | MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .layout = {.size = sizeof(point_kdtree),
               .params = offsetof(point_kdtree, p),
               .defaults = &DEFAULTS,
               .arrays = ARRAYS},
    .build = point_kdtree_build,
    .walk = point_kdtree_walk,
    .near = mo_packed_near,
    .lists = mo_packed_lists,
    .nearest = point_kdtree_nearest,
};
