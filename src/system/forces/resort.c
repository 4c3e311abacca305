#include "system/forces/resort.h"

#include "host/coupling.h"

#include <math.h>

enum { GRAIN = 4096 };

bool mo_resort_rows_are_free(const mo_forces *forces)
{
    const mo_system *s = forces->system;
    bool kept = s->bodies.edge_count > 0 || s->bodies.triangle_count > 0 ||
                forces->kinematics.count > 0 || forces->system->callbacks.count > 0;
    for (int k = 0; k < forces->force_count; ++k) {
        kept = kept || forces->forces[k].type->remap != NULL;
    }
    return !kept;
}

typedef struct wrapping {
    const mo_domain *domain;
    const double *x;
    double *wrapped;
} wrapping;

/* Wrapped positions of the rows. */
static void wrap_rows(void *context, int64_t first, int64_t last)
{
    const wrapping *w = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        w->wrapped[k] = mo_domain_wrap(w->domain, (int)(k % 3), w->x[k]);
    }
}

/* Sorts the rows of each body. Rows without a body are not moved. */
static mote_status find_order(const mo_forces *forces, const double *wrapped, int64_t *order,
                              mote_error *error)
{
    const mo_system *s = forces->system;
    double width = mo_search_reach(forces->source.search, 0);
    for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
        order[row] = row;
    }
    for (int64_t b = 0; b < s->bodies.count; ++b) {
        int64_t first = s->bodies.list[b].first, count = s->bodies.list[b].count;
        MO_TRY(mo_search_order(s->host->memory, count, wrapped + 3 * first, width, s->host->pool,
                               order + first, error));
        for (int64_t k = first; k < first + count; ++k) {
            order[k] += first;
        }
    }
    return MOTE_OK;
}

static mote_status sort_rows(mo_forces *forces, double *wrapped, int64_t *order, mote_error *error)
{
    mo_system *s = forces->system;
    wrapping w = {&forces->system->host->domain, mo_f64(s->columns.x), wrapped};
    mo_parallel_for(s->host->pool, mo_store_owned(s->store), GRAIN, wrap_rows, &w);
    MO_TRY(find_order(forces, wrapped, order, error));
    MO_TRY(mo_store_reorder(s->store, s->host->pool, order, error));
    mo_store_trim(s->store);
    if (mo_system_remaps(s)) {
        int64_t *map = (int64_t *)(void *)wrapped; /* no longer needed */
        for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
            map[order[row]] = row;
        }
        mo_system_remap(s, map);
    }
    return MOTE_OK;
}

mote_status mo_resort(mo_forces *forces, int64_t step, mote_error *error)
{
    mo_system *s = forces->system;
    int64_t rows = mo_store_owned(s->store);
    bool due =
        step > 0 && step % MO_RESORT_EVERY == 0 && rows >= MO_RESORT_ROWS && forces->source.search;
    if (!due || !mo_resort_rows_are_free(forces)) {
        return MOTE_OK;
    }
    void *wrapped, *order;
    mo_pair_source_drop(&forces->source);
    MO_TRY(mo_allocate_array(s->host->memory, rows, 3 * sizeof(double), &wrapped, error));
    mote_status status = mo_allocate_array(s->host->memory, rows, sizeof(int64_t), &order, error);
    if (status == MOTE_OK) {
        status = sort_rows(forces, wrapped, order, error);
        mo_release(s->host->memory, order);
    }
    mo_release(s->host->memory, wrapped);
    return status;
}
