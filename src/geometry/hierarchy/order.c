#include "geometry/hierarchy/order.h"

#include "geometry/bound/box.h"
#include "neighbor/search/morton.h"

#include <stdlib.h>

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

/* ---- what is typical ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double mo_order_typical_size(int64_t count, const double *size)
{
    enum { SAMPLE = 255 };
    double sample[SAMPLE];
    int64_t step = count / SAMPLE + 1;
    int found = 0;
    for (int64_t k = 0; k < count && found < SAMPLE; k += step) {
        sample[found++] = isnan(size[k]) ? 0 : size[k];
    }
    qsort(sample, (size_t)found, sizeof *sample, by_value);
    return found > 0 ? sample[found / 2] : 0;
}

static bool is_finite(mo_vec3 x)
{
    return isfinite(x.x + x.y + x.z);
}

/* Large primitives count little, infinite ones nothing. */
static double weight_of(mo_vec3 middle, double size, double typical)
{
    return !is_finite(middle) || !(size < (double)INFINITY) ? 0
           : size > typical                                 ? typical / size
                                                            : 1;
}

mo_vec3 mo_order_centre(int64_t count, const mo_vec3 *middle, const double *size)
{
    double typical = mo_order_typical_size(count, size), sum = 0;
    mo_vec3 mean = {0, 0, 0};
    for (int64_t k = 0; k < count; ++k) {
        double w = weight_of(middle[k], size[k], typical);
        if (w > 0) {
            sum += w;
            mean = mo_add_scaled(mean, w, middle[k]);
        }
    }
    mo_vec3 centre = mo_scale(sum > 0 ? 1 / sum : 0, mean);
    return is_finite(centre) ? centre : mo_vec3_make(0, 0, 0);
}

/* ---- along a curve ---- */

enum { BITS = 11, CELLS = 1 << BITS, CLASS_BIT = 3 * BITS }; /* 33 bits: five digits to sort by */

typedef struct walking {
    const mo_vec3 *middle;
    const double *size;
    int32_t *order;
    mo_keyed *item;
    mo_vec3 centre;
    double scale, typical;
} walking;

static uint64_t size_class(double size, double typical)
{
    int exponent = 0;
    if (!(size < (double)INFINITY)) {
        return 255;
    }
    frexp(typical > 0 ? size / (8 * typical) : 0, &exponent);
    return (uint64_t)(exponent < 0 ? 0 : exponent > 254 ? 254 : exponent);
}

static void find_keys(void *context, int64_t first, int64_t last)
{
    const walking *w = context;
    for (int64_t k = first; k < last; ++k) {
        int32_t number = w->order[k];
        mo_vec3 d = mo_sub(w->middle[number], w->centre);
        uint64_t key = size_class(w->size[number], w->typical) << CLASS_BIT;
        for (int axis = 0; axis < 3; ++axis) {
            double x = mo_vec3_at(d, axis) * w->scale + CELLS / 2;
            x = x > 0 ? x : 0; /* also a NaN */
            key |= mo_morton_bits((int64_t)(x < CELLS - 1 ? x : CELLS - 1)) << axis;
        }
        w->item[k] = (mo_keyed){key, number};
    }
}

static void find_order(void *context, int64_t first, int64_t last)
{
    const walking *w = context;
    for (int64_t k = first; k < last; ++k) {
        w->order[k] = (int32_t)w->item[k].row;
    }
}

/* Half the edge of the curve's cube: four times the mean distance along the widest axis, which is
 * twice the half width of points spread evenly. Cells are cubes: nodes become as round as they
 * can. */
static double find_reach(const walking *w, int64_t count)
{
    double sum[3] = {0}, weights = 0;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 m = w->middle[w->order[k]];
        double weight = weight_of(m, w->size[w->order[k]], w->typical);
        for (int axis = 0; axis < 3 && weight > 0; ++axis) {
            sum[axis] += weight * fabs(mo_vec3_at(m, axis) - mo_vec3_at(w->centre, axis));
        }
        weights += weight;
    }
    return weights > 0 ? 4 * fmax(sum[0], fmax(sum[1], sum[2])) / weights : 0;
}

void mo_order_by_morton(int32_t *order, int64_t count, const mo_vec3 *middle, const double *size,
                        mo_vec3 centre, mo_radix *radix, mo_pool *pool)
{
    walking w = {.middle = middle,
                 .size = size,
                 .order = order,
                 .item = radix->item,
                 .centre = centre,
                 .typical = mo_order_typical_size(count, size)};
    double reach = find_reach(&w, count);
    w.scale = reach > 0 && reach < (double)INFINITY ? CELLS / (2 * reach) : 0;
    mo_parallel_for(pool, count, GRAIN, find_keys, &w);
    mo_radix_sort(radix, count, pool);
    w.item = radix->item;
    mo_parallel_for(pool, count, GRAIN, find_order, &w);
}
