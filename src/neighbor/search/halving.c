#include "neighbor/search/halving.h"

#include "base/hash.h"

enum { LEVELS = 6, SHORT = 8, ROW_GRAIN = 4096 };

int64_t mo_half_nodes(int64_t count, int64_t leaf)
{
    int64_t nodes = 1;
    for (; count > leaf; count = (count + 1) / 2) {
        nodes *= 2;
    }
    return nodes;
}

static inline bool before(const mo_half_item *a, const mo_half_item *b)
{
    return a->key < b->key || (a->key == b->key && a->row < b->row);
}

static inline void swap(mo_half_item *a, mo_half_item *b)
{
    mo_half_item c = *a;
    *a = *b;
    *b = c;
}

static void sort_short(mo_half_item *item, int64_t low, int64_t high)
{
    for (int64_t k = low + 1; k < high; ++k) {
        mo_half_item moving = item[k];
        int64_t at = k;
        for (; at > low && before(&moving, item + at - 1); --at) {
            item[at] = item[at - 1];
        }
        item[at] = moving;
    }
}

/* The median of three items at hashed indices, against adversarial orders. */
static int64_t pivot_of(const mo_half_item *item, int64_t low, int64_t high)
{
    uint64_t hash = mo_hash_mix((uint64_t)low * 0x9e3779b97f4a7c15u + (uint64_t)high);
    uint64_t count = (uint64_t)(high - low);
    const mo_half_item *a = item + low + (int64_t)(hash % count);
    const mo_half_item *b = item + low + (int64_t)((hash >> 21) % count);
    const mo_half_item *c = item + low + (int64_t)((hash >> 42) % count);
    if (before(b, a)) {
        const mo_half_item *t = a;
        a = b;
        b = t;
    }
    return (before(c, a) ? a : before(c, b) ? c : b) - item;
}

/* Quickselect (Hoare 1961) of the `middle`-th item. */
static void part_about(mo_half_item *item, int64_t low, int64_t high, int64_t middle)
{
    while (high - low > SHORT) {
        /* to the front, so that both parts get shorter */
        swap(item + low, item + pivot_of(item, low, high));
        mo_half_item pivot = item[low];
        int64_t i = low - 1, j = high;
        for (;;) {
            do {
                ++i;
            } while (before(item + i, &pivot));
            do {
                --j;
            } while (before(&pivot, item + j));
            if (i >= j) {
                break;
            }
            swap(item + i, item + j);
        }
        /* [low, j] is at most the pivot, (j, high) at least */
        if (middle <= j) {
            high = j + 1;
        } else {
            low = j + 1;
        }
    }
    sort_short(item, low, high);
}

static void part(const mo_halving *h, mo_half at)
{
    int64_t middle = at.low + (at.high - at.low) / 2;
    h->prepare(h->context, at.node, h->item, at.low, at.high);
    part_about(h->item, at.low, at.high, middle);
    if (h->done) {
        h->done(h->context, at.node, h->item, at.low, middle, at.high);
    }
}

static void part_subtree(const mo_halving *h, mo_half root)
{
    mo_half stack[MO_HALF_DEPTH + 2];
    int depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
        mo_half at = stack[--depth];
        if (at.high - at.low > h->leaf) {
            part(h, at);
            stack[depth++] = mo_half_upper(at, h->skip_middle);
            stack[depth++] = mo_half_lower(at);
        }
    }
}

/* The range of a node, by the bits of its index from the root. */
static mo_half half_of(const mo_halving *h, int64_t node)
{
    mo_half at = {1, 0, h->count};
    for (int bit = 62 - __builtin_clzll((uint64_t)node); bit >= 0; --bit) {
        at = node >> bit & 1 ? mo_half_upper(at, h->skip_middle) : mo_half_lower(at);
    }
    return at;
}

typedef struct part_level {
    const mo_halving *h;
    int64_t nodes; /* of the level, which is also the index of the first */
    bool subtrees;
} part_level;

static void part_nodes(void *context, int64_t first, int64_t last)
{
    const part_level *l = context;
    for (int64_t k = first; k < last; ++k) {
        mo_half at = half_of(l->h, l->nodes + k);
        if (l->subtrees) {
            part_subtree(l->h, at);
        } else if (at.high - at.low > l->h->leaf) {
            part(l->h, at);
        }
    }
}

typedef struct packing {
    mo_half_item *item;
    mo_packed *packed;
} packing;

static void load_items(void *context, int64_t first, int64_t last)
{
    const packing *p = context;
    for (int64_t row = first; row < last; ++row) {
        const double *x = p->packed->head.points.x + 3 * row;
        p->item[row] = (mo_half_item){{x[0], x[1], x[2]}, 0, row};
    }
}

static void store_items(void *context, int64_t first, int64_t last)
{
    const packing *p = context;
    for (int64_t slot = first; slot < last; ++slot) {
        mo_packed_set(p->packed, slot, (int32_t)p->item[slot].row, p->item[slot].x);
    }
}

void mo_halve(const mo_halving *h, mo_packed *packed, mo_pool *pool)
{
    part_level l = {h, 1, false};
    packing p = {h->item, packed};
    mo_parallel_for(pool, h->count, ROW_GRAIN, load_items, &p);
    for (int k = 0; k < LEVELS && h->count >> k > 64 * h->leaf; ++k) {
        mo_parallel_for(pool, l.nodes, 1, part_nodes, &l);
        l.nodes *= 2;
    }
    l.subtrees = true;
    mo_parallel_for(pool, l.nodes, 1, part_nodes, &l);
    mo_parallel_for(pool, h->count, ROW_GRAIN, store_items, &p);
}
