#include "geometry/hierarchy/order.h"

#include "geometry/bound/box.h"
#include "neighbor/search/morton.h"

enum { WIDTH = 8, GRAIN = 4096 };

typedef struct sorting {
    const mo_vec3 *middle;
    int32_t *order;
} sorting;

static bool comes_before(const sorting *s, int32_t a, int32_t b, int axis)
{
    double p = mo_vec3_at(s->middle[a], axis), q = mo_vec3_at(s->middle[b], axis);
    return p < q || (p == q && a < b);
}

/* The axis of largest extent of the middles. */
static int widest_axis(const sorting *s, int64_t first, int64_t last)
{
    mo_box box = mo_box_empty();
    for (int64_t k = first; k < last; ++k) {
        double x[3];
        mo_vec3_store(x, s->middle[s->order[k]]);
        mo_box_grow(&box, x);
    }
    int widest = 0;
    for (int axis = 1; axis < 3; ++axis) {
        widest =
            box.high[axis] - box.low[axis] > box.high[widest] - box.low[widest] ? axis : widest;
    }
    return widest;
}

/* Quickselect of the `middle`-th element (Hoare 1961). */
static void select_middle(const sorting *s, int64_t first, int64_t last, int64_t middle, int axis)
{
    int64_t low = first, high = last - 1;
    while (low < high) {
        int32_t pivot = s->order[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (comes_before(s, s->order[i], pivot, axis)) {
                ++i;
            }
            while (comes_before(s, pivot, s->order[j], axis)) {
                --j;
            }
            if (i <= j) {
                int32_t swap = s->order[i];
                s->order[i++] = s->order[j];
                s->order[j--] = swap;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

/* A range becomes two, cut at a multiple of the largest power of eight below its length, so that
 * every node but the last of a layer is full; and so on in both. */
static void cut(const sorting *s, int64_t first, int64_t last)
{
    while (last - first > 1) {
        int64_t unit = 1;
        while (WIDTH * unit < last - first) {
            unit *= WIDTH;
        }
        int64_t units = (last - first + unit - 1) / unit, middle = first + units / 2 * unit;
        select_middle(s, first, last, middle, widest_axis(s, first, last));
        cut(s, first, middle);
        first = middle;
    }
}

void mo_order_by_medians(int32_t *order, int64_t count, const mo_vec3 *middle)
{
    cut(&(sorting){middle, order}, 0, count);
}

/* ---- along a curve ---- */

typedef struct walking {
    const mo_vec3 *middle;
    int32_t *order;
    mo_keyed *item;
    double low[3], scale[3];
} walking;

static void find_keys(void *context, int64_t first, int64_t last)
{
    const walking *w = context;
    for (int64_t k = first; k < last; ++k) {
        uint64_t key = 0;
        for (int axis = 0; axis < 3; ++axis) {
            double x = (mo_vec3_at(w->middle[w->order[k]], axis) - w->low[axis]) * w->scale[axis];
            key |= mo_morton_bits((int64_t)x) << axis;
        }
        w->item[k] = (mo_keyed){key, w->order[k]};
    }
}

static void find_order(void *context, int64_t first, int64_t last)
{
    const walking *w = context;
    for (int64_t k = first; k < last; ++k) {
        w->order[k] = (int32_t)w->item[k].row;
    }
}

void mo_order_by_morton(int32_t *order, int64_t count, const mo_vec3 *middle, mo_radix *radix,
                        mo_pool *pool)
{
    enum { CELLS = 1 << 10 }; /* along each axis: keys of 30 bits, four digits to sort by */
    mo_box box = mo_box_empty();
    walking w = {.middle = middle, .order = order, .item = radix->item};
    double longest = 0;
    for (int64_t k = 0; k < count; ++k) {
        double x[3];
        mo_vec3_store(x, middle[order[k]]);
        mo_box_grow(&box, x);
    }
    for (int axis = 0; axis < 3; ++axis) {
        longest = fmax(longest, box.high[axis] - box.low[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) { /* cells are cubes: nodes become as round as they can */
        w.low[axis] = box.low[axis];
        w.scale[axis] = longest > 0 ? (CELLS - 1) / longest : 0;
    }
    mo_parallel_for(pool, count, GRAIN, find_keys, &w);
    mo_radix_sort(radix, count, pool);
    w.item = radix->item;
    mo_parallel_for(pool, count, GRAIN, find_order, &w);
}
