/*
 * Blocks, growing arrays and arenas: aligned, zeroed, counted, and failing allocations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "failing_allocator.h"

static bool is_zero(const void *block, size_t bytes)
{
    const unsigned char *p = block;
    for (size_t k = 0; k < bytes; ++k) {
        if (p[k]) {
            return false;
        }
    }
    return true;
}

static void assert_out_of_memory(mote_status status, const mote_error *error)
{
    assert_int_equal(status, MOTE_ERROR_MEMORY);
    assert_int_equal(error->status, MOTE_ERROR_MEMORY);
    assert_non_null(strstr(error->text, "out of memory"));
}

static const size_t SIZES[] = {0, 1, 7, 8, 63, 64, 65, 127, 128, 1000, 4096, 100001};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static void blocks_are_aligned_and_zeroed(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    for (int k = 0; k < SIZE_COUNT; ++k) {
        unsigned char *block = mo_allocate(&memory, SIZES[k]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        assert_true(is_zero(block, SIZES[k]));
        memset(block, 0xff, SIZES[k]); /* all of it is writable */
        mo_release(&memory, block);
    }
    assert_all_given_back(&a, &memory);
}

static void the_default_allocator_serves_without_hooks(void **state)
{
    (void)state;
    mo_memory memory[2];
    mote_allocator none = {0};
    mo_memory_init(&memory[0], NULL);
    mo_memory_init(&memory[1], &none);
    for (int m = 0; m < 2; ++m) {
        for (int k = 0; k < SIZE_COUNT; ++k) {
            unsigned char *block = mo_allocate(&memory[m], SIZES[k]);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 64, 0);
            assert_true(is_zero(block, SIZES[k]));
            memset(block, 0xff, SIZES[k]);
            mo_release(&memory[m], block);
        }
        assert_int_equal(memory[m].bytes, 0);
    }
}

static void fixed_nodes_are_counted(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    void *block[SIZE_COUNT];
    int64_t asked = 0;
    for (int k = 0; k < SIZE_COUNT; ++k) {
        int64_t before = memory.bytes;
        block[k] = mo_allocate(&memory, SIZES[k]);
        asked += (int64_t)SIZES[k];
        assert_int_equal(memory.allocations, k + 1);
        assert_true(memory.bytes >= before + (int64_t)SIZES[k]);
        assert_true(memory.bytes >= asked && memory.bytes <= asked + 4096 * (k + 1));
        assert_int_equal(memory.peak, memory.bytes);
    }
    int64_t most = memory.bytes;
    for (int k = 0; k < SIZE_COUNT; ++k) {
        mo_release(&memory, block[k]);
        assert_int_equal(memory.peak, most);
    }
    assert_int_equal(memory.allocations, SIZE_COUNT);
    assert_int_equal(a.calls, SIZE_COUNT);
    assert_all_given_back(&a, &memory);
}

static void releasing_nothing_is_fine(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_release(&memory, NULL);
    assert_all_given_back(&a, &memory);
}

static void a_failed_block_is_not_counted(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, 0);
    assert_null(mo_allocate(&memory, 100));
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.peak, 0);
    void *block = mo_allocate(&memory, 100);
    assert_non_null(block);
    mo_release(&memory, block);
    assert_all_given_back(&a, &memory);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    for (size_t less = 0; less < 256; ++less) {
        assert_null(mo_allocate(&memory, SIZE_MAX - less));
    }
    assert_all_given_back(&a, &memory);
}

static void arrays_that_overflow_are_refused_before_asking(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    static const struct {
        int64_t count;
        size_t size;
    } bad[] = {{-1, 1},        {-1, 0},          {INT64_MIN, 8},
               {INT64_MAX, 3}, {INT64_MAX, 8},   {INT64_C(1) << 61, 24},
               {2, SIZE_MAX},  {3, SIZE_MAX / 2}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        mote_error error = {0};
        void *block = &block;
        assert_out_of_memory(mo_allocate_array(&memory, bad[k].count, bad[k].size, &block, &error),
                             &error);
        assert_null(block);
    }
    assert_int_equal(a.calls, 0);
    assert_int_equal(mo_allocate_array(&memory, -1, 8, &(void *){NULL}, NULL), MOTE_ERROR_MEMORY);
}

static void an_array_is_zeroed_or_reported(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, 1);
    mote_error error = {0};
    void *block;
    assert_int_equal(mo_allocate_array(&memory, 1000, 24, &block, &error), MOTE_OK);
    assert_true(is_zero(block, 24000));
    void *other = block;
    assert_out_of_memory(mo_allocate_array(&memory, 1000, 24, &other, &error), &error);
    assert_non_null(strstr(error.text, "24000"));
    assert_null(other);
    mo_release(&memory, block);
    assert_all_given_back(&a, &memory);
}

static void growing_keeps_contents_and_zeroes_new_elements(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    void *block = NULL;
    int64_t capacity = 0, filled = 0;
    for (int64_t need = 1; need < 5000; need += need / 3 + 1) {
        assert_int_equal(mo_grow(&memory, &block, &capacity, need, sizeof(int64_t), NULL), MOTE_OK);
        assert_true(capacity >= need);
        int64_t *array = block;
        for (int64_t k = 0; k < filled; ++k) {
            assert_int_equal(array[k], k + 1);
        }
        assert_true(is_zero(array + filled, (size_t)(capacity - filled) * sizeof *array));
        for (; filled < capacity; ++filled) {
            array[filled] = filled + 1;
        }
    }
    mo_release(&memory, block);
    assert_all_given_back(&a, &memory);
}

/* Adding elements one by one must not allocate each time. */
static void growing_is_geometric(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    void *block = NULL;
    int64_t capacity = 0;
    for (int64_t need = 1; need <= 100000; ++need) {
        assert_int_equal(mo_grow(&memory, &block, &capacity, need, 1, NULL), MOTE_OK);
    }
    assert_true(a.calls < 50);
    assert_true(capacity < 200000);
    mo_release(&memory, block);
}

static void reserved_capacity_costs_nothing(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    void *block = NULL;
    int64_t capacity = 0;
    assert_int_equal(mo_grow(&memory, &block, &capacity, 0, 8, NULL), MOTE_OK);
    assert_null(block);
    assert_int_equal(mo_grow(&memory, &block, &capacity, 100, 8, NULL), MOTE_OK);
    void *same = block;
    for (int64_t need = -1; need <= capacity; ++need) {
        assert_int_equal(mo_grow(&memory, &block, &capacity, need, 8, NULL), MOTE_OK);
        assert_ptr_equal(block, same);
    }
    assert_int_equal(a.calls, 1);
    mo_release(&memory, block);
}

static void a_failed_growth_changes_nothing(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, 1);
    mote_error error = {0};
    void *block = NULL;
    int64_t capacity = 0;
    assert_int_equal(mo_grow(&memory, &block, &capacity, 10, 4, &error), MOTE_OK);
    int32_t *array = block;
    for (int64_t k = 0; k < capacity; ++k) {
        array[k] = (int32_t)k;
    }
    int64_t before = capacity;
    assert_out_of_memory(mo_grow(&memory, &block, &capacity, 1000, 4, &error), &error);
    assert_out_of_memory(mo_grow(&memory, &block, &capacity, INT64_MAX, 4, &error), &error);
    assert_ptr_equal(block, array);
    assert_int_equal(capacity, before);
    for (int64_t k = 0; k < capacity; ++k) {
        assert_int_equal(array[k], k);
    }
    mo_release(&memory, block);
    assert_all_given_back(&a, &memory);
}

static void an_arena_hands_out_aligned_zeroes_that_do_not_overlap(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_arena arena;
    mo_arena_init(&arena, &memory);
    enum { PARTS = 400 };
    unsigned char *part[PARTS];
    size_t bytes[PARTS];
    for (int k = 0; k < PARTS; ++k) {
        bytes[k] = k % 50 == 7 ? 40000 : (size_t)(k * 37 % 300); /* some are larger than a chunk */
        part[k] = mo_arena_allocate(&arena, bytes[k]);
        assert_non_null(part[k]);
        assert_int_equal((uintptr_t)part[k] % 16, 0);
        assert_true(is_zero(part[k], bytes[k]));
        memset(part[k], k % 255 + 1, bytes[k]);
    }
    for (int k = 0; k < PARTS; ++k) {
        for (size_t i = 0; i < bytes[k]; ++i) {
            assert_int_equal(part[k][i], k % 255 + 1);
        }
    }
    assert_true(a.calls < PARTS / 4); /* fewer allocations than parts */
    mo_arena_release(&arena);
    assert_all_given_back(&a, &memory);
}

static void an_arena_may_be_used_again_after_release(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_arena arena;
    mo_arena_init(&arena, &memory);
    mo_arena_release(&arena);
    for (int round = 0; round < 3; ++round) {
        char *text = mo_arena_text(&arena, "spacing");
        assert_string_equal(text, "spacing");
        mo_arena_release(&arena);
        assert_all_given_back(&a, &memory);
    }
}

static void an_arena_copies_texts(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_arena arena;
    mo_arena_init(&arena, &memory);
    char original[] = "cloth";
    char *copy = mo_arena_text(&arena, original), *empty = mo_arena_text(&arena, "");
    original[0] = 'X';
    assert_string_equal(copy, "cloth");
    assert_string_equal(empty, "");
    mo_arena_release(&arena);
    assert_all_given_back(&a, &memory);
}

static void an_arena_without_memory_fails_and_is_reusable(void **state)
{
    (void)state;
    for (int64_t fail_at = 0; fail_at < 3; ++fail_at) {
        failing_allocator a;
        mo_memory memory = failing_memory(&a, fail_at);
        mo_arena arena;
        mo_arena_init(&arena, &memory);
        int refused = 0;
        for (int k = 0; k < 200; ++k) {
            char *text = mo_arena_text(
                &arena, "a text of some length, so that several chunks are needed......"
                        "..............................................................."
                        "...............................................................");
            refused += text == NULL;
            assert_true(!text || strlen(text) > 150);
        }
        assert_true(has_failed(&a));
        assert_int_equal(refused, 1);
        mo_arena_release(&arena);
        assert_all_given_back(&a, &memory);
    }
}

static void an_arena_refuses_sizes_that_overflow(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_arena arena;
    mo_arena_init(&arena, &memory);
    assert_non_null(mo_arena_allocate(&arena, 16));
    for (size_t less = 0; less < 256; ++less) {
        assert_null(mo_arena_allocate(&arena, SIZE_MAX - less));
    }
    unsigned char *part = mo_arena_allocate(&arena, 100); /* the arena is still usable */
    memset(part, 1, 100);
    mo_arena_release(&arena);
    assert_all_given_back(&a, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_zeroed),
        cmocka_unit_test(the_default_allocator_serves_without_hooks),
        cmocka_unit_test(fixed_nodes_are_counted),
        cmocka_unit_test(releasing_nothing_is_fine),
        cmocka_unit_test(a_failed_block_is_not_counted),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(arrays_that_overflow_are_refused_before_asking),
        cmocka_unit_test(an_array_is_zeroed_or_reported),
        cmocka_unit_test(growing_keeps_contents_and_zeroes_new_elements),
        cmocka_unit_test(growing_is_geometric),
        cmocka_unit_test(reserved_capacity_costs_nothing),
        cmocka_unit_test(a_failed_growth_changes_nothing),
        cmocka_unit_test(an_arena_hands_out_aligned_zeroes_that_do_not_overlap),
        cmocka_unit_test(an_arena_may_be_used_again_after_release),
        cmocka_unit_test(an_arena_copies_texts),
        cmocka_unit_test(an_arena_without_memory_fails_and_is_reusable),
        cmocka_unit_test(an_arena_refuses_sizes_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
