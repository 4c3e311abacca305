/*
 * The layered range tree: a tree over x; for each of its nodes a tree over the y of the node's
 * points; for each node of those its points in the order of z. A box is queried axis by axis. The
 * index of z in the order of a node gives the indices in its children (fractional cascading), so z
 * is searched once per tree over y and not once per node. In the plane the first tree is omitted: a
 * tree over x, with the points of each node in the order of y. The points of the box are then
 * tested for their distance. G. S. Lueker 1978, FOCS, 28; D. E. Willard 1985, SIAM J. Comput. 14,
 * 232; de Berg, Cheong, van Kreveld, Overmars 2008, "Computational geometry", chapter 5. O(log^2 n
 * + found) for a box in space, at the price of O(n log^2 n) memory.
 *
 * All trees are balanced and their nodes are ranges of arrays. Leaves have up to 16 points.
 */
#include "base/radix.h"
#include "neighbor/search/packed.h"

#include <string.h>

enum { LEAF = 16, LEVELS_MAX = 28, ROW_GRAIN = 8192, STACK = 2 * LEVELS_MAX + 2 };

static const mo_param PARAMS[] = {{0}};

typedef struct range_tree {
    mo_structure head;
    /* of the first tree, of the trees in its nodes, of the orders in their nodes */
    int axis[3];
    int levels[LEVELS_MAX];   /* of the second trees at each level of the first */
    int64_t slot[LEVELS_MAX]; /* the first layer of a level of the first tree */
    int first_levels;
    int32_t *order; /* rows by the first axis */
    /* the levels of the first tree in sequence: rows by the second axis, node by node */
    int32_t *second;
    /* layers of 2 rows entries: rows by the third axis, and the number in the lower child */
    int32_t *layer;
    int32_t *index; /* of the build: by row */
    int32_t *spare;
    mo_radix radix;
    int64_t order_capacity, second_capacity, layer_capacity, index_capacity, spare_capacity;
} range_tree;

static const mo_structure_array ARRAYS[] = {
    MO_STRUCTURE_ARRAY(range_tree, order), MO_STRUCTURE_ARRAY(range_tree, second),
    MO_STRUCTURE_ARRAY(range_tree, layer), MO_STRUCTURE_ARRAY(range_tree, index),
    MO_STRUCTURE_ARRAY(range_tree, spare), {0}};

/* ---- layout ---- */

static int levels_of(int64_t count)
{
    int levels = 1;
    for (; count > LEAF; count = (count + 1) / 2) {
        ++levels;
    }
    return levels;
}

/* In the plane there is one tree over x for all points, as in the root of a first tree. */
static int64_t lay_out(range_tree *t)
{
    int64_t layers = 0, count = t->head.points.rows;
    t->axis[0] = 0;
    t->axis[1] = t->head.points.flat ? 0 : 1;
    t->axis[2] = t->head.points.flat ? 1 : 2;
    t->first_levels = t->head.points.flat ? 1 : levels_of(count);
    for (int l = 0; l < t->first_levels; ++l) {
        t->slot[l] = layers;
        t->levels[l] = levels_of(count);
        layers += t->levels[l];
        count = (count + 1) / 2;
    }
    return layers;
}

static inline int32_t *rows_of(const range_tree *t, int first_level, int level)
{
    return t->layer + 2 * (t->slot[first_level] + level) * t->head.points.rows;
}

static inline int32_t *lower_of(const range_tree *t, int first_level, int level)
{
    return rows_of(t, first_level, level) + t->head.points.rows;
}

/* ---- building ---- */

typedef struct keying {
    range_tree *t;
    int axis;
} keying;

static void find_keys(void *context, int64_t first, int64_t last)
{
    const keying *k = context;
    for (int64_t row = first; row < last; ++row) {
        k->t->radix.item[row] =
            (mo_keyed){mo_keyed_order(k->t->head.points.x[3 * row + k->axis]), row};
    }
}

static void sort_by(range_tree *t, int axis, int32_t *out, mo_pool *pool)
{
    mo_parallel_for(pool, t->head.points.rows, ROW_GRAIN, find_keys, &(keying){t, axis});
    mo_radix_sort(&t->radix, t->head.points.rows, pool);
    for (int64_t k = 0; k < t->head.points.rows; ++k) {
        out[k] = (int32_t)t->radix.item[k].row;
    }
}

/* Stable partition of a range into the rows with an index below `middle` and the others; with
 * `lower`, stores for each the number of the former before it. */
static void part(const int32_t *index, const int32_t *from, int32_t *to, int32_t *lower,
                 int64_t first, int64_t last, int64_t middle)
{
    int64_t low = first, high = middle;
    for (int64_t k = first; k < last; ++k) {
        if (lower) {
            lower[k] = (int32_t)(low - first);
        }
        if (index[from[k]] < middle) {
            to[low++] = from[k];
        } else {
            to[high++] = from[k];
        }
    }
}

/* Calls for every node of a level of a tree over [first, last). */
typedef struct stretch {
    int64_t first, last;
    int level;
} stretch;

static inline int64_t middle_of(stretch s)
{
    return s.first + (s.last - s.first) / 2;
}

static int push_halves(stretch s, stretch *stack, int depth)
{
    stack[depth++] = (stretch){middle_of(s), s.last, s.level + 1};
    stack[depth++] = (stretch){s.first, middle_of(s), s.level + 1};
    return depth;
}

/* The tree over the second axis in a node of the first tree, from the node's rows by the second and
 * (in the layer of the root) by the third axis. */
static void build_second(range_tree *t, int first_level, int64_t first, int64_t last)
{
    const int32_t *by_second = t->second + first_level * t->head.points.rows;
    stretch stack[STACK];
    int depth = 0;
    for (int64_t k = first; k < last; ++k) {
        t->index[by_second[k]] = (int32_t)k;
    }
    stack[depth++] = (stretch){first, last, 0};
    while (depth > 0) {
        stretch s = stack[--depth];
        if (s.last - s.first > LEAF) {
            part(t->index, rows_of(t, first_level, s.level), rows_of(t, first_level, s.level + 1),
                 lower_of(t, first_level, s.level), s.first, s.last, middle_of(s));
            depth = push_halves(s, stack, depth);
        }
    }
}

/* Passes the orders by the second and third axis to the next level of the first tree. */
static void pass_orders(range_tree *t, int level, int64_t first, int64_t last, int64_t middle)
{
    int64_t rows = t->head.points.rows;
    part(t->spare, t->second + level * rows, t->second + (level + 1) * rows, NULL, first, last,
         middle);
    part(t->spare, rows_of(t, level, 0), rows_of(t, level + 1, 0), NULL, first, last, middle);
}

static void build_trees(range_tree *t)
{
    stretch stack[STACK];
    int depth = 0;
    for (int64_t k = 0; k < t->head.points.rows; ++k) {
        t->spare[t->order[k]] = (int32_t)k;
    }
    stack[depth++] = (stretch){0, t->head.points.rows, 0};
    while (depth > 0) {
        stretch s = stack[--depth];
        build_second(t, s.level, s.first, s.last);
        if (s.level + 1 < t->first_levels && s.last - s.first > LEAF) {
            pass_orders(t, s.level, s.first, s.last, middle_of(s));
            depth = push_halves(s, stack, depth);
        }
    }
}

static mote_status range_tree_build(void *instance, const mo_search_points *points, mo_pool *pool,
                                    mote_error *error)
{
    range_tree *t = instance;
    mo_memory *m = t->head.memory;
    int64_t rows = points->rows;
    t->head.points = *points;
    int64_t layers = lay_out(t);
    MO_TRY(mo_radix_resize(&t->radix, rows, error));
    MO_TRY(mo_reserve(m, &t->order, &t->order_capacity, rows, sizeof(int32_t), error));
    MO_TRY(mo_reserve(m, &t->index, &t->index_capacity, rows, sizeof(int32_t), error));
    MO_TRY(mo_reserve(m, &t->spare, &t->spare_capacity, rows, sizeof(int32_t), error));
    MO_TRY(mo_reserve(m, &t->second, &t->second_capacity, rows * t->first_levels, sizeof(int32_t),
                      error));
    MO_TRY(mo_reserve(m, &t->layer, &t->layer_capacity, 2 * rows * layers, sizeof(int32_t), error));
    if (rows > 0) {
        sort_by(t, t->axis[0], t->order, pool);
        sort_by(t, t->axis[1], t->second, pool);
        sort_by(t, t->axis[2], rows_of(t, 0, 0), pool);
        build_trees(t);
    }
    return MOTE_OK;
}

/* ---- searching ---- */

typedef struct query {
    const range_tree *t;
    mo_vec3 position;
    double low[3], high[3], square;
    int32_t *out;
    int64_t found, capacity;
} query;

/* The first index of a sorted range with a coordinate of at least (or, `beyond`, above) a value. */
static int64_t seek(const range_tree *t, const int32_t *row, int64_t first, int64_t last, int axis,
                    double value, bool beyond)
{
    while (first < last) {
        int64_t middle = first + (last - first) / 2;
        double x = t->head.points.x[3 * (int64_t)row[middle] + axis];
        if (x < value || (beyond && x == value)) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

static void test_rows(query *q, const int32_t *row, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        if (mo_square(q->t->head.points.x + 3 * (int64_t)row[k], q->position) <= q->square) {
            if (q->found < q->capacity) {
                q->out[q->found] = row[k];
            }
            ++q->found;
        }
    }
}

/* A node of a second tree, and the indices [low, high) in its order that are within along the third
 * axis. */
typedef struct cascade {
    stretch at;
    int64_t low, high;
} cascade;

/* The number of the first `count` items in the order of a node that are in its lower child. */
static inline int64_t lower_count(const int32_t *lower, stretch s, int64_t count)
{
    return count < s.last - s.first ? lower[s.first + count] : middle_of(s) - s.first;
}

static int push_cascade(const range_tree *t, int first_level, cascade c, cascade *stack, int depth)
{
    const int32_t *lower = lower_of(t, first_level, c.at.level);
    int64_t low = lower_count(lower, c.at, c.low), high = lower_count(lower, c.at, c.high);
    int64_t middle = middle_of(c.at);
    int level = c.at.level + 1;
    stack[depth++] = (cascade){{middle, c.at.last, level}, c.low - low, c.high - high};
    stack[depth++] = (cascade){{c.at.first, middle, level}, low, high};
    return depth;
}

/* Searches the second tree of the node [first, last) of the first. */
static void search_second(query *q, int first_level, int64_t first, int64_t last)
{
    const range_tree *t = q->t;
    int y = t->axis[1], z = t->axis[2];
    const int32_t *by_second = t->second + first_level * t->head.points.rows,
                  *by_third = rows_of(t, first_level, 0);
    int64_t begin = seek(t, by_second, first, last, y, q->low[y], false);
    int64_t end = seek(t, by_second, begin, last, y, q->high[y], true);
    int64_t low = seek(t, by_third, first, last, z, q->low[z], false);
    int64_t high = seek(t, by_third, low, last, z, q->high[z], true);
    cascade stack[STACK];
    int depth = 0;
    stack[depth++] = (cascade){{first, last, 0}, low - first, high - first};
    while (depth > 0) {
        cascade c = stack[--depth];
        if (c.low >= c.high || c.at.last <= begin || c.at.first >= end) {
            continue;
        }
        if (c.at.last - c.at.first <= LEAF || (c.at.first >= begin && c.at.last <= end)) {
            test_rows(q, rows_of(t, first_level, c.at.level) + c.at.first + c.low, c.high - c.low);
        } else {
            depth = push_cascade(t, first_level, c, stack, depth);
        }
    }
}

static void search_first(query *q)
{
    const range_tree *t = q->t;
    int x = t->axis[0];
    int64_t rows = t->head.points.rows, begin = seek(t, t->order, 0, rows, x, q->low[x], false);
    int64_t end = seek(t, t->order, begin, rows, x, q->high[x], true);
    stretch stack[STACK];
    int depth = 0;
    stack[depth++] = (stretch){0, rows, 0};
    while (depth > 0) {
        stretch s = stack[--depth];
        if (s.last <= begin || s.first >= end) {
            continue;
        }
        if (s.last - s.first <= LEAF) {
            test_rows(q, t->order + s.first, s.last - s.first);
        } else if (s.first >= begin && s.last <= end) {
            search_second(q, s.level, s.first, s.last);
        } else {
            depth = push_halves(s, stack, depth);
        }
    }
}

static int64_t range_tree_near(const void *instance, mo_vec3 position, double radius, int32_t *out,
                               int64_t capacity)
{
    const range_tree *t = instance;
    mo_search_window w = mo_search_window_at(position, radius);
    query q = {.t = t, .position = position, .square = w.square, .out = out, .capacity = capacity};
    for (int k = 0; k < 3; ++k) {
        q.low[k] = w.low[k] - w.reach;
        q.high[k] = w.high[k] + w.reach;
    }
    if (t->head.points.rows == 0) {
        return 0;
    }
    if (t->head.points.flat) {
        search_second(&q, 0, 0, t->head.points.rows);
    } else {
        search_first(&q);
    }
    return q.found;
}

const mo_search_type mo_search_range_tree = {
    .base = {.name = "range_tree",
             .summary = "Range tree with fractional cascading: fast box queries, much memory.",
             .citation =
                 "D. E. Willard 1985, SIAM J. Comput. 14, 232; de Berg et al. 2008, chapter 5",
             .capabilities = MO_PORTABLE,
             .params = PARAMS},
    .layout = {.size = sizeof(range_tree), .radix = offsetof(range_tree, radix), .arrays = ARRAYS},
    .build = range_tree_build,
    .near = range_tree_near,
};
