/* The field store: columns that grow, shrink, are reordered, kept and brought back all together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_allocator.h"
#include "numbers.h"
#include "store/store.h"

#include <stdio.h>

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

static mo_column *declare(mo_store *store, const mo_column_spec *spec)
{
    mo_column *column = NULL;
    assert_int_equal(mo_store_declare(store, spec, &column, NULL), MOTE_OK);
    assert_non_null(column);
    return column;
}

/* A store with a column of each kind. */
static void open_store(fixture *f)
{
    f->memory = failing_memory(&f->allocator, -1);
    assert_int_equal(mo_store_create(&f->memory, &f->store, NULL), MOTE_OK);
    for (int k = 0; k < ALL_COUNT; ++k) {
        declare(f->store, ALL[k]);
    }
}

static void close_store(fixture *f)
{
    mo_store_destroy(f->store);
    assert_all_given_back(&f->allocator, &f->memory);
}

static int64_t add_rows(mo_store *store, int64_t rows)
{
    int64_t first = -1, before = mo_store_rows(store);
    assert_int_equal(mo_store_add(store, rows, &first, NULL), MOTE_OK);
    assert_int_equal(first, before);
    assert_int_equal(mo_store_rows(store), before + rows);
    return first;
}

static int64_t id_of(const mo_store *store, int64_t row)
{
    return mo_i64(mo_store_find(store, "id"))[row];
}

/* What byte k of a row with this id holds in column c: rows can be told apart in every column. */
static unsigned char pattern(int64_t id, int c, size_t k)
{
    return (unsigned char)(mo_hash_word((uint64_t)id, (uint64_t)c * 1000 + k) | 1);
}

static unsigned char *row_at(const mo_column *column, int64_t row)
{
    return (unsigned char *)column->data + (size_t)row * column->row_bytes;
}

/* Fills the rows from `first` on in all columns but "id". */
static void paint(mo_store *store, int64_t first)
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

static void assert_painted(const mo_store *store, int64_t row, int64_t id)
{
    assert_int_equal(id_of(store, row), id);
    for (int c = 1; c < mo_store_columns(store); ++c) {
        const mo_column *column = mo_store_column(store, c);
        for (size_t k = 0; k < column->row_bytes; ++k) {
            assert_int_equal(row_at(column, row)[k], pattern(id, c, k));
        }
    }
}

static void assert_zeroed(const mo_store *store, int c, int64_t first, int64_t last)
{
    const mo_column *column = mo_store_column(store, c);
    for (int64_t row = first; row < last; ++row) {
        for (size_t k = 0; k < column->row_bytes; ++k) {
            assert_int_equal(row_at(column, row)[k], 0);
        }
    }
}

/* ---- columns ---- */

static void a_new_store_has_the_id_column_and_no_rows(void **state)
{
    (void)state;
    fixture f;
    f.memory = failing_memory(&f.allocator, -1);
    assert_int_equal(mo_store_create(&f.memory, &f.store, NULL), MOTE_OK);
    assert_int_equal(mo_store_rows(f.store), 0);
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
        assert_int_equal(column->row_bytes, mo_type_bytes(ALL[k]->type) * (size_t)ALL[k]->components);
    }
    assert_null(mo_store_find(f.store, "v"));
    assert_null(mo_store_column(f.store, -1));
    assert_null(mo_store_column(f.store, 1 + ALL_COUNT));
    close_store(&f);
}

static void the_store_keeps_its_own_texts(void **state)
{
    (void)state;
    fixture f;
    char name[] = "temperature", unit[] = "K", doc[] = "heat";
    open_store(&f);
    const mo_column *column = declare(f.store, &(mo_column_spec){name, MOTE_F64, 1, MO_STATE, unit, doc});
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
        status = mo_store_declare(f.store, &(mo_column_spec){name, MOTE_U8, 1, MO_STATE, NULL, NULL}, &column,
                                  &error);
    }
    assert_int_equal(status, MOTE_ERROR_USAGE);
    assert_true(mo_store_columns(f.store) >= 100);
    paint(f.store, 0); /* the ones there are still work */
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
    for (int64_t rows = 0, total = 0; rows < 300; rows += 1 + rows / 2, total = mo_store_rows(f.store)) {
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

static void assert_room_behind_the_last_row(const fixture *f)
{
    for (int c = 0; c < mo_store_columns(f->store); ++c) {
        const mo_column *column = mo_store_column(f->store, c);
        size_t number = mo_type_bytes(column->spec.type);
        assert_true(room_behind(&f->allocator, row_at(column, mo_store_rows(f->store))) >= number);
    }
}

/* Wide loads take four numbers where a row has three: one more than the last row has. */
static void there_is_room_for_one_number_behind_the_last_row(void **state)
{
    (void)state;
    for (int64_t first = 1; first <= 40; ++first) {
        for (int64_t second = 0; second <= 40; ++second) {
            fixture f;
            open_store(&f);
            add_rows(f.store, first);
            assert_room_behind_the_last_row(&f);
            add_rows(f.store, second);
            declare(f.store, &(mo_column_spec){"late", MOTE_F64, 3, MO_STATE, NULL, NULL});
            assert_room_behind_the_last_row(&f);
            close_store(&f);
        }
    }
}

static void removing_keeps_order_and_tells_where_rows_went(void **state)
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
            gone[row] = round % 7 == 0 || random_below(&random, 3) == 0; /* now and then all of them */
        }
        mo_store_remove(f.store, gone, NULL);
    }
    close_store(&f);
}

/* Rows removed leave their bytes behind the end; a row added there must not inherit them. */
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
    int64_t order[ROWS], place[ROWS];
    open_store(&f);
    assert_int_equal(mo_pool_create(&f.memory, 2, &pool, NULL), MOTE_OK);
    paint(f.store, add_rows(f.store, ROWS));
    for (int64_t k = 0; k < ROWS; ++k) {
        place[k] = k;
    }
    const void *data = mo_store_find(f.store, "x")->data;
    int64_t calls = 0;
    for (int round = 0; round < 10; ++round) {
        int64_t before[ROWS];
        memcpy(before, place, sizeof place);
        shuffle(order, ROWS, &random);
        assert_int_equal(mo_store_reorder(f.store, pool, order, NULL), MOTE_OK);
        calls = round == 0 ? f.allocator.calls : calls;
        for (int64_t row = 0; row < ROWS; ++row) {
            place[row] = before[order[row]];
            assert_painted(f.store, row, place[row]);
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

/* ---- snapshots ---- */

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
    assert_painted(f.store, 9, 9); /* taking one changes nothing */
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

/* ---- without memory ---- */

/* All that can be seen of a store, in one number. */
static uint64_t digest(const mo_store *store)
{
    uint64_t hash = mo_hash_word((uint64_t)mo_store_rows(store), (uint64_t)mo_store_columns(store));
    for (int c = 0; c < mo_store_columns(store); ++c) {
        const mo_column *column = mo_store_column(store, c);
        hash = mo_hash_bytes(hash, column->spec.name, strlen(column->spec.name));
        hash = mo_hash_word(hash, (uint64_t)column->spec.role);
        hash = mo_hash_bytes(hash, column->data, (size_t)mo_store_rows(store) * column->row_bytes);
    }
    return hash;
}

/* The steps of a scenario that asks for memory in every way there is. */
typedef struct scenario {
    mo_store *store;
    mo_pool *pool;
    mo_snapshot *snapshot;
} scenario;

enum { SCENARIO_STEPS = 8, SCENARIO_ROWS = 60 };

static mote_status take_step(scenario *s, int step, mote_error *error)
{
    mo_column *column;
    int64_t first, order[SCENARIO_ROWS];
    switch (step) {
    case 0:
        return mo_store_declare(s->store, &X, &column, error);
    case 1:
        return mo_store_add(s->store, 10, &first, error);
    case 2:
        return mo_store_declare(s->store, &FORCE, &column, error);
    case 3:
        return mo_store_declare(s->store, &COLOR, &column, error);
    case 4:
        return mo_snapshot_take(s->store, &s->snapshot, error);
    case 5:
        return mo_store_add(s->store, SCENARIO_ROWS - 10, &first, error);
    case 6:
        for (int64_t k = 0; k < SCENARIO_ROWS; ++k) {
            order[k] = SCENARIO_ROWS - 1 - k;
        }
        return mo_store_reorder(s->store, s->pool, order, error);
    default:
        return mo_store_reserve(s->store, 1000, error);
    }
}

/* Runs it all; a step that fails must have changed nothing, and succeeds when tried again. */
static uint64_t play(mo_memory *memory, failing_allocator *allocator)
{
    scenario s = {0};
    mote_error error = {0};
    assert_int_equal(mo_pool_create(memory, 2, &s.pool, NULL), MOTE_OK);
    mote_status status = mo_store_create(memory, &s.store, &error);
    if (status != MOTE_OK) {
        assert_int_equal(status, MOTE_ERROR_MEMORY);
        assert_int_equal(allocator->live, 1); /* the pool */
        assert_int_equal(mo_store_create(memory, &s.store, NULL), MOTE_OK);
    }
    for (int step = 0; step < SCENARIO_STEPS; ++step) {
        uint64_t before = digest(s.store);
        int64_t live = allocator->live;
        status = take_step(&s, step, &error);
        if (status != MOTE_OK) {
            assert_int_equal(status, MOTE_ERROR_MEMORY);
            assert_int_equal(error.status, MOTE_ERROR_MEMORY);
            assert_true(digest(s.store) == before);
            assert_true(allocator->live <= live + 1); /* a chunk for names may have come, nothing else */
            assert_int_equal(take_step(&s, step, &error), MOTE_OK);
        }
        if (step == 1 || step == 5) {
            paint(s.store, step == 1 ? 0 : 10);
        }
    }
    uint64_t result = digest(s.store);
    assert_int_equal(mo_snapshot_restore(s.snapshot, s.store, NULL), MOTE_OK);
    result = mo_hash_word(result, digest(s.store));
    mo_snapshot_destroy(s.snapshot);
    mo_store_destroy(s.store);
    mo_pool_destroy(s.pool);
    return result;
}

static void any_failed_allocation_changes_and_leaks_nothing(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    uint64_t expected = play(&memory, &a);
    assert_all_given_back(&a, &memory);
    int64_t calls = a.calls;
    assert_true(calls > 15);
    for (int64_t fail_at = 1; fail_at < calls; ++fail_at) { /* 0 is the pool */
        memory = failing_memory(&a, fail_at);
        assert_true(play(&memory, &a) == expected);
        assert_true(has_failed(&a));
        assert_all_given_back(&a, &memory);
    }
}

/* A snapshot with more rows than the store now has room for. */
static void a_failed_restore_changes_nothing(void **state)
{
    (void)state;
    fixture big, small;
    mo_snapshot *snapshot;
    open_store(&big);
    paint(big.store, add_rows(big.store, 500));
    assert_int_equal(mo_snapshot_take(big.store, &snapshot, NULL), MOTE_OK);
    open_store(&small);
    paint(small.store, add_rows(small.store, 5));
    uint64_t before = digest(small.store);
    for (int64_t k = 0; k < 1 + ALL_COUNT; ++k) {
        small.allocator.fail_at = small.allocator.calls + k;
        assert_int_equal(mo_snapshot_restore(snapshot, small.store, NULL), MOTE_ERROR_MEMORY);
        assert_true(digest(small.store) == before);
    }
    assert_int_equal(mo_snapshot_restore(snapshot, small.store, NULL), MOTE_OK);
    assert_int_equal(mo_store_rows(small.store), 500);
    mo_snapshot_destroy(snapshot);
    close_store(&big);
    close_store(&small);
}

static void impossible_numbers_of_rows_are_refused(void **state)
{
    (void)state;
    static const int64_t bad[] = {INT64_MAX / 24 + 1, INT64_MAX / 2, INT64_MAX - 7, INT64_MAX};
    fixture f;
    open_store(&f);
    for (int round = 0; round < 2; ++round) {
        uint64_t before = digest(f.store);
        for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
            int64_t first;
            mote_error error = {0};
            assert_int_equal(mo_store_add(f.store, bad[k], &first, &error), MOTE_ERROR_MEMORY);
            assert_int_equal(mo_store_reserve(f.store, bad[k], &error), MOTE_ERROR_MEMORY);
            assert_true(digest(f.store) == before);
        }
        paint(f.store, add_rows(f.store, 10));
    }
    close_store(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_store_has_the_id_column_and_no_rows),
        cmocka_unit_test(declared_columns_are_found),
        cmocka_unit_test(the_store_keeps_its_own_texts),
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
        cmocka_unit_test(there_is_room_for_one_number_behind_the_last_row),
        cmocka_unit_test(removing_keeps_order_and_tells_where_rows_went),
        cmocka_unit_test(removing_needs_no_map_and_allocates_nothing),
        cmocka_unit_test(ids_are_never_used_twice),
        cmocka_unit_test(rows_added_after_a_removal_are_zeroed),
        cmocka_unit_test(reordering_moves_whole_rows_on_any_number_of_threads),
        cmocka_unit_test(reordering_again_allocates_nothing_and_keeps_the_columns_in_place),
        cmocka_unit_test(an_empty_store_may_be_reordered),
        cmocka_unit_test(a_snapshot_brings_back_rows_ids_and_state),
        cmocka_unit_test(a_snapshot_is_a_copy),
        cmocka_unit_test(a_column_younger_than_the_snapshot_is_zeroed),
        cmocka_unit_test(an_empty_snapshot_empties_the_store),
        cmocka_unit_test(any_failed_allocation_changes_and_leaks_nothing),
        cmocka_unit_test(a_failed_restore_changes_nothing),
        cmocka_unit_test(impossible_numbers_of_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
