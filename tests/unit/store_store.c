/*
 * The field store: columns that grow, shrink and are reordered together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "painted_store.h"

#include <stdio.h>

/* ---- columns ---- */

static void a_new_store_has_the_id_column_and_no_rows(void **state)
{
    (void)state;
    fixture f;
    f.memory = failing_memory(&f.allocator, -1);
    assert_int_equal(mo_store_create(&f.memory, &f.store, NULL), MOTE_OK);
    assert_int_equal(mo_store_rows(f.store), 0);
    assert_int_equal(mo_store_owned(f.store), 0);
    assert_int_equal(mo_store_columns(f.store), 1);
    const mo_column *id = mo_store_find(f.store, "id");
    assert_ptr_equal(id, mo_store_column(f.store, 0));
    assert_int_equal(id->spec.type, MOTE_I64);
    assert_int_equal(id->spec.components, 1);
    assert_int_equal(id->spec.role, MO_STATE);
    close_store(&f);
    mo_store_destroy(NULL);
}

static void declared_columns_are_found(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    assert_int_equal(mo_store_columns(f.store), 1 + ALL_COUNT);
    for (int k = 0; k < ALL_COUNT; ++k) {
        const mo_column *column = mo_store_find(f.store, ALL[k]->name);
        assert_ptr_equal(column, mo_store_column(f.store, k + 1));
        assert_string_equal(column->spec.name, ALL[k]->name);
        assert_string_equal(column->spec.unit, ALL[k]->unit ? ALL[k]->unit : "1");
        assert_int_equal(column->spec.type, ALL[k]->type);
        assert_int_equal(column->spec.role, ALL[k]->role);
        assert_int_equal(column->row_bytes,
                         mo_type_bytes(ALL[k]->type) * (size_t)ALL[k]->components);
    }
    assert_null(mo_store_find(f.store, "v"));
    assert_null(mo_store_column(f.store, -1));
    assert_null(mo_store_column(f.store, 1 + ALL_COUNT));
    close_store(&f);
}

static void the_store_copies_texts(void **state)
{
    (void)state;
    fixture f;
    char name[] = "temperature", unit[] = "K", doc[] = "heat";
    open_store(&f);
    const mo_column *column =
        declare(f.store, &(mo_column_spec){name, MOTE_F64, 1, MO_STATE, unit, doc});
    memset(name, 'z', sizeof name - 1);
    memset(unit, 'z', sizeof unit - 1);
    memset(doc, 'z', sizeof doc - 1);
    assert_string_equal(column->spec.name, "temperature");
    assert_string_equal(column->spec.unit, "K");
    assert_string_equal(column->spec.doc, "heat");
    close_store(&f);
}

static void declaring_again_gives_the_same_column(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    add_rows(f.store, 10);
    paint(f.store, 0);
    for (int k = 0; k < ALL_COUNT; ++k) {
        assert_ptr_equal(declare(f.store, ALL[k]), mo_store_column(f.store, k + 1));
    }
    assert_int_equal(mo_store_columns(f.store), 1 + ALL_COUNT);
    for (int64_t row = 0; row < 10; ++row) {
        assert_painted(f.store, row, row);
    }
    close_store(&f);
}

static void a_state_column_stays_one(void **state)
{
    (void)state;
    fixture f;
    mo_column_spec derived_x = X, state_force = FORCE;
    derived_x.role = MO_DERIVED;
    state_force.role = MO_STATE;
    open_store(&f);
    assert_int_equal(declare(f.store, &derived_x)->spec.role, MO_STATE);
    assert_int_equal(declare(f.store, &state_force)->spec.role, MO_STATE);
    assert_int_equal(declare(f.store, &FORCE)->spec.role, MO_STATE);
    close_store(&f);
}

static void declaring_another_type_is_an_error(void **state)
{
    (void)state;
    fixture f;
    mo_column_spec other[] = {X, X, {"id", MOTE_I32, 1, MO_STATE, NULL, NULL}};
    other[0].type = MOTE_F32;
    other[1].components = 2;
    open_store(&f);
    for (int k = 0; k < 3; ++k) {
        mote_error error = {0};
        mo_column *column;
        assert_int_equal(mo_store_declare(f.store, &other[k], &column, &error), MOTE_ERROR_USAGE);
        assert_non_null(strstr(error.text, other[k].name));
    }
    assert_int_equal(mo_store_columns(f.store), 1 + ALL_COUNT);
    assert_int_equal(mo_store_find(f.store, "x")->spec.type, MOTE_F64);
    assert_int_equal(mo_store_find(f.store, "x")->row_bytes, 24);
    close_store(&f);
}

static void a_column_declared_late_has_all_rows_zeroed(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    add_rows(f.store, 100);
    paint(f.store, 0);
    declare(f.store, &(mo_column_spec){"late", MOTE_F64, 9, MO_STATE, NULL, NULL});
    assert_zeroed(f.store, 1 + ALL_COUNT, 0, 100);
    close_store(&f);
}

static void too_many_columns_are_refused(void **state)
{
    (void)state;
    fixture f;
    mote_status status = MOTE_OK;
    mote_error error = {0};
    open_store(&f);
    add_rows(f.store, 3);
    while (status == MOTE_OK && mo_store_columns(f.store) < 10000) {
        char name[32];
        mo_column *column;
        snprintf(name, sizeof name, "column_%d", mo_store_columns(f.store));
        status = mo_store_declare(
            f.store, &(mo_column_spec){name, MOTE_U8, 1, MO_STATE, NULL, NULL}, &column, &error);
    }
    assert_int_equal(status, MOTE_ERROR_USAGE);
    assert_true(mo_store_columns(f.store) >= 100);
    paint(f.store, 0); /* existing ones are unaffected */
    add_rows(f.store, 1000);
    assert_painted(f.store, 2, 2);
    close_store(&f);
}

static void types_have_their_sizes_and_names(void **state)
{
    (void)state;
    assert_int_equal(mo_type_bytes(MOTE_F64), sizeof(double));
    assert_int_equal(mo_type_bytes(MOTE_F32), sizeof(float));
    assert_int_equal(mo_type_bytes(MOTE_I64), sizeof(int64_t));
    assert_int_equal(mo_type_bytes(MOTE_I32), sizeof(int32_t));
    assert_int_equal(mo_type_bytes(MOTE_U8), sizeof(uint8_t));
    for (int a = MOTE_F64; a <= MOTE_U8; ++a) {
        for (int b = MOTE_F64; b < a; ++b) {
            assert_string_not_equal(mo_type_name((mote_type)a), mo_type_name((mote_type)b));
        }
    }
}

/* ---- rows ---- */

static void added_rows_are_zeroed_and_have_fresh_ids(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    for (int64_t rows = 0, total = 0; rows < 300;
         rows += 1 + rows / 2, total = mo_store_rows(f.store)) {
        int64_t first = add_rows(f.store, rows);
        assert_int_equal(first, total);
        for (int64_t row = first; row < first + rows; ++row) {
            assert_int_equal(id_of(f.store, row), row);
        }
        for (int c = 1; c < mo_store_columns(f.store); ++c) {
            assert_zeroed(f.store, c, first, first + rows);
        }
        paint(f.store, first);
    }
    close_store(&f);
}

static void growing_keeps_the_rows(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    for (int k = 0; k < 60; ++k) {
        paint(f.store, add_rows(f.store, 1 + k));
        for (int64_t row = 0; row < mo_store_rows(f.store); ++row) {
            assert_painted(f.store, row, row);
        }
    }
    close_store(&f);
}

static void columns_are_aligned(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    for (int k = 0; k < 5; ++k) {
        add_rows(f.store, 77);
        for (int c = 0; c < mo_store_columns(f.store); ++c) {
            assert_int_equal((uintptr_t)mo_store_column(f.store, c)->data % 64, 0);
        }
    }
    close_store(&f);
}

static void reserved_rows_are_added_without_allocating(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    paint(f.store, add_rows(f.store, 5));
    assert_int_equal(mo_store_reserve(f.store, 1000, NULL), MOTE_OK);
    assert_int_equal(mo_store_rows(f.store), 5);
    assert_int_equal(mo_store_owned(f.store), 5);
    int64_t calls = f.allocator.calls;
    const void *data = mo_store_find(f.store, "x")->data;
    while (mo_store_rows(f.store) < 1000) {
        add_rows(f.store, 5);
    }
    assert_int_equal(f.allocator.calls, calls);
    assert_ptr_equal(mo_store_find(f.store, "x")->data, data);
    assert_painted(f.store, 4, 4);
    close_store(&f);
}

static void adding_one_by_one_is_geometric(void **state)
{
    (void)state;
    fixture f;
    open_store(&f);
    int64_t calls = f.allocator.calls;
    for (int k = 0; k < 10000; ++k) {
        add_rows(f.store, 1);
    }
    assert_true(f.allocator.calls - calls < 40 * mo_store_columns(f.store));
    close_store(&f);
}

static void assert_padding_behind_the_last_row(const fixture *f)
{
    for (int c = 0; c < mo_store_columns(f->store); ++c) {
        const mo_column *column = mo_store_column(f->store, c);
        size_t number = mo_type_bytes(column->spec.type);
        assert_true(bytes_behind(&f->allocator, row_at(column, mo_store_rows(f->store))) >= number);
    }
}

/* Wide loads read four values for a row of three: one beyond the last row. */
static void one_number_is_padded_behind_the_last_row(void **state)
{
    (void)state;
    for (int64_t first = 1; first <= 40; ++first) {
        for (int64_t second = 0; second <= 40; ++second) {
            fixture f;
            open_store(&f);
            add_rows(f.store, first);
            assert_padding_behind_the_last_row(&f);
            add_rows(f.store, second);
            declare(f.store, &(mo_column_spec){"late", MOTE_F64, 3, MO_STATE, NULL, NULL});
            assert_padding_behind_the_last_row(&f);
            close_store(&f);
        }
    }
}

static void removing_keeps_order_and_returns_the_row_map(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    static uint8_t gone[ROWS];
    static int64_t map[ROWS];
    for (int share = 0; share <= 4; ++share) {
        fixture f;
        uint64_t random = 5;
        int64_t kept = 0;
        open_store(&f);
        add_rows(f.store, ROWS);
        paint(f.store, 0);
        for (int64_t row = 0; row < ROWS; ++row) {
            gone[row] = random_below(&random, 4) < share ? (uint8_t)(1 + row % 255) : 0;
            kept += gone[row] == 0;
        }
        assert_int_equal(mo_store_remove(f.store, gone, map), ROWS - kept);
        assert_int_equal(mo_store_rows(f.store), kept);
        assert_int_equal(mo_store_owned(f.store), kept);
        for (int64_t row = 0, next = 0; row < ROWS; ++row) {
            assert_int_equal(map[row], gone[row] ? -1 : next);
            if (!gone[row]) {
                assert_painted(f.store, next++, row);
            }
        }
        close_store(&f);
    }
}

static void removing_needs_no_map_and_allocates_nothing(void **state)
{
    (void)state;
    fixture f;
    uint8_t gone[] = {0, 1, 0, 0, 1};
    open_store(&f);
    paint(f.store, add_rows(f.store, 5));
    int64_t calls = f.allocator.calls;
    assert_int_equal(mo_store_remove(f.store, gone, NULL), 2);
    assert_int_equal(f.allocator.calls, calls);
    assert_painted(f.store, 0, 0);
    assert_painted(f.store, 1, 2);
    assert_painted(f.store, 2, 3);
    close_store(&f);
}

static void ids_are_never_used_twice(void **state)
{
    (void)state;
    enum { ROUNDS = 100 };
    static uint8_t seen[ROUNDS * 10], gone[ROUNDS * 10];
    fixture f;
    uint64_t random = 6;
    memset(seen, 0, sizeof seen);
    open_store(&f);
    for (int round = 0; round < ROUNDS; ++round) {
        int64_t first = add_rows(f.store, 10);
        for (int64_t row = first; row < first + 10; ++row) {
            assert_true(id_of(f.store, row) < (int64_t)sizeof seen);
            assert_int_equal(seen[id_of(f.store, row)]++, 0);
        }
        paint(f.store, first);
        for (int64_t row = 0; row < mo_store_rows(f.store); ++row) {
            /* occasionally all of them */
            gone[row] = round % 7 == 0 || random_below(&random, 3) == 0;
        }
        mo_store_remove(f.store, gone, NULL);
    }
    close_store(&f);
}

/* Removed rows leave data beyond the end; rows added there must be zeroed. */
static void rows_added_after_a_removal_are_zeroed(void **state)
{
    (void)state;
    fixture f;
    uint8_t gone[20];
    open_store(&f);
    paint(f.store, add_rows(f.store, 20));
    memset(gone, 1, sizeof gone);
    gone[0] = 0;
    mo_store_remove(f.store, gone, NULL);
    add_rows(f.store, 19);
    for (int c = 1; c < mo_store_columns(f.store); ++c) {
        assert_zeroed(f.store, c, 1, 20);
    }
    assert_painted(f.store, 0, 0);
    close_store(&f);
}

/* ---- order ---- */

static void shuffle(int64_t *order, int64_t count, uint64_t *random)
{
    for (int64_t k = 0; k < count; ++k) {
        int64_t other = random_below(random, k + 1);
        order[k] = order[other];
        order[other] = k;
    }
}

static void reordering_moves_whole_rows_on_any_number_of_threads(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    enum { ROWS = 30001 }; /* several blocks */
    static int64_t order[ROWS];
    for (int t = 0; t < 4; ++t) {
        fixture f;
        mo_pool *pool;
        uint64_t random = 8;
        open_store(&f);
        assert_int_equal(mo_pool_create(&f.memory, threads[t], &pool, NULL), MOTE_OK);
        add_rows(f.store, ROWS);
        paint(f.store, 0);
        shuffle(order, ROWS, &random);
        assert_int_equal(mo_store_reorder(f.store, pool, order, NULL), MOTE_OK);
        assert_int_equal(mo_store_rows(f.store), ROWS);
        for (int64_t row = 0; row < ROWS; row += row < ROWS - 100 ? 17 : 1) {
            assert_painted(f.store, row, order[row]);
        }
        for (int64_t row = 0; row < ROWS; ++row) {
            assert_int_equal(id_of(f.store, row), order[row]);
        }
        mo_pool_destroy(pool);
        close_store(&f);
    }
}

static void reordering_again_allocates_nothing_and_keeps_the_columns_in_place(void **state)
{
    (void)state;
    enum { ROWS = 500 };
    fixture f;
    mo_pool *pool;
    uint64_t random = 9;
    int64_t order[ROWS], origin[ROWS];
    open_store(&f);
    assert_int_equal(mo_pool_create(&f.memory, 2, &pool, NULL), MOTE_OK);
    paint(f.store, add_rows(f.store, ROWS));
    for (int64_t k = 0; k < ROWS; ++k) {
        origin[k] = k;
    }
    const void *data = mo_store_find(f.store, "x")->data;
    int64_t calls = 0;
    for (int round = 0; round < 10; ++round) {
        int64_t before[ROWS];
        memcpy(before, origin, sizeof origin);
        shuffle(order, ROWS, &random);
        assert_int_equal(mo_store_reorder(f.store, pool, order, NULL), MOTE_OK);
        calls = round == 0 ? f.allocator.calls : calls;
        for (int64_t row = 0; row < ROWS; ++row) {
            origin[row] = before[order[row]];
            assert_painted(f.store, row, origin[row]);
        }
    }
    assert_int_equal(f.allocator.calls, calls);
    assert_ptr_equal(mo_store_find(f.store, "x")->data, data);
    mo_pool_destroy(pool);
    close_store(&f);
}

static void an_empty_store_may_be_reordered(void **state)
{
    (void)state;
    fixture f;
    mo_pool *pool;
    open_store(&f);
    assert_int_equal(mo_pool_create(&f.memory, 2, &pool, NULL), MOTE_OK);
    assert_int_equal(mo_store_reorder(f.store, pool, (int64_t[]){0}, NULL), MOTE_OK);
    assert_int_equal(mo_store_rows(f.store), 0);
    mo_pool_destroy(pool);
    close_store(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_store_has_the_id_column_and_no_rows),
        cmocka_unit_test(declared_columns_are_found),
        cmocka_unit_test(the_store_copies_texts),
        cmocka_unit_test(declaring_again_gives_the_same_column),
        cmocka_unit_test(a_state_column_stays_one),
        cmocka_unit_test(declaring_another_type_is_an_error),
        cmocka_unit_test(a_column_declared_late_has_all_rows_zeroed),
        cmocka_unit_test(too_many_columns_are_refused),
        cmocka_unit_test(types_have_their_sizes_and_names),
        cmocka_unit_test(added_rows_are_zeroed_and_have_fresh_ids),
        cmocka_unit_test(growing_keeps_the_rows),
        cmocka_unit_test(columns_are_aligned),
        cmocka_unit_test(reserved_rows_are_added_without_allocating),
        cmocka_unit_test(adding_one_by_one_is_geometric),
        cmocka_unit_test(one_number_is_padded_behind_the_last_row),
        cmocka_unit_test(removing_keeps_order_and_returns_the_row_map),
        cmocka_unit_test(removing_needs_no_map_and_allocates_nothing),
        cmocka_unit_test(ids_are_never_used_twice),
        cmocka_unit_test(rows_added_after_a_removal_are_zeroed),
        cmocka_unit_test(reordering_moves_whole_rows_on_any_number_of_threads),
        cmocka_unit_test(reordering_again_allocates_nothing_and_keeps_the_columns_in_place),
        cmocka_unit_test(an_empty_store_may_be_reordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
