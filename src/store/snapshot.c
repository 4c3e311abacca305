#include "store/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_GRAIN = 1 << 20 };

mote_status mo_snapshot_create(mo_memory *memory, mo_snapshot **out, mote_error *error)
{
    mo_snapshot *snapshot = mo_allocate(memory, sizeof *snapshot);
    if (!snapshot) {
        return mo_fail_memory(error, sizeof *snapshot);
    }
    snapshot->memory = memory;
    *out = snapshot;
    return MOTE_OK;
}

void mo_snapshot_destroy(mo_snapshot *snapshot)
{
    if (!snapshot) {
        return;
    }
    for (int k = 0; k < MO_COLUMNS_MAX; ++k) {
        mo_release(snapshot->memory, snapshot->columns[k].data);
    }
    mo_release(snapshot->memory, snapshot);
}

mote_status mo_snapshot_add(mo_snapshot *snapshot, const char *name, mote_type type, int components,
                            mo_saved_column **out, mote_error *error)
{
    if (snapshot->count == MO_COLUMNS_MAX || strlen(name) >= MO_COLUMN_NAME) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "column '%.80s': a snapshot has at most %d columns with names of at most %d "
                       "characters",
                       name, MO_COLUMNS_MAX, MO_COLUMN_NAME - 1);
    }
    mo_saved_column *column = &snapshot->columns[snapshot->count];
    size_t row_bytes = mo_type_bytes(type) * (size_t)components;
    int64_t bytes = snapshot->rows * (int64_t)row_bytes;
    if (bytes > column->capacity || !column->data) {
        mo_release(snapshot->memory, column->data);
        column->data = NULL;
        column->capacity = 0;
        MO_TRY(
            mo_allocate_array(snapshot->memory, snapshot->rows, row_bytes, &column->data, error));
        column->capacity = bytes;
    }
    snprintf(column->name, sizeof column->name, "%s", name);
    column->type = type;
    column->components = components;
    column->row_bytes = row_bytes;
    snapshot->count++;
    *out = column;
    return MOTE_OK;
}

typedef struct copying {
    char *to;
    const char *from;
} copying;

static void copy_bytes(void *context, int64_t first, int64_t last)
{
    const copying *c = context;
    memcpy(c->to + first, c->from + first, (size_t)(last - first));
}

mote_status mo_snapshot_copy(const mo_store *store, mo_pool *pool, mo_snapshot *snapshot,
                             mote_error *error)
{
    snapshot->count = 0;
    snapshot->rows = mo_store_owned(store);
    snapshot->next_id = mo_store_next_id(store);
    for (int k = 0; k < mo_store_columns(store); ++k) {
        const mo_column *column = mo_store_column(store, k);
        const mo_column_spec *spec = &column->spec;
        mo_saved_column *saved = NULL;
        if (spec->role != MO_STATE) {
            continue;
        }
        MO_TRY(mo_snapshot_add(snapshot, spec->name, spec->type, spec->components, &saved, error));
        copying c = {saved->data, column->data};
        int64_t bytes = snapshot->rows * (int64_t)column->row_bytes;
        if (pool) {
            mo_parallel_for(pool, bytes, COPY_GRAIN, copy_bytes, &c);
        } else {
            copy_bytes(&c, 0, bytes);
        }
    }
    return MOTE_OK;
}

mote_status mo_snapshot_take(const mo_store *store, mo_snapshot **out, mote_error *error)
{
    mo_snapshot *snapshot = NULL;
    MO_TRY(mo_snapshot_create(mo_store_memory(store), &snapshot, error));
    mote_status status = mo_snapshot_copy(store, NULL, snapshot, error);
    if (status != MOTE_OK) {
        mo_snapshot_destroy(snapshot);
        return status;
    }
    *out = snapshot;
    return MOTE_OK;
}

const mo_saved_column *mo_snapshot_find(const mo_snapshot *snapshot, const char *name)
{
    for (int k = 0; k < snapshot->count; ++k) {
        if (strcmp(snapshot->columns[k].name, name) == 0) {
            return &snapshot->columns[k];
        }
    }
    return NULL;
}

static mote_status fits_column(const mo_snapshot *snapshot, const mo_column *column,
                               mote_error *error)
{
    const mo_column_spec *spec = &column->spec;
    const mo_saved_column *saved = mo_snapshot_find(snapshot, spec->name);
    if (!saved) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "the column '%s' is missing, which the methods of this world require; it was saved "
            "with other methods",
            spec->name);
    }
    if (saved->type != spec->type || saved->components != spec->components) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the column '%s' is %s x %d, this world needs %s x %d", spec->name,
                       mo_type_name(saved->type), saved->components, mo_type_name(spec->type),
                       spec->components);
    }
    return MOTE_OK;
}

mote_status mo_snapshot_fits(const mo_snapshot *snapshot, const mo_store *store, mote_error *error)
{
    for (int k = 0; k < mo_store_columns(store); ++k) {
        const mo_column *column = mo_store_column(store, k);
        if (column->spec.role == MO_STATE) {
            MO_TRY(fits_column(snapshot, column, error));
        }
    }
    for (int k = 0; k < snapshot->count; ++k) {
        const mo_column *column = mo_store_find(store, snapshot->columns[k].name);
        if (!column || column->spec.role != MO_STATE) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "it has the column '%s', which no method of this world uses; it was saved with "
                "other methods",
                snapshot->columns[k].name);
        }
    }
    return MOTE_OK;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

mote_status mo_snapshot_check_ids(const mo_snapshot *snapshot, bool ascending, mo_memory *memory,
                                  mote_error *error)
{
    void *copy = NULL;
    const int64_t *id = mo_snapshot_find(snapshot, "id")->data;
    if (!ascending) {
        MO_TRY(mo_allocate_array(memory, snapshot->rows, sizeof *id, &copy, error));
        memcpy(copy, id, (size_t)snapshot->rows * sizeof *id);
        qsort(copy, (size_t)snapshot->rows, sizeof *id, compare_ids);
        id = copy;
    }
    mote_status status = MOTE_OK;
    for (int64_t row = 0; row < snapshot->rows && status == MOTE_OK; ++row) {
        if (id[row] < (row > 0 ? id[row - 1] + 1 : 0) || id[row] >= snapshot->next_id) {
            status = mo_fail(error, MOTE_ERROR_INPUT, "its id %lld is a duplicate or out of range",
                             (long long)id[row]);
        }
    }
    mo_release(memory, copy);
    return status;
}

mote_status mo_snapshot_restore(const mo_snapshot *snapshot, mo_store *store, mote_error *error)
{
    MO_TRY(mo_store_resize(store, snapshot->rows, snapshot->next_id, error));
    for (int k = 0; k < mo_store_columns(store); ++k) {
        mo_column *column = mo_store_column(store, k);
        const mo_saved_column *saved = mo_snapshot_find(snapshot, column->spec.name);
        if (saved && saved->type == column->spec.type &&
            saved->components == column->spec.components) {
            memcpy(column->data, saved->data, (size_t)snapshot->rows * column->row_bytes);
        }
    }
    return MOTE_OK;
}
