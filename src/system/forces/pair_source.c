#include "system/forces/pair_source.h"

#include <string.h>

static const mo_column_spec BUILT_AT = {
    "list_x", MOTE_F64, 3, MO_STATE, "m", "position at the last rebuild of the neighbour lists"};
static const mo_column_spec AGE = {
    "list_age",
    MOTE_I32,
    1,
    MO_STATE,
    "1",
    "1 + evaluations since the last rebuild of the neighbour lists; 0: "
    "never"};

mote_status mo_pair_source_init(mo_pair_source *s, mo_method search, const mo_domain *domain,
                                double range, mo_store *store, mo_memory *memory, mote_error *error)
{
    int set;
    *s = (mo_pair_source){.store = store};
    if (!(range > 0)) {
        return MOTE_OK;
    }
    if (store) {
        MO_TRY(mo_store_declare(store, &BUILT_AT, &s->built_at, error));
        MO_TRY(mo_store_declare(store, &AGE, &s->age, error));
    }
    MO_TRY(mo_search_create(search, domain, memory, &s->search, error));
    MO_TRY(mo_search_add_set(s->search, range, &set, error));
    return mo_search_ask(s->search, 0, 0, MO_LISTS_FULL, error);
}

void mo_pair_source_release(mo_pair_source *s)
{
    mo_search_destroy(s->search);
}

/* Whether every row existed when the lists of its column were built. */
static bool was_built(const mo_pair_source *s, int64_t rows)
{
    const int32_t *age = s->age->data;
    bool all = rows > 0;
    for (int64_t row = 0; row < rows && all; ++row) {
        all = age[row] > 0 && age[row] == age[0];
    }
    return all;
}

/* Rows have changed: rebuilds the lists of the columns. */
static mote_status rebuild_lists(mo_pair_source *s, mo_pool *pool, int64_t rows, mote_error *error)
{
    mo_search_set then = {rows, mo_f64(s->built_at)};
    s->epoch = mo_store_epoch(s->store);
    s->stale = false;
    if (!was_built(s, rows)) {
        mo_search_invalidate(s->search);
        return MOTE_OK;
    }
    return mo_search_resume(s->search, &then, ((const int32_t *)s->age->data)[0] - 1, &then, pool,
                            error);
}

/* Stores the state of the lists in columns. */
static void store_lists(mo_pair_source *s, bool built, int64_t rows)
{
    int32_t *age = s->age->data, now = (int32_t)mo_search_age(s->search) + 1;
    const double *at = mo_search_built(s->search, 0);
    if (built && at != s->built_at->data) {
        memcpy(s->built_at->data, at, (size_t)rows * 3 * sizeof(double));
    }
    for (int64_t row = 0; row < rows && (built || mo_search_counts(s->search)); ++row) {
        age[row] = now;
    }
}

/* The column itself stores the positions of a build, except for measurements, which would overwrite
 * it. */
static void lend_column(mo_pair_source *s, bool measuring, int64_t rows)
{
    if (s->store) {
        mo_search_set_storage(s->search, 0,
                              measuring && was_built(s, rows) ? NULL : mo_f64(s->built_at));
    }
}

static mote_status update(mo_pair_source *s, mo_pool *pool, int64_t rows, const double *x,
                          bool measuring, bool *built, mote_error *error)
{
    mo_search_set now = {rows, x};
    if (s->store && (s->stale || s->epoch != mo_store_epoch(s->store))) {
        mo_search_set_storage(s->search, 0, NULL); /* source and destination must differ */
        MO_TRY(rebuild_lists(s, pool, rows, error));
    }
    lend_column(s, measuring, rows);
    MO_TRY(mo_search_update(s->search, &now, pool, built, error));
    s->pairs = mo_search_pairs(s->search, 0);
    return MOTE_OK;
}

mote_status mo_pair_source_update(mo_pair_source *s, mo_pool *pool, int64_t rows, const double *x,
                                  mote_error *error)
{
    bool built;
    MO_TRY(update(s, pool, rows, x, false, &built, error));
    s->builds += built;
    if (s->store) {
        store_lists(s, built, rows);
    }
    return MOTE_OK;
}

void mo_pair_source_drop(mo_pair_source *s)
{
    mo_search_drop(s->search);
    s->stale = true;
}

mote_status mo_pair_source_measure(mo_pair_source *s, mo_pool *pool, int64_t rows, const double *x,
                                   mote_error *error)
{
    bool built = true;
    mote_status status = update(s, pool, rows, x, true, &built, error);
    s->stale = s->stale || built || mo_search_counts(s->search);
    return status;
}
