#include "neighbor/search/bucket_tree.h"

#include "neighbor/search/nearest.h"

#include <string.h>

enum {
    NONE = -1,
    CHILDREN = 8,
    DEPTH_MAX = 60,            /* of cuts along all axes; three times as many along one */
    STACK = DEPTH_MAX * 7 + 8, /* all siblings along a path */
    CAPACITY_DEFAULT = 32
};

int64_t mo_bucket_capacity(bool surface, double width, double spacing)
{
    /* sqrt 2, pi / sqrt 3 */
    static const double VOLUME = 1.4142135623730951, SURFACE = 1.8137993642342178;
    double ratio = width / spacing;
    double most = surface ? SURFACE * ratio * ratio : VOLUME * ratio * ratio * ratio;
    return most < 1 ? 1 : most < 1e6 ? (int64_t)ceil(most) : 1000000;
}

const mo_bucket_params mo_bucket_defaults = {0, false, (double)NAN, 1, false};

const mo_structure_array mo_tree_arrays[] = {MO_PACKED_ARRAYS(mo_tree),
                                             MO_STRUCTURE_ARRAY(mo_tree, node),
                                             MO_STRUCTURE_ARRAY(mo_tree, region),
                                             MO_STRUCTURE_ARRAY(mo_tree, spare),
                                             MO_STRUCTURE_ARRAY(mo_tree, counts),
                                             MO_STRUCTURE_ARRAY(mo_tree, next),
                                             {0}};

static int64_t capacity_of(const mo_bucket_params *p, double radius)
{
    if (p->capacity > 0) {
        return p->capacity;
    }
    return isnan(p->spacing) ? CAPACITY_DEFAULT
                             : mo_bucket_capacity(p->surface, p->width * radius, p->spacing);
}

/* ---- cuts ---- */

static inline double middle(const mo_tree_region *r, int axis)
{
    return 0.5 * r->low[axis] + 0.5 * r->high[axis];
}

/* The child of a point: one bit per cut axis. Cuts are infinite planes, so that points outside
 * the region have a child as well. */
static inline int child_of(const mo_tree_region *r, const double *x)
{
    int child = 0, bit = 0;
    for (int k = 0; k < 3; ++k) {
        if (r->axes >> k & 1) {
            child |= (x[k] >= middle(r, k)) << bit++;
        }
    }
    return child;
}

static inline int children_of(const mo_tree_region *r)
{
    return 1 << __builtin_popcount(r->axes);
}

static mo_tree_region child_region(const mo_tree_region *r, int child)
{
    mo_tree_region half = {.axes = 0, .turn = (r->turn + 1) % 3};
    memcpy(half.low, r->low, sizeof half.low);
    memcpy(half.high, r->high, sizeof half.high);
    int bit = 0;
    for (int k = 0; k < 3; ++k) {
        if (r->axes >> k & 1) {
            double *side = child >> bit++ & 1 ? half.low : half.high;
            side[k] = middle(r, k);
        }
    }
    return half;
}

static uint32_t longest_axis(const mo_tree_region *r)
{
    double x = r->high[0] - r->low[0], y = r->high[1] - r->low[1], z = r->high[2] - r->low[2];
    return x >= y && x >= z ? 1 : y >= z ? 2 : 4;
}

static uint32_t axes_of(const mo_tree *t, const mo_tree_region *r)
{
    if (t->cut == MO_CUT_ALL) {
        return t->packed.head.points.flat ? 3 : 7;
    }
    return t->cut == MO_CUT_LONGEST ? longest_axis(r) : UINT32_C(1) << r->turn;
}

/* Chooses the cut axes of a region so that points with this bounding box are separated; bisects
 * the region while they are not. Returns false if no axis can be bisected further. */
static bool choose_cut(const mo_tree *t, mo_tree_region *r, const mo_tree_node *box)
{
    int stuck = 0, axes = t->cut == MO_CUT_IN_TURN ? 3 : 1;
    for (;;) {
        r->axes = axes_of(t, r);
        int child = child_of(r, box->low);
        if (child != child_of(r, box->high)) {
            return true;
        }
        mo_tree_region half = child_region(r, child);
        bool same = memcmp(half.low, r->low, sizeof half.low) == 0 &&
                    memcmp(half.high, r->high, sizeof half.high) == 0;
        stuck = same ? stuck + 1 : 0;
        if (stuck == axes) {
            r->axes = 0;
            return false;
        }
        *r = half;
    }
}

static void empty_box(mo_tree_node *node)
{
    for (int k = 0; k < 3; ++k) {
        node->low[k] = (double)INFINITY;
        node->high[k] = -(double)INFINITY;
    }
}

static inline void include(mo_tree_node *node, const double *x)
{
    for (int k = 0; k < 3; ++k) {
        node->low[k] = x[k] < node->low[k] ? x[k] : node->low[k];
        node->high[k] = x[k] > node->high[k] ? x[k] : node->high[k];
    }
}

static bool is_point(const mo_tree_node *node)
{
    return memcmp(node->low, node->high, sizeof node->low) == 0;
}

/* ---- building ---- */

typedef struct level {
    mo_tree *t;
    int64_t first; /* of its nodes */
    bool last;     /* no deeper */
    const int32_t *from;
    int32_t *to;
} level;

/* Distributes the rows of a node to its children, in order. */
static void part_rows(const level *l, const mo_tree_node *node, const mo_tree_region *r,
                      int32_t *counts)
{
    const double *x = l->t->packed.head.points.x;
    const int32_t *row = l->from + node->first;
    int32_t slot[CHILDREN], sum = node->first;
    for (int32_t k = 0; k < node->count; ++k) {
        counts[child_of(r, x + 3 * (int64_t)row[k])]++;
    }
    for (int c = 0; c < CHILDREN; ++c) {
        slot[c] = sum;
        sum += counts[c];
    }
    for (int32_t k = 0; k < node->count; ++k) {
        l->to[slot[child_of(r, x + 3 * (int64_t)row[k])]++] = row[k];
    }
}

static void build_node(const level *l, int64_t number)
{
    mo_tree *t = l->t;
    mo_tree_node *node = t->node + number;
    mo_tree_region *r = t->region + number;
    int32_t *counts = t->counts + (number - l->first) * CHILDREN;
    memset(counts, 0, CHILDREN * sizeof *counts);
    empty_box(node);
    for (int32_t k = 0; k < node->count; ++k) {
        include(node, t->packed.head.points.x + 3 * (int64_t)l->from[node->first + k]);
    }
    if (node->count > t->capacity && !l->last && !is_point(node) && choose_cut(t, r, node)) {
        part_rows(l, node, r, counts);
    } else if (l->from != t->packed.row_at) {
        memcpy(t->packed.row_at + node->first, l->from + node->first,
               (size_t)node->count * sizeof *l->from);
    }
}

static void build_nodes(void *context, int64_t first, int64_t last)
{
    const level *l = context;
    for (int64_t k = first; k < last; ++k) {
        build_node(l, l->first + k);
    }
}

static mote_status reserve_nodes(mo_tree *t, int64_t more, mote_error *error)
{
    MO_TRY(mo_reserve(t->packed.head.memory, &t->node, &t->node_capacity, t->nodes + more,
                      sizeof *t->node, error));
    return mo_reserve(t->packed.head.memory, &t->region, &t->region_capacity, t->nodes + more,
                      sizeof *t->region, error);
}

static void add_node(mo_tree *t, mo_tree_region region, int32_t first, int32_t count)
{
    t->region[t->nodes] = region;
    t->node[t->nodes++] = (mo_tree_node){.first = first, .count = count, .chain = NONE};
}

/* Creates the children of split nodes. */
static mote_status add_children(level *l, int64_t nodes, mote_error *error)
{
    mo_tree *t = l->t;
    for (int64_t k = l->first; k < l->first + nodes; ++k) {
        mo_tree_region r = t->region[k];
        const int32_t *counts = t->counts + (k - l->first) * CHILDREN;
        if (r.axes == 0) {
            continue;
        }
        MO_TRY(reserve_nodes(t, CHILDREN, error));
        int32_t slot = t->node[k].first;
        t->node[k].child = (int32_t)t->nodes;
        for (int c = 0; c < children_of(&r); ++c) {
            add_node(t, child_region(&r, c), slot, counts[c]);
            slot += counts[c];
        }
    }
    return MOTE_OK;
}

/* A cube around the points, so that halves keep their shape; their bounding box where axes are
 * cut in turn. */
static mo_tree_region root_region(const mo_search_points *points, mo_tree_cut cut)
{
    mo_tree_region r = {.axes = 0};
    double width = 0;
    for (int k = 0; k < 3; ++k) {
        width = fmax(width, points->high[k] - points->low[k]);
    }
    for (int k = 0; k < 3; ++k) {
        r.low[k] = points->low[k];
        r.high[k] = cut == MO_CUT_IN_TURN ? points->high[k] : points->low[k] + width;
    }
    return r;
}

static int depth_of(const mo_tree *t)
{
    return t->cut == MO_CUT_ALL ? DEPTH_MAX : 3 * DEPTH_MAX;
}

static mote_status build_levels(mo_tree *t, mo_pool *pool, mote_error *error)
{
    int depth_max = depth_of(t);
    level l = {.t = t, .from = t->packed.row_at, .to = t->spare};
    for (int depth = 0; l.first < t->nodes; ++depth) {
        int64_t nodes = t->nodes - l.first, grain = 1 + nodes / 256;
        l.last = depth == depth_max;
        MO_TRY(mo_reserve(t->packed.head.memory, &t->counts, &t->counts_capacity, nodes * CHILDREN,
                          sizeof *t->counts, error));
        mo_parallel_for(pool, nodes, grain, build_nodes, &l);
        MO_TRY(add_children(&l, nodes, error));
        l.first += nodes;
        const int32_t *from = l.from;
        l.from = l.to;
        l.to = (int32_t *)from;
    }
    return MOTE_OK;
}

mote_status mo_tree_build(mo_tree *t, mo_tree_cut cut, const mo_search_points *points,
                          mo_pool *pool, mote_error *error)
{
    int64_t rows = points->rows;
    t->packed.head.points = *points;
    t->cut = cut;
    t->capacity = capacity_of(&t->p, points->radius);
    t->nodes = 0;
    t->free_slot = NONE;
    t->rows = 0;
    MO_TRY(mo_packed_resize(&t->packed, rows, error));
    MO_TRY(mo_reserve(t->packed.head.memory, &t->spare, &t->spare_capacity, rows, sizeof *t->spare,
                      error));
    MO_TRY(reserve_nodes(t, 1, error));
    for (int64_t row = 0; row < rows; ++row) {
        t->packed.row_at[row] = (int32_t)row;
    }
    if (rows > 0) {
        add_node(t, root_region(points, cut), 0, (int32_t)rows);
        MO_TRY(build_levels(t, pool, error));
        mo_packed_fill(&t->packed, pool);
    }
    t->rows = rows;
    return MOTE_OK;
}

/* ---- searching ---- */

void mo_tree_walk(const void *instance, const mo_search_window *window, mo_runs *runs)
{
    const mo_tree *t = instance;
    int32_t stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int32_t number = stack[--depth];
        const mo_tree_node *node = t->node + number;
        if (node->child) {
            for (int c = children_of(t->region + number) - 1; c >= 0; --c) {
                const mo_tree_node *child = t->node + node->child + c;
                stack[depth] = node->child + c;
                depth += mo_search_window_gap(window, child->low, child->high) <= window->square;
            }
            continue;
        }
        mo_runs_add(runs, node->first, node->first + node->count);
        for (int32_t slot = node->chain; slot != NONE; slot = t->next[slot]) {
            mo_runs_add(runs, slot, slot + 1);
        }
    }
}

typedef struct visit {
    int32_t node;
    double gap;
} visit;

static void test_slot(const mo_tree *t, int64_t slot, mo_vec3 p, mo_nearest *n)
{
    double x[3] = {t->packed.x[slot], t->packed.y[slot], t->packed.z[slot]};
    mo_nearest_put(n, t->packed.row_at[slot], mo_square(x, p));
}

/* Pushes the children of a node, the nearest on top. */
static int push_children(const mo_tree *t, int32_t number, const mo_search_window *w, visit *stack,
                         int depth)
{
    int bottom = depth, children = children_of(t->region + number);
    for (int c = 0; c < children; ++c) {
        const mo_tree_node *child = t->node + t->node[number].child + c;
        visit v = {t->node[number].child + c, mo_search_window_gap(w, child->low, child->high)};
        int at = depth++;
        for (; at > bottom && stack[at - 1].gap < v.gap; --at) {
            stack[at] = stack[at - 1];
        }
        stack[at] = v;
    }
    return depth;
}

int64_t mo_tree_nearest(const void *instance, mo_vec3 position, int64_t k, int32_t *out,
                        double *square)
{
    const mo_tree *t = instance;
    mo_nearest n = {k, 0, out, square};
    mo_search_window w = mo_search_window_at(position, 0);
    visit stack[STACK];
    int depth = 0;
    if (t->rows > 0 && k > 0) {
        stack[depth++] = (visit){0, 0};
    }
    while (depth > 0) {
        visit v = stack[--depth];
        const mo_tree_node *node = t->node + v.node;
        if (v.gap > mo_nearest_limit(&n)) {
            continue;
        }
        if (node->child) {
            depth = push_children(t, v.node, &w, stack, depth);
            continue;
        }
        for (int32_t at = node->first; at < node->first + node->count; ++at) {
            test_slot(t, at, position, &n);
        }
        for (int32_t at = node->chain; at != NONE; at = t->next[at]) {
            test_slot(t, at, position, &n);
        }
    }
    return mo_nearest_finish(&n);
}

/* ---- inserting and removing ---- */

static int32_t leaf_at(const mo_tree *t, const double *x)
{
    int32_t number = 0;
    while (t->node[number].child) {
        number = t->node[number].child + child_of(t->region + number, x);
    }
    return number;
}

static void chain(mo_tree *t, int32_t leaf, int32_t slot)
{
    const mo_packed *p = &t->packed;
    t->next[slot] = t->node[leaf].chain;
    t->node[leaf].chain = slot;
    t->region[leaf].chained++;
    include(t->node + leaf, (double[3]){p->x[slot], p->y[slot], p->z[slot]});
}

/* Distributes the points of a leaf to its children, as chains. */
static mote_status split(mo_tree *t, int32_t leaf, mote_error *error)
{
    const mo_packed *p = &t->packed;
    mo_tree_region r = t->region[leaf];
    for (int k = 0; k < 3; ++k) { /* points may have been inserted outside */
        r.low[k] = fmin(r.low[k], t->node[leaf].low[k]);
        r.high[k] = fmax(r.high[k], t->node[leaf].high[k]);
    }
    if (is_point(t->node + leaf) || !choose_cut(t, &r, t->node + leaf)) {
        return MOTE_OK;
    }
    MO_TRY(reserve_nodes(t, CHILDREN, error));
    mo_tree_node old = t->node[leaf];
    int32_t child = (int32_t)t->nodes;
    for (int c = 0; c < children_of(&r); ++c) {
        add_node(t, child_region(&r, c), 0, 0);
        empty_box(t->node + child + c);
    }
    for (int32_t at = old.first; at < old.first + old.count; ++at) {
        chain(t, child + child_of(&r, (double[3]){p->x[at], p->y[at], p->z[at]}), at);
    }
    for (int32_t at = old.chain, after; at != NONE; at = after) {
        after = t->next[at];
        chain(t, child + child_of(&r, (double[3]){p->x[at], p->y[at], p->z[at]}), at);
    }
    r.chained = 0;
    t->region[leaf] = r;
    t->node[leaf].child = child;
    t->node[leaf].count = 0;
    t->node[leaf].chain = NONE;
    return MOTE_OK;
}

/* An empty slot. */
static mote_status new_slot(mo_tree *t, int32_t *slot, mote_error *error)
{
    int64_t slots = t->packed.slots;
    MO_TRY(mo_reserve(t->packed.head.memory, &t->next, &t->next_capacity, slots + 1,
                      sizeof *t->next, error));
    if (t->free_slot != NONE) {
        *slot = t->free_slot;
        t->free_slot = t->next[*slot];
        return MOTE_OK;
    }
    *slot = (int32_t)slots;
    return mo_packed_resize(&t->packed, slots + 1, error);
}

/* Extends the boxes along the path to the leaf of a point. Returns the leaf and its depth. */
static int32_t descend(mo_tree *t, const double *x, int *depth)
{
    int32_t number = 0;
    *depth = 0;
    while (t->node[number].child) {
        include(t->node + number, x);
        number = t->node[number].child + child_of(t->region + number, x);
        ++*depth;
    }
    return number;
}

mote_status mo_tree_insert(void *instance, const mo_search_points *points, mote_error *error)
{
    mo_tree *t = instance;
    const double *x = points->x + 3 * t->rows;
    int32_t slot;
    int depth;
    if (t->nodes == 0) {
        MO_TRY(reserve_nodes(t, 1, error));
        add_node(t, (mo_tree_region){.low = {x[0], x[1], x[2]}, .high = {x[0], x[1], x[2]}}, 0, 0);
        empty_box(t->node);
    }
    MO_TRY(new_slot(t, &slot, error));
    mo_packed_set(&t->packed, slot, (int32_t)t->rows, x);
    int32_t leaf = descend(t, x, &depth);
    chain(t, leaf, slot);
    t->packed.head.points = *points;
    t->rows++;
    bool full = t->node[leaf].count + t->region[leaf].chained > t->capacity;
    return full && depth < depth_of(t) ? split(t, leaf, error) : MOTE_OK;
}

/* The location of a row: a slot of a leaf or (`link`) in its chain. */
typedef struct found {
    int32_t leaf, slot;
    int32_t *link;
} found;

static found find(mo_tree *t, int32_t row, const double *x)
{
    found f = {.leaf = leaf_at(t, x)};
    mo_tree_node *node = t->node + f.leaf;
    for (f.slot = node->first; f.slot < node->first + node->count; ++f.slot) {
        if (t->packed.row_at[f.slot] == row) {
            return f;
        }
    }
    for (f.link = &node->chain; t->packed.row_at[*f.link] != row;) {
        f.link = t->next + *f.link;
    }
    f.slot = *f.link;
    return f;
}

mote_status mo_tree_remove(void *instance, const mo_search_points *points, int64_t row,
                           mote_error *error)
{
    mo_tree *t = instance;
    int32_t last = (int32_t)t->rows - 1;
    MO_TRY(mo_reserve(t->packed.head.memory, &t->next, &t->next_capacity, t->packed.slots,
                      sizeof *t->next, error));
    found f = find(t, (int32_t)row, points->x + 3 * row);
    int32_t hole = f.slot;
    if (f.link) {
        *f.link = t->next[f.slot];
        t->region[f.leaf].chained--;
    } else {
        hole = t->node[f.leaf].first + --t->node[f.leaf].count;
        mo_packed_move(&t->packed, f.slot, hole);
    }
    mo_packed_clear(&t->packed, hole);
    t->next[hole] = t->free_slot;
    t->free_slot = hole;
    t->rows--;
    if (row != last) {
        t->packed.row_at[find(t, last, points->x + 3 * (int64_t)last).slot] = (int32_t)row;
    }
    t->packed.head.points = *points;
    t->packed.head.points.rows = t->rows;
    return MOTE_OK;
}
