/*
 * A store with a column of each kind, whose rows have patterns derived from their ids.
 */
#ifndef TEST_PAINTED_STORE_H
#define TEST_PAINTED_STORE_H

#include "failing_allocator.h"
#include "numbers.h"
#include "store/snapshot.h"
#include "store/store.h"

static const mo_column_spec X = {"x", MOTE_F64, 3, MO_STATE, "m", "position"};
static const mo_column_spec MASS = {"mass", MOTE_F32, 1, MO_STATE, "kg", NULL};
static const mo_column_spec PAIR = {"pair", MOTE_I32, 2, MO_STATE, NULL, NULL};
static const mo_column_spec COLOR = {"color", MOTE_U8, 3, MO_STATE, NULL, NULL};
static const mo_column_spec FLAG = {"flag", MOTE_U8, 1, MO_DERIVED, NULL, NULL};
static const mo_column_spec FORCE = {"force", MOTE_F64, 3, MO_DERIVED, "N", "force"};

static const mo_column_spec *const ALL[] = {&X, &MASS, &PAIR, &COLOR, &FLAG, &FORCE};
enum { ALL_COUNT = sizeof ALL / sizeof *ALL };

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_store *store;
} fixture;

static inline mo_column *declare(mo_store *store, const mo_column_spec *spec)
{
    mo_column *column = NULL;
    assert_int_equal(mo_store_declare(store, spec, &column, NULL), MOTE_OK);
    assert_non_null(column);
    return column;
}

/* A store with a column of each kind. */
static inline void open_store(fixture *f)
{
    f->memory = failing_memory(&f->allocator, -1);
    assert_int_equal(mo_store_create(&f->memory, &f->store, NULL), MOTE_OK);
    for (int k = 0; k < ALL_COUNT; ++k) {
        declare(f->store, ALL[k]);
    }
}

static inline void close_store(fixture *f)
{
    mo_store_destroy(f->store);
    assert_all_given_back(&f->allocator, &f->memory);
}

static inline int64_t add_rows(mo_store *store, int64_t rows)
{
    int64_t first = -1, before = mo_store_rows(store);
    assert_int_equal(mo_store_add(store, rows, &first, NULL), MOTE_OK);
    assert_int_equal(first, before);
    assert_int_equal(mo_store_rows(store), before + rows);
    return first;
}

static inline int64_t id_of(const mo_store *store, int64_t row)
{
    return mo_i64(mo_store_find(store, "id"))[row];
}

/* Byte k of a row with this id in column c, distinct for every row and column. */
static inline unsigned char pattern(int64_t id, int c, size_t k)
{
    return (unsigned char)(mo_hash_word((uint64_t)id, (uint64_t)c * 1000 + k) | 1);
}

static inline unsigned char *row_at(const mo_column *column, int64_t row)
{
    return (unsigned char *)column->data + (size_t)row * column->row_bytes;
}

/* Fills the rows from `first` on in all columns but "id". */
static inline void paint(mo_store *store, int64_t first)
{
    for (int c = 1; c < mo_store_columns(store); ++c) {
        mo_column *column = mo_store_column(store, c);
        for (int64_t row = first; row < mo_store_rows(store); ++row) {
            for (size_t k = 0; k < column->row_bytes; ++k) {
                row_at(column, row)[k] = pattern(id_of(store, row), c, k);
            }
        }
    }
}

static inline void assert_painted(const mo_store *store, int64_t row, int64_t id)
{
    assert_int_equal(id_of(store, row), id);
    for (int c = 1; c < mo_store_columns(store); ++c) {
        const mo_column *column = mo_store_column(store, c);
        for (size_t k = 0; k < column->row_bytes; ++k) {
            assert_int_equal(row_at(column, row)[k], pattern(id, c, k));
        }
    }
}

static inline void assert_zeroed(const mo_store *store, int c, int64_t first, int64_t last)
{
    const mo_column *column = mo_store_column(store, c);
    for (int64_t row = first; row < last; ++row) {
        for (size_t k = 0; k < column->row_bytes; ++k) {
            assert_int_equal(row_at(column, row)[k], 0);
        }
    }
}

#endif
