#include "particle/long_range/octree.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 1024, CELLS = 1 << MO_OCTREE_LEVELS };

void mo_octree_init(mo_octree *t, mo_memory *memory)
{
    *t = (mo_octree){.memory = memory};
    t->points.memory = memory;
    mo_radix_init(&t->radix, memory);
}

void mo_octree_release(mo_octree *t)
{
    mo_scaled_release(&t->points);
    mo_radix_release(&t->radix);
    mo_release(t->memory, t->order);
    mo_release(t->memory, t->nodes);
    mo_release(t->memory, t->leaves);
}

/* ---- Morton order ---- */

/* Two zero bits between all bits of a number below 2^21. */
static uint64_t spread(uint64_t a)
{
    a = (a | a << 32) & UINT64_C(0x1f00000000ffff);
    a = (a | a << 16) & UINT64_C(0x1f0000ff0000ff);
    a = (a | a << 8) & UINT64_C(0x100f00f00f00f00f);
    a = (a | a << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (a | a << 2) & UINT64_C(0x1249249249249249);
}

typedef struct keying {
    mo_octree *tree;
    const double *x;
} keying;

static void find_keys(void *context, int64_t first, int64_t last)
{
    const keying *k = context;
    const mo_scaled *s = &k->tree->points;
    for (int64_t row = first; row < last; ++row) {
        uint64_t key = 0;
        for (int d = 0; d < 3; ++d) {
            double at = (k->x[3 * row + d] - s->center[d]) * s->scale;
            double cell = floor(0.5 * (at + 1) * CELLS);
            cell = cell < 0 ? 0 : cell > CELLS - 1 ? CELLS - 1 : cell;
            key |= spread((uint64_t)cell) << d;
        }
        k->tree->radix.item[row] = (mo_keyed){key, row};
    }
}

/* ---- nodes ---- */

/* The first particle in [first, last) whose digits down to `level` are at least `digits`. */
static int32_t find_digits(const mo_keyed *item, int32_t first, int32_t last, int level,
                           uint64_t digits)
{
    int shift = 3 * (MO_OCTREE_LEVELS - level);
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (item[middle].key >> shift < digits) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

/* Divides a node at `level` into its children that are not empty. */
static mote_status divide(mo_octree *t, int32_t parent, int level, mote_error *error)
{
    const mo_keyed *item = t->radix.item;
    MO_TRY(mo_reserve(t->memory, &t->nodes, &t->node_capacity, (int64_t)t->count + 8,
                      sizeof *t->nodes, error));
    mo_octree_node *node = &t->nodes[parent];
    int32_t last = node->first + node->count, at = node->first;
    uint64_t digits = item[at].key >> 3 * (MO_OCTREE_LEVELS - level) << 3;
    node->children = t->count;
    for (int octant = 0; octant < 8 && at < last; ++octant) {
        int32_t end = find_digits(item, at, last, level + 1, digits + (uint64_t)octant + 1);
        if (end > at) {
            t->nodes[t->count++] = (mo_octree_node){.first = at, .count = end - at};
            ++node->degree;
        }
        at = end;
    }
    return MOTE_OK;
}

static mote_status make_nodes(mo_octree *t, int64_t rows, mote_error *error)
{
    MO_TRY(mo_reserve(t->memory, &t->nodes, &t->node_capacity, 8, sizeof *t->nodes, error));
    t->nodes[0] = (mo_octree_node){.count = (int32_t)rows};
    t->count = 1;
    t->leaf_count = 0;
    int32_t end_of_level = 1;
    int level = 0;
    for (int32_t node = 0; node < t->count; ++node) {
        if (node == end_of_level) {
            ++level;
            end_of_level = t->count;
        }
        if (t->nodes[node].count > MO_OCTREE_LEAF && level < MO_OCTREE_LEVELS) {
            MO_TRY(divide(t, node, level, error));
        } else {
            MO_TRY(mo_reserve(t->memory, &t->leaves, &t->leaf_capacity, (int64_t)t->leaf_count + 1,
                              sizeof *t->leaves, error));
            t->leaves[t->leaf_count++] = node;
        }
    }
    return MOTE_OK;
}

/* ---- moments ---- */

/* Adds charge q with dipole p and second moments s (or none), at d from the centre. */
static void shift_moments(double *m, const double d[3], const double *from)
{
    static const int AXES[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    m[0] += from[0];
    for (int a = 0; a < 3; ++a) {
        m[1 + a] += from[1 + a] + from[0] * d[a];
    }
    for (int k = 0; k < 6; ++k) {
        int a = AXES[k][0], b = AXES[k][1];
        m[4 + k] += from[4 + k] + from[1 + a] * d[b] + from[1 + b] * d[a] + from[0] * d[a] * d[b];
    }
}

static double distance(const double d[3])
{
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void measure_leaf(const mo_octree *t, mo_octree_node *n)
{
    const double *const x[3] = {t->points.x, t->points.y, t->points.z}, *q = t->points.q;
    int32_t last = n->first + n->count;
    for (int32_t k = n->first; k < last; ++k) {
        n->size += fabs(q[k]);
    }
    for (int d = 0; d < 3; ++d) {
        double sum = 0;
        for (int32_t k = n->first; k < last; ++k) {
            sum += (n->size > 0 ? fabs(q[k]) / n->size : 1.0 / n->count) * x[d][k];
        }
        n->center[d] = sum;
    }
    for (int32_t k = n->first; k < last; ++k) {
        const double one[MO_OCTREE_MOMENTS] = {q[k]};
        const double d[3] = {x[0][k] - n->center[0], x[1][k] - n->center[1],
                             x[2][k] - n->center[2]};
        shift_moments(n->moment, d, one);
        n->radius = fmax(n->radius, distance(d));
    }
}

static void measure_leaves(void *context, int64_t first, int64_t last)
{
    const mo_octree *t = context;
    for (int64_t k = first; k < last; ++k) {
        measure_leaf(t, &t->nodes[t->leaves[k]]);
    }
}

static void measure_parent(const mo_octree *t, mo_octree_node *n)
{
    const mo_octree_node *child = t->nodes + n->children;
    for (int k = 0; k < n->degree; ++k) {
        n->size += child[k].size;
    }
    for (int k = 0; k < n->degree; ++k) {
        double part = n->size > 0 ? child[k].size / n->size : (double)child[k].count / n->count;
        for (int d = 0; d < 3; ++d) {
            n->center[d] += part * child[k].center[d];
        }
    }
    for (int k = 0; k < n->degree; ++k) {
        double d[3];
        for (int a = 0; a < 3; ++a) {
            d[a] = child[k].center[a] - n->center[a];
        }
        shift_moments(n->moment, d, child[k].moment);
        n->radius = fmax(n->radius, distance(d) + child[k].radius);
    }
}

mote_status mo_octree_build(mo_octree *t, int64_t rows, const double *x, const double *charge,
                            mo_pool *pool, mote_error *error)
{
    keying k = {t, x};
    MO_TRY(mo_scaled_fit(&t->points, rows, x, pool, error));
    MO_TRY(mo_radix_resize(&t->radix, rows, error));
    mo_parallel_for(pool, rows, GRAIN, find_keys, &k);
    mo_radix_sort(&t->radix, rows, pool);
    MO_TRY(mo_reserve(t->memory, &t->order, &t->order_capacity, rows, sizeof *t->order, error));
    for (int64_t row = 0; row < rows; ++row) {
        t->order[row] = (int32_t)t->radix.item[row].row;
    }
    MO_TRY(mo_scaled_fill(&t->points, x, charge, t->order, pool, error));
    MO_TRY(make_nodes(t, rows, error));
    mo_parallel_for(pool, t->leaf_count, 16, measure_leaves, t);
    for (int32_t node = t->count - 1; node >= 0; --node) {
        if (t->nodes[node].degree > 0) {
            measure_parent(t, &t->nodes[node]);
        }
    }
    return MOTE_OK;
}
