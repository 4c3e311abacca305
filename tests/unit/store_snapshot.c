/*
 * Snapshots: rows, ids and state are restored, derived columns are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "painted_store.h"

static void assert_restored(const mo_store *store, const int64_t *id, int64_t rows)
{
    assert_int_equal(mo_store_rows(store), rows);
    for (int64_t row = 0; row < rows; ++row) {
        assert_int_equal(id_of(store, row), id[row]);
    }
    for (int c = 1; c < mo_store_columns(store); ++c) {
        const mo_column *column = mo_store_column(store, c);
        if (column->spec.role == MO_DERIVED) {
            assert_zeroed(store, c, 0, rows);
            continue;
        }
        for (int64_t row = 0; row < rows; ++row) {
            for (size_t k = 0; k < column->row_bytes; ++k) {
                assert_int_equal(row_at(column, row)[k], pattern(id[row], c, k));
            }
        }
    }
}

static void scribble(mo_store *store)
{
    for (int c = 1; c < mo_store_columns(store); ++c) {
        mo_column *column = mo_store_column(store, c);
        memset(column->data, 0xee, (size_t)mo_store_rows(store) * column->row_bytes);
    }
}

static void a_snapshot_brings_back_rows_ids_and_state(void **state)
{
    (void)state;
    enum { ROWS = 100 };
    fixture f;
    mo_snapshot *snapshot;
    int64_t id[ROWS];
    uint8_t gone[ROWS + 1000] = {1, 0, 1, 1};
    open_store(&f);
    paint(f.store, add_rows(f.store, ROWS));
    int64_t kept = ROWS - mo_store_remove(f.store, gone, NULL); /* so that rows and ids differ */
    for (int64_t row = 0; row < kept; ++row) {
        id[row] = id_of(f.store, row);
    }
    assert_int_equal(mo_snapshot_take(f.store, &snapshot, NULL), MOTE_OK);
    /* from a store with other values, with more rows, with fewer, and with none */
    for (int change = 0; change < 4; ++change) {
        if (change == 1) {
            add_rows(f.store, 1000);
        } else if (change > 1) {
            memset(gone, 1, sizeof gone);
            gone[0] = change == 2 ? 0 : 1;
            mo_store_remove(f.store, gone, NULL);
        }
        scribble(f.store);
        assert_int_equal(mo_snapshot_restore(snapshot, f.store, NULL), MOTE_OK);
        assert_restored(f.store, id, kept);
        /* the next id is part of it */
        int64_t first = add_rows(f.store, 2);
        assert_int_equal(id_of(f.store, first), ROWS);
        assert_int_equal(id_of(f.store, first + 1), ROWS + 1);
        for (int c = 1; c < mo_store_columns(f.store); ++c) {
            assert_zeroed(f.store, c, first, first + 2);
        }
    }
    mo_snapshot_destroy(snapshot);
    close_store(&f);
    mo_snapshot_destroy(NULL);
}

static void a_snapshot_is_a_copy(void **state)
{
    (void)state;
    fixture f;
    mo_snapshot *first, *second;
    int64_t id[10];
    open_store(&f);
    paint(f.store, add_rows(f.store, 10));
    for (int64_t row = 0; row < 10; ++row) {
        id[row] = row;
    }
    assert_int_equal(mo_snapshot_take(f.store, &first, NULL), MOTE_OK);
    assert_painted(f.store, 9, 9); /* saving does not change the store */
    scribble(f.store);
    assert_int_equal(mo_snapshot_take(f.store, &second, NULL), MOTE_OK);
    assert_int_equal(mo_snapshot_restore(first, f.store, NULL), MOTE_OK);
    assert_restored(f.store, id, 10);
    assert_int_equal(mo_snapshot_restore(second, f.store, NULL), MOTE_OK);
    assert_int_equal(row_at(mo_store_find(f.store, "x"), 3)[5], 0xee);
    mo_snapshot_destroy(first);
    mo_snapshot_destroy(second);
    close_store(&f);
}

static void a_column_younger_than_the_snapshot_is_zeroed(void **state)
{
    (void)state;
    fixture f;
    mo_snapshot *snapshot;
    open_store(&f);
    paint(f.store, add_rows(f.store, 10));
    assert_int_equal(mo_snapshot_take(f.store, &snapshot, NULL), MOTE_OK);
    declare(f.store, &(mo_column_spec){"late", MOTE_F64, 2, MO_STATE, NULL, NULL});
    scribble(f.store);
    assert_int_equal(mo_snapshot_restore(snapshot, f.store, NULL), MOTE_OK);
    assert_zeroed(f.store, 1 + ALL_COUNT, 0, 10);
    mo_snapshot_destroy(snapshot);
    close_store(&f);
}

static void an_empty_snapshot_empties_the_store(void **state)
{
    (void)state;
    fixture f;
    mo_snapshot *snapshot;
    open_store(&f);
    assert_int_equal(mo_snapshot_take(f.store, &snapshot, NULL), MOTE_OK);
    paint(f.store, add_rows(f.store, 10));
    assert_int_equal(mo_snapshot_restore(snapshot, f.store, NULL), MOTE_OK);
    assert_int_equal(mo_store_rows(f.store), 0);
    assert_int_equal(id_of(f.store, add_rows(f.store, 1)), 0);
    mo_snapshot_destroy(snapshot);
    close_store(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_brings_back_rows_ids_and_state),
        cmocka_unit_test(a_snapshot_is_a_copy),
        cmocka_unit_test(a_column_younger_than_the_snapshot_is_zeroed),
        cmocka_unit_test(an_empty_snapshot_empties_the_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
