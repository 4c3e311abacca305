/*
 * The field store with failing allocations: unchanged and without leaks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "painted_store.h"

/* A hash of the complete store. */
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

/* The steps of a scenario that allocates in every way. */
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

/* Runs the scenario; a failing step must leave the store unchanged, and succeeds when repeated. */
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
            /* at most a chunk for names was added */
            assert_true(allocator->live <= live + 1);
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

/* A snapshot with more rows than the store's capacity. */
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
        cmocka_unit_test(any_failed_allocation_changes_and_leaks_nothing),
        cmocka_unit_test(a_failed_restore_changes_nothing),
        cmocka_unit_test(impossible_numbers_of_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
