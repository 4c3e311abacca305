/*
 * The field store: the rows of a system, as named, typed columns (vectors interleaved, N x 3).
 *
 * Methods declare the columns they need and keep the mo_column; growing, removing, reordering,
 * snapshots, export, colouring and checkpoints then work on all columns. A column's data moves when
 * rows are added or removed, never otherwise.
 *
 * Structures of arrays (one array per component) were rejected: a neighbour's x, y and z share a
 * cache line when interleaved, and pair loops run on packed copies anyway.
 *
 * Every store has an "id" column: unique, never reused. Added rows get the next ids.
 */
#ifndef MO_STORE_STORE_H
#define MO_STORE_STORE_H

#include "base/param.h"
#include "base/pool.h"

typedef struct mo_store mo_store;

enum { MO_COLUMNS_MAX = 128 };

typedef struct mo_column {
    mo_column_spec spec; /* its texts belong to the store */
    size_t row_bytes;
    void *data;
} mo_column;

mote_status mo_store_create(mo_memory *memory, mo_store **store, mote_error *error);
void mo_store_destroy(mo_store *store);

/* Declares a column, zeroed. A repeated declaration with the same type returns the same column
 * (a state column remains one); with another type it is an error. */
mote_status mo_store_declare(mo_store *store, const mo_column_spec *spec, mo_column **column,
                             mote_error *error);

int64_t mo_store_rows(const mo_store *store);

/* The number of rows owned by this process, which come first: the bound of loops over particles.
 * Currently all rows; copies of rows of other processes would follow. */
int64_t mo_store_owned(const mo_store *store);

int64_t mo_store_next_id(const mo_store *store);
mo_memory *mo_store_memory(const mo_store *store);

/* Changes whenever rows are added, removed, reordered or restored: lists of rows are valid for
 * one epoch. */
uint64_t mo_store_epoch(const mo_store *store);
int mo_store_columns(const mo_store *store);
mo_column *mo_store_column(const mo_store *store, int index);
mo_column *mo_store_find(const mo_store *store, const char *name);

/* Uses an id counter shared by several stores. To be called before the first row is added. */
void mo_store_share_ids(mo_store *store, int64_t *next_id);

/* Reserves this many rows, so that adding them does not allocate. */
mote_status mo_store_reserve(mo_store *store, int64_t rows, mote_error *error);

/* Appends zeroed rows with new ids. On failure nothing is changed. */
mote_status mo_store_add(mo_store *store, int64_t rows, int64_t *first, mote_error *error);

/* Reverts the last mo_store_add: removes the rows from `first` on and releases their ids. */
void mo_store_revert_add(mo_store *store, int64_t first);

/* Removes the rows with removed[row] != 0 and keeps the order of the others. map (may be NULL,
 * one entry per old row) receives the new row, or -1. Returns the number of rows removed. */
int64_t mo_store_remove(mo_store *store, const uint8_t *removed, int64_t *map);

/* Sets the number of rows, all zero including ids; the next added row gets `next_id`. */
mote_status mo_store_resize(mo_store *store, int64_t rows, int64_t next_id, mote_error *error);

/* New row i is the old row order[i]. `order` is a permutation. */
mote_status mo_store_reorder(mo_store *store, mo_pool *pool, const int64_t *order,
                             mote_error *error);

/* Releases the scratch of reordering. */
void mo_store_trim(mo_store *store);

size_t mo_type_bytes(mote_type type);
const char *mo_type_name(mote_type type);

/* Short forms of frequent columns. */
static inline double *mo_f64(const mo_column *column)
{
    return column->data;
}
static inline int64_t *mo_i64(const mo_column *column)
{
    return column->data;
}

#endif
