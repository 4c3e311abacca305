/*
 * The point quadtree, in space the point octree: every node is a point and splits the others into
 * four (eight) quadrants. R. A. Finkel, J. L. Bentley 1974, "Quad trees: a data structure for
 * retrieval on composite keys", Acta Inform. 4, 1.
 *
 * A build takes the median along x as the root of each part (their "optimized" tree): no quadrant
 * has more than half the points, so the depth is at most logarithmic. Equal x are ordered by y,
 * then z. Points that coincide with a node are chained to it, and so are points inserted too deep.
 * Deletion is difficult, as nodes split space (the paper's section 4): the node stays as a divider
 * without a point until the next build.
 */
#include "base/radix.h"
#include "neighbor/search/nearest.h"
#include "neighbor/search/packed.h"

#include <string.h>

enum {
    NONE = -1,
    QUARTERS = 8,
    DEPTH_MAX = 96, /* of insertions; a build stays below 32 */
    STACK = DEPTH_MAX * 7 + 8,
    ROW_GRAIN = 8192
};

static const mo_param PARAMS[] = {{0}};

typedef struct node {
    double x[3];
    int32_t row;             /* NONE: removed */
    int32_t chain;           /* the next coincident point; NONE: none */
    int32_t child[QUARTERS]; /* 0: none; 2, 3 and so on: see quarter_of */
} node;

typedef struct point_quadtree {
    mo_structure head;
    mo_radix radix; /* of the build: rows by x */
    int32_t *order, *spare;
    node *nodes;
    int64_t count, rows; /* nodes; points */
    int64_t order_capacity, spare_capacity, nodes_capacity;
} point_quadtree;

static const mo_structure_array ARRAYS[] = {MO_STRUCTURE_ARRAY(point_quadtree, order),
                                            MO_STRUCTURE_ARRAY(point_quadtree, spare),
                                            MO_STRUCTURE_ARRAY(point_quadtree, nodes),
                                            {0}};

/* ---- order ---- */

/* Lexicographic order by x, y, z. */
static inline bool is_before(const double *a, const double *b)
{
    if (a[0] != b[0]) {
        return a[0] < b[0];
    }
    return a[1] != b[1] ? a[1] < b[1] : a[2] < b[2];
}

static inline bool is_at(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Bit 0 for x (with the ties of is_before), 1 for y, 2 for z. In the plane z is 0 and never below:
 * the quarters are 4 to 7. */
static inline int quarter_of(const double *center, const double *x)
{
    return (is_before(x, center) ? 0 : 1) | (x[1] >= center[1]) << 1 | (x[2] >= center[2]) << 2;
}

static void find_keys(void *context, int64_t first, int64_t last)
{
    point_quadtree *t = context;
    for (int64_t row = first; row < last; ++row) {
        t->radix.item[row] = (mo_keyed){mo_keyed_order(t->head.points.x[3 * row]), row};
    }
}

static inline bool row_before(const double *x, int32_t a, int32_t b)
{
    const double *xa = x + 3 * (int64_t)a, *xb = x + 3 * (int64_t)b;
    return is_before(xa, xb) || (a < b && !is_before(xb, xa));
}

static void sink(const double *x, int32_t *row, int64_t at, int64_t count)
{
    int32_t moving = row[at];
    for (int64_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && row_before(x, row[child], row[child + 1]);
        if (!row_before(x, moving, row[child])) {
            break;
        }
        row[at] = row[child];
    }
    row[at] = moving;
}

/* Heapsort; of points with the same x. */
static void sort_ties(const double *x, int32_t *row, int64_t count)
{
    for (int64_t k = count / 2 - 1; k >= 0; --k) {
        sink(x, row, k, count);
    }
    for (int64_t k = count - 1; k > 0; --k) {
        int32_t last = row[k];
        row[k] = row[0];
        row[0] = last;
        sink(x, row, 0, k);
    }
}

static void sort_rows(point_quadtree *t, mo_pool *pool)
{
    const mo_keyed *item;
    int64_t rows = t->head.points.rows;
    mo_parallel_for(pool, rows, ROW_GRAIN, find_keys, t);
    mo_radix_sort(&t->radix, rows, pool);
    item = t->radix.item;
    for (int64_t first = 0, last; first < rows; first = last) {
        for (last = first; last < rows && item[last].key == item[first].key; ++last) {
            t->order[last] = (int32_t)item[last].row;
        }
        if (last - first > 1) {
            sort_ties(t->head.points.x, t->order + first, last - first);
        }
    }
}

/* ---- building ---- */

static int32_t add_node(point_quadtree *t, const double *x, int32_t row)
{
    node *n = t->nodes + t->count;
    *n = (node){{x[0], x[1], x[2]}, row, NONE, {0}};
    return (int32_t)t->count++;
}

static void chain(point_quadtree *t, int32_t to, const double *x, int32_t row)
{
    int32_t added = add_node(t, x, row);
    t->nodes[added].chain = t->nodes[to].chain;
    t->nodes[to].chain = added;
}

/* A range of the order to become a subtree of a node. */
typedef struct task {
    int64_t first, last;
    int32_t parent;
    int quarter;
} task;

/* Splits a range at its middle, which becomes a node; pushes the remaining parts. */
static int part(point_quadtree *t, task at, task *stack, int depth)
{
    const double *x = t->head.points.x;
    int32_t middle = t->order[at.first + (at.last - at.first) / 2];
    const double *center = x + 3 * (int64_t)middle;
    int32_t number = add_node(t, center, middle);
    int64_t end[QUARTERS] = {0}, begin = at.first;
    if (at.parent != NONE) {
        t->nodes[at.parent].child[at.quarter] = number;
    }
    memcpy(t->spare + at.first, t->order + at.first,
           (size_t)(at.last - at.first) * sizeof *t->order);
    /* backwards, since chains grow at their head */
    for (int64_t k = at.last - 1; k >= at.first; --k) {
        int32_t row = t->spare[k];
        const double *y = x + 3 * (int64_t)row;
        if (!is_at(y, center)) {
            end[quarter_of(center, y)]++;
        } else if (row != middle) {
            chain(t, number, y, row);
        }
    }
    for (int q = 0; q < QUARTERS; ++q) {
        if (end[q] > 0) {
            stack[depth++] = (task){begin, begin + end[q], number, q};
        }
        begin += end[q];
        end[q] = begin - end[q];
    }
    for (int64_t k = at.first; k < at.last; ++k) {
        const double *y = x + 3 * (int64_t)t->spare[k];
        if (!is_at(y, center)) {
            t->order[end[quarter_of(center, y)]++] = t->spare[k];
        }
    }
    return depth;
}

static mote_status point_quadtree_build(void *instance, const mo_search_points *points,
                                        mo_pool *pool, mote_error *error)
{
    point_quadtree *t = instance;
    mo_memory *m = t->head.memory;
    int64_t rows = points->rows;
    task stack[STACK];
    int depth = 0;
    t->head.points = *points;
    t->count = t->rows = 0;
    MO_TRY(mo_radix_resize(&t->radix, rows, error));
    MO_TRY(mo_reserve(m, &t->order, &t->order_capacity, rows, sizeof *t->order, error));
    MO_TRY(mo_reserve(m, &t->spare, &t->spare_capacity, rows, sizeof *t->spare, error));
    MO_TRY(mo_reserve(m, &t->nodes, &t->nodes_capacity, rows, sizeof *t->nodes, error));
    sort_rows(t, pool);
    if (rows > 0) {
        stack[depth++] = (task){0, rows, NONE, 0};
    }
    while (depth > 0) {
        --depth;
        depth = part(t, stack[depth], stack, depth);
    }
    t->rows = rows;
    return MOTE_OK;
}

/* ---- searching ---- */

/* The quadrants of a node that a box overlaps, as bits, from the axes along which it is below and
 * above. */
static inline unsigned overlapped(const node *n, const double low[3], const double high[3])
{
    unsigned quarters = 0xff;
    quarters &= low[0] <= n->x[0] ? 0xff : 0xaa; /* excludes those below along x */
    quarters &= high[0] >= n->x[0] ? 0xff : 0x55;
    quarters &= low[1] < n->x[1] ? 0xff : 0xcc;
    quarters &= high[1] >= n->x[1] ? 0xff : 0x33;
    quarters &= low[2] < n->x[2] ? 0xff : 0xf0;
    quarters &= high[2] >= n->x[2] ? 0xff : 0x0f;
    return quarters;
}

static int64_t point_quadtree_near(const void *instance, mo_vec3 position, double radius,
                                   int32_t *out, int64_t capacity)
{
    const point_quadtree *t = instance;
    mo_search_window w = mo_search_window_at(position, radius);
    int32_t stack[STACK];
    int depth = 0;
    int64_t found = 0;
    for (int k = 0; k < 3; ++k) {
        w.low[k] -= w.reach;
        w.high[k] += w.reach;
    }
    if (t->rows > 0) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        const node *n = t->nodes + stack[--depth];
        for (const node *at = n;; at = t->nodes + at->chain) {
            if (at->row != NONE && mo_square(at->x, position) <= w.square) {
                if (found < capacity) {
                    out[found] = at->row;
                }
                ++found;
            }
            if (at->chain == NONE) {
                break;
            }
        }
        for (unsigned quarters = overlapped(n, w.low, w.high); quarters; quarters &= quarters - 1) {
            int32_t child = n->child[__builtin_ctz(quarters)];
            stack[depth] = child;
            depth += child != 0;
        }
    }
    return found;
}

/* A subtree, and its distance from the query position along each axis. */
typedef struct quarter {
    int32_t node;
    double gap[3];
} quarter;

static int push_quarters(const point_quadtree *t, const quarter *here, const double p[3],
                         quarter *stack, int depth)
{
    const node *n = t->nodes + here->node;
    int own = (p[0] >= n->x[0]) | (p[1] >= n->x[1]) << 1 | (p[2] >= n->x[2]) << 2;
    for (int q = QUARTERS - 1; q >= 0; --q) { /* the position's own quadrant last, on top of the
                                               * stack */
        int across = q;
        if (n->child[own ^ across] == 0) {
            continue;
        }
        quarter next = *here;
        next.node = n->child[own ^ across];
        for (int k = 0; k < 3; ++k) {
            double gap = fabs(n->x[k] - p[k]);
            next.gap[k] = across >> k & 1 && gap > here->gap[k] ? gap : here->gap[k];
        }
        stack[depth++] = next;
    }
    return depth;
}

static int64_t point_quadtree_nearest(const void *instance, mo_vec3 position, int64_t k,
                                      int32_t *out, double *square)
{
    const point_quadtree *t = instance;
    const double p[3] = {position.x, position.y, position.z};
    mo_nearest best = {k, 0, out, square};
    quarter stack[STACK];
    int depth = 0;
    if (t->rows > 0 && k > 0) {
        stack[depth++] = (quarter){0, {0}};
    }
    while (depth > 0) {
        quarter here = stack[--depth];
        const double *gap = here.gap;
        if (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] > mo_nearest_limit(&best)) {
            continue;
        }
        for (int32_t at = here.node; at != NONE; at = t->nodes[at].chain) {
            if (t->nodes[at].row != NONE) {
                mo_nearest_put(&best, t->nodes[at].row, mo_square(t->nodes[at].x, position));
            }
        }
        depth = push_quarters(t, &here, p, stack, depth);
    }
    return mo_nearest_finish(&best);
}

/* ---- inserting and removing ---- */

static mote_status point_quadtree_insert(void *instance, const mo_search_points *points,
                                         mote_error *error)
{
    point_quadtree *t = instance;
    int32_t row = (int32_t)t->rows, at = 0;
    const double *x = points->x + 3 * (int64_t)row;
    MO_TRY(mo_reserve(t->head.memory, &t->nodes, &t->nodes_capacity, t->count + 1, sizeof *t->nodes,
                      error));
    t->head.points = *points;
    t->rows++;
    if (t->count == 0) {
        add_node(t, x, row);
        return MOTE_OK;
    }
    for (int depth = 0; depth < DEPTH_MAX && !is_at(x, t->nodes[at].x); ++depth) {
        int q = quarter_of(t->nodes[at].x, x);
        if (t->nodes[at].child[q] == 0) {
            int32_t added = add_node(t, x, row);
            t->nodes[at].child[q] = added;
            return MOTE_OK;
        }
        at = t->nodes[at].child[q];
    }
    chain(t, at, x, row);
    return MOTE_OK;
}

/* The node of a row: along the descent to its position, or in a chain. */
static int32_t find(const point_quadtree *t, int32_t row, const double *x)
{
    for (int32_t at = 0;;) {
        for (int32_t link = at; link != NONE; link = t->nodes[link].chain) {
            if (t->nodes[link].row == row) {
                return link;
            }
        }
        at = t->nodes[at].child[quarter_of(t->nodes[at].x, x)];
    }
}

static mote_status point_quadtree_remove(void *instance, const mo_search_points *points,
                                         int64_t row, mote_error *error)
{
    point_quadtree *t = instance;
    int32_t last = (int32_t)t->rows - 1;
    (void)error;
    t->nodes[find(t, (int32_t)row, points->x + 3 * row)].row = NONE;
    if (row != last) {
        t->nodes[find(t, last, points->x + 3 * (int64_t)last)].row = (int32_t)row;
    }
    t->head.points = *points;
    t->head.points.rows = --t->rows;
    return MOTE_OK;
}

const mo_search_type mo_search_point_quadtree = {
    .base = {.name = "point_quadtree",
             .summary =
                 "Point quadtree (octree in space): every node is a point that splits its region.",
             .citation = "R. A. Finkel, J. L. Bentley 1974, Acta Inform. 4, 1",
             .capabilities =
                 MO_SEARCH_INSERTS | MO_SEARCH_DELETES | MO_SEARCH_NEAREST | MO_PORTABLE,
             .params = PARAMS},
    .layout = {.size = sizeof(point_quadtree),
               .radix = offsetof(point_quadtree, radix),
               .arrays = ARRAYS},
    .build = point_quadtree_build,
    .near = point_quadtree_near,
    .nearest = point_quadtree_nearest,
    .insert = point_quadtree_insert,
    .remove = point_quadtree_remove,
};
