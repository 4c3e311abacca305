#include "store/store.h"

#include "math/wide.h"

#include <string.h>

enum { REORDER_GRAIN = 8192 };

/* Beyond any machine's memory, without overflow of a size. */
#define ROWS_MAX ((int64_t)1 << 40)

struct mo_store {
    mo_memory *memory;
    mo_arena names;
    int64_t rows, capacity;
    int64_t own_next_id, *next_id; /* the latter points to the former, or to a shared counter */
    uint64_t epoch;
    int count;
    mo_column *columns[MO_COLUMNS_MAX];
    void *scratch; /* scratch of reordering, allocated once */
    int64_t scratch_bytes;
};

static const mo_column_spec ID_COLUMN = {"id",     MOTE_I64, 1,
                                         MO_STATE, "1",      "unique identifier; never reused"};

size_t mo_type_bytes(mote_type type)
{
    switch (type) {
    case MOTE_F64:
    case MOTE_I64:
        return 8;
    case MOTE_F32:
    case MOTE_I32:
        return 4;
    case MOTE_U8:
        return 1;
    }
    return 0;
}

const char *mo_type_name(mote_type type)
{
    switch (type) {
    case MOTE_F64:
        return "f64";
    case MOTE_F32:
        return "f32";
    case MOTE_I64:
        return "i64";
    case MOTE_I32:
        return "i32";
    case MOTE_U8:
        return "u8";
    }
    return "?";
}

mote_status mo_store_create(mo_memory *memory, mo_store **out, mote_error *error)
{
    mo_store *store = mo_allocate(memory, sizeof *store);
    if (!store) {
        return mo_fail_memory(error, sizeof *store);
    }
    store->memory = memory;
    store->next_id = &store->own_next_id;
    mo_arena_init(&store->names, memory);
    mo_column *id;
    mote_status status = mo_store_declare(store, &ID_COLUMN, &id, error);
    if (status != MOTE_OK) {
        mo_store_destroy(store);
        return status;
    }
    *out = store;
    return MOTE_OK;
}

void mo_store_destroy(mo_store *store)
{
    if (!store) {
        return;
    }
    for (int k = 0; k < store->count; ++k) {
        mo_release(store->memory, store->columns[k]->data);
    }
    mo_release(store->memory, store->scratch);
    mo_arena_release(&store->names);
    mo_release(store->memory, store);
}

int64_t mo_store_rows(const mo_store *store)
{
    return store->rows;
}

int64_t mo_store_owned(const mo_store *store)
{
    return store->rows;
}

uint64_t mo_store_epoch(const mo_store *store)
{
    return store->epoch;
}

mo_memory *mo_store_memory(const mo_store *store)
{
    return store->memory;
}

void mo_store_share_ids(mo_store *store, int64_t *next_id)
{
    store->next_id = next_id;
}

int64_t mo_store_next_id(const mo_store *store)
{
    return *store->next_id;
}

mote_status mo_store_resize(mo_store *store, int64_t rows, int64_t next_id, mote_error *error)
{
    MO_TRY(mo_store_reserve(store, rows, error));
    for (int k = 0; k < store->count; ++k) {
        memset(store->columns[k]->data, 0, (size_t)rows * store->columns[k]->row_bytes);
    }
    store->epoch++;
    store->rows = rows;
    *store->next_id = next_id;
    return MOTE_OK;
}

int mo_store_columns(const mo_store *store)
{
    return store->count;
}

mo_column *mo_store_column(const mo_store *store, int index)
{
    return index >= 0 && index < store->count ? store->columns[index] : NULL;
}

mo_column *mo_store_find(const mo_store *store, const char *name)
{
    for (int k = 0; k < store->count; ++k) {
        if (strcmp(store->columns[k]->spec.name, name) == 0) {
            return store->columns[k];
        }
    }
    return NULL;
}

static mote_status declare_again(mo_column *column, const mo_column_spec *spec, mote_error *error)
{
    if (column->spec.type != spec->type || column->spec.components != spec->components) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "column '%s' already exists as %s x %d, not %s x %d", spec->name,
                       mo_type_name(column->spec.type), column->spec.components,
                       mo_type_name(spec->type), spec->components);
    }
    if (spec->role == MO_STATE) {
        column->spec.role = MO_STATE;
    }
    return MOTE_OK;
}

mote_status mo_store_declare(mo_store *store, const mo_column_spec *spec, mo_column **out,
                             mote_error *error)
{
    mo_column *column = mo_store_find(store, spec->name);
    if (column) {
        *out = column;
        return declare_again(column, spec, error);
    }
    if (store->count == MO_COLUMNS_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "column '%s': a store has at most %d columns",
                       spec->name, MO_COLUMNS_MAX);
    }
    column = mo_arena_allocate(&store->names, sizeof *column);
    char *name = mo_arena_text(&store->names, spec->name);
    char *unit = mo_arena_text(&store->names, spec->unit ? spec->unit : "1");
    char *doc = mo_arena_text(&store->names, spec->doc ? spec->doc : "");
    if (!column || !name || !unit || !doc) {
        return mo_fail_memory(error, sizeof *column);
    }
    column->spec = (mo_column_spec){name, spec->type, spec->components, spec->role, unit, doc};
    column->row_bytes = mo_type_bytes(spec->type) * (size_t)spec->components;
    MO_TRY(
        mo_allocate_array(store->memory, store->capacity, column->row_bytes, &column->data, error));
    store->columns[store->count++] = column;
    *out = column;
    return MOTE_OK;
}

/* All new arrays are allocated before old ones are released, so that a failure leaves the store
 * unchanged. */
mote_status mo_store_reserve(mo_store *store, int64_t rows, mote_error *error)
{
    if (rows < store->capacity) {
        return MOTE_OK;
    }
    if (rows > ROWS_MAX) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "out of memory: %lld rows are too many",
                       (long long)rows);
    }
    int64_t capacity = store->capacity ? store->capacity + store->capacity / 2 : 0;
    capacity = capacity < rows ? rows : capacity;
    capacity =
        /* at least one row of padding: wide loads read past the end */
        (capacity + MO_WIDE) / MO_WIDE * MO_WIDE;
    void *larger[MO_COLUMNS_MAX];
    for (int k = 0; k < store->count; ++k) {
        mote_status status = mo_allocate_array(store->memory, capacity,
                                               store->columns[k]->row_bytes, &larger[k], error);
        if (status != MOTE_OK) {
            while (k-- > 0) {
                mo_release(store->memory, larger[k]);
            }
            return status;
        }
    }
    for (int k = 0; k < store->count; ++k) {
        mo_column *column = store->columns[k];
        memcpy(larger[k], column->data, (size_t)store->rows * column->row_bytes);
        mo_release(store->memory, column->data);
        column->data = larger[k];
    }
    store->capacity = capacity;
    return MOTE_OK;
}

mote_status mo_store_add(mo_store *store, int64_t rows, int64_t *first, mote_error *error)
{
    if (rows < 0 || rows > ROWS_MAX) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "out of memory: %lld rows cannot be added",
                       (long long)rows);
    }
    MO_TRY(mo_store_reserve(store, store->rows + rows, error));
    store->epoch++;
    for (int k = 0; k < store->count; ++k) {
        mo_column *column = store->columns[k];
        memset((char *)column->data + (size_t)store->rows * column->row_bytes, 0,
               (size_t)rows * column->row_bytes);
    }
    int64_t *id = store->columns[0]->data;
    for (int64_t row = store->rows; row < store->rows + rows; ++row) {
        id[row] = (*store->next_id)++;
    }
    *first = store->rows;
    store->rows += rows;
    return MOTE_OK;
}

void mo_store_revert_add(mo_store *store, int64_t first)
{
    store->epoch++;
    *store->next_id -= store->rows - first;
    store->rows = first;
}

static void compact(mo_column *column, const uint8_t *removed, int64_t rows)
{
    char *data = column->data;
    int64_t to = 0;
    for (int64_t row = 0; row < rows; ++row) {
        if (removed[row]) {
            continue;
        }
        if (to != row) {
            memcpy(data + (size_t)to * column->row_bytes, data + (size_t)row * column->row_bytes,
                   column->row_bytes);
        }
        ++to;
    }
}

int64_t mo_store_remove(mo_store *store, const uint8_t *removed, int64_t *map)
{
    int64_t kept = 0, owned = mo_store_owned(store);
    store->epoch++;
    for (int64_t row = 0; row < owned; ++row) {
        int64_t target = removed[row] ? -1 : kept;
        kept += removed[row] ? 0 : 1;
        if (map) {
            map[row] = target;
        }
    }
    for (int k = 0; k < store->count; ++k) {
        compact(store->columns[k], removed, owned);
    }
    store->rows = kept;
    return owned - kept;
}

typedef struct reordering {
    char *data, *scratch;
    const int64_t *order;
    size_t row_bytes;
} reordering;

static void gather_rows(void *context, int64_t first, int64_t last)
{
    reordering *r = context;
    for (int64_t row = first; row < last; ++row) {
        memcpy(r->scratch + (size_t)row * r->row_bytes,
               r->data + (size_t)r->order[row] * r->row_bytes, r->row_bytes);
    }
}

static void copy_back(void *context, int64_t first, int64_t last)
{
    reordering *r = context;
    size_t offset = (size_t)first * r->row_bytes;
    memcpy(r->data + offset, r->scratch + offset, (size_t)(last - first) * r->row_bytes);
}

mote_status mo_store_reorder(mo_store *store, mo_pool *pool, const int64_t *order,
                             mote_error *error)
{
    int64_t owned = mo_store_owned(store);
    size_t widest = 0;
    store->epoch++;
    for (int k = 0; k < store->count; ++k) {
        widest = store->columns[k]->row_bytes > widest ? store->columns[k]->row_bytes : widest;
    }
    MO_TRY(mo_grow(store->memory, &store->scratch, &store->scratch_bytes, owned * (int64_t)widest,
                   1, error));
    for (int k = 0; k < store->count; ++k) {
        reordering r = {store->columns[k]->data, store->scratch, order,
                        store->columns[k]->row_bytes};
        mo_parallel_for(pool, owned, REORDER_GRAIN, gather_rows, &r);
        mo_parallel_for(pool, owned, REORDER_GRAIN, copy_back, &r);
    }
    return MOTE_OK;
}

void mo_store_trim(mo_store *store)
{
    mo_release(store->memory, store->scratch);
    store->scratch = NULL;
    store->scratch_bytes = 0;
}
