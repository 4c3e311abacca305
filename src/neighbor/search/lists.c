#include "neighbor/search/lists.h"

#include "math/wide.h"

enum { QUERY_GRAIN = 64, ROW_GRAIN = 4096, FOUND_MAX = 2048 };

void mo_lists_init(mo_lists *lists, mo_memory *memory)
{
    *lists = (mo_lists){.memory = memory};
}

void mo_lists_release(mo_lists *lists)
{
    mo_release(lists->memory, lists->start);
    mo_release(lists->memory, lists->count);
    mo_release(lists->memory, lists->index);
    mo_lists_init(lists, lists->memory);
}

int64_t mo_lists_bytes(const mo_lists *lists)
{
    return (int64_t)sizeof *lists->start * lists->start_capacity +
           (int64_t)sizeof *lists->count * lists->count_capacity +
           (int64_t)sizeof *lists->index * lists->index_capacity;
}

/* As mo_reserve, without preserving the contents. */
static mote_status renew(mo_lists *lists, int64_t need, mote_error *error)
{
    /* never NULL, since offsets are added to it even without neighbours */
    need = need > 0 ? need : 1;
    if (need <= lists->index_capacity) {
        return MOTE_OK;
    }
    mo_release(lists->memory, lists->index);
    lists->index = NULL;
    lists->index_capacity = 0;
    return mo_reserve(lists->memory, &lists->index, &lists->index_capacity, need,
                      sizeof *lists->index, error);
}

mote_status mo_lists_reserve(mo_lists *lists, int64_t indices, mote_error *error)
{
    return renew(lists, indices, error);
}

int64_t mo_lists_take(mo_lists_sink *sink, int64_t size, int32_t **target)
{
    int64_t at = atomic_fetch_add_explicit(&sink->used, size, memory_order_relaxed);
    bool fits = sink->lists->index && at + size <= sink->lists->index_capacity;
    *target = fits ? sink->lists->index + at : NULL;
    return at;
}

static void sum_counts(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_lists *lists = context;
    int64_t sum = 0;
    for (int64_t row = first; row < last; ++row) {
        sum += lists->count[row];
    }
    *partial = (double)sum;
}

static mote_status count_pairs(mo_lists *lists, mo_pool *pool, mote_error *error)
{
    double pairs;
    MO_TRY(mo_parallel_reduce(pool, lists->rows, ROW_GRAIN, MO_SUM, 1, sum_counts, lists, &pairs,
                              error));
    lists->pairs = (int64_t)pairs;
    return MOTE_OK;
}

mote_status mo_lists_make(mo_lists *lists, int64_t rows, mo_pool *pool, mo_lists_fill_fn *fill,
                          void *context, mote_error *error)
{
    mo_memory *memory = lists->memory;
    lists->rows = lists->pairs = 0;
    MO_TRY(mo_reserve(memory, &lists->start, &lists->start_capacity, rows + 1, sizeof *lists->start,
                      error));
    MO_TRY(mo_reserve(memory, &lists->count, &lists->count_capacity, rows, sizeof *lists->count,
                      error));
    mo_lists_sink sink = {.lists = lists};
    fill(context, &sink, pool);
    if (sink.used > lists->index_capacity || !lists->index) {
        /* a margin of a quarter, since the number of pairs fluctuates */
        MO_TRY(renew(lists, sink.used + sink.used / 4, error));
        sink.used = 0;
        fill(context, &sink, pool);
    }
    lists->start[rows] = sink.used;
    lists->rows = rows;
    return count_pairs(lists, pool, error);
}

/* ---- by queries ---- */

typedef struct queries {
    mo_near_fn *near;
    const void *instance;
    const double *x;
    int64_t rows;
    double radius;
    bool self;
    mo_lists_sink *sink;
} queries;

/* Removes `row` from a list and restores the padding. Returns the new length. */
static int64_t finish_list(int32_t *list, int64_t count, int64_t row, bool self)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        list[kept] = list[k];
        kept += !(self && list[k] == row);
    }
    for (int64_t k = kept; k % MO_WIDE; ++k) {
        list[k] = self ? (int32_t)row : 0;
    }
    return kept;
}

static int64_t round_up(int64_t count)
{
    return (count + MO_WIDE - 1) / MO_WIDE * MO_WIDE;
}

static void query_rows(void *context, int64_t first, int64_t last)
{
    const queries *q = context;
    mo_lists *lists = q->sink->lists;
    int32_t found[FOUND_MAX + MO_WIDE], *target;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 position = mo_vec3_load(q->x + 3 * row);
        int64_t count = q->near(q->instance, position, q->radius, found, FOUND_MAX),
                kept = count - q->self;
        if (count <= FOUND_MAX) {
            finish_list(found, count, row, q->self);
            lists->start[row] = mo_lists_take(q->sink, round_up(kept), &target);
            if (target) {
                memcpy(target, found, (size_t)round_up(kept) * sizeof *target);
            }
        } else {
            lists->start[row] = mo_lists_take(q->sink, round_up(count), &target);
            if (target) {
                q->near(q->instance, position, q->radius, target, count);
                finish_list(target, count, row, q->self);
            }
        }
        lists->count[row] = (int32_t)kept;
    }
}

static void query_all(void *context, mo_lists_sink *sink, mo_pool *pool)
{
    queries *q = context;
    q->sink = sink;
    mo_parallel_for(pool, q->rows, QUERY_GRAIN, query_rows, q);
}

mote_status mo_lists_by_queries(mo_lists *lists, mo_pool *pool, mo_near_fn *near,
                                const void *instance, int64_t rows, const double *x, double radius,
                                bool self, mote_error *error)
{
    queries q = {near, instance, x, rows, radius, self, NULL};
    return mo_lists_make(lists, rows, pool, query_all, &q, error);
}

/* ---- halving ---- */

typedef struct halving {
    mo_lists *lists;
    const int32_t *owner;
} halving;

static void halve_rows(void *context, int64_t first, int64_t last)
{
    const halving *h = context;
    mo_lists *lists = h->lists;
    for (int64_t row = first; row < last; ++row) {
        int32_t *list = lists->index + lists->start[row], kept = 0;
        for (int32_t k = 0; k < lists->count[row]; ++k) {
            int32_t j = list[k], whose = j < lists->rows ? j : h->owner[j - lists->rows];
            list[kept] = j;
            kept += whose > row;
        }
        finish_list(list, kept, row, true);
        lists->count[row] = kept;
    }
}

void mo_lists_halve(mo_lists *lists, mo_pool *pool, const int32_t *owner)
{
    halving h = {lists, owner};
    mo_parallel_for(pool, lists->rows, ROW_GRAIN, halve_rows, &h);
    lists->pairs /= 2;
}
