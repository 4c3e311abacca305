/*
 * A snapshot of a store: a copy of all state columns, by name, with the ids and the next id.
 *
 * It has names and types, so that it can be restored into another store with the same columns, and
 * written and read by code independent of methods. A snapshot's memory is reused when it is taken
 * again.
 */
#ifndef MO_STORE_SNAPSHOT_H
#define MO_STORE_SNAPSHOT_H

#include "store/store.h"

enum { MO_COLUMN_NAME = 64 };

typedef struct mo_saved_column {
    char name[MO_COLUMN_NAME];
    mote_type type;
    int components;
    size_t row_bytes;
    int64_t capacity; /* bytes */
    void *data;
} mo_saved_column;

typedef struct mo_snapshot {
    mo_memory *memory;
    int64_t rows, next_id;
    int count;
    mo_saved_column columns[MO_COLUMNS_MAX];
} mo_snapshot;

mote_status mo_snapshot_create(mo_memory *memory, mo_snapshot **snapshot, mote_error *error);
void mo_snapshot_destroy(mo_snapshot *snapshot);

/* A new snapshot of a store, in the store's memory. */
mote_status mo_snapshot_take(const mo_store *store, mo_snapshot **snapshot, mote_error *error);

/* The same into an existing one. On failure its contents are undefined. */
mote_status mo_snapshot_copy(const mo_store *store, mo_pool *pool, mo_snapshot *snapshot,
                             mote_error *error);

/* Adds a column of snapshot->rows rows, to be filled by a file reader. */
mote_status mo_snapshot_add(mo_snapshot *snapshot, const char *name, mote_type type, int components,
                            mo_saved_column **column, mote_error *error);

const mo_saved_column *mo_snapshot_find(const mo_snapshot *snapshot, const char *name);

/* Whether the store's state columns are exactly the snapshot's, by name and type; reports the
 * difference. */
mote_status mo_snapshot_fits(const mo_snapshot *snapshot, const mo_store *store, mote_error *error);

/* Checks that ids are unique and below next_id, and ascending if rows keep their order. Borrows
 * `memory`. */
mote_status mo_snapshot_check_ids(const mo_snapshot *snapshot, bool ascending, mo_memory *memory,
                                  mote_error *error);

/* Restores rows, ids and state; all other columns are zeroed. Fails only if memory is
 * insufficient, never if the rows were reserved. */
mote_status mo_snapshot_restore(const mo_snapshot *snapshot, mo_store *store, mote_error *error);

#endif
