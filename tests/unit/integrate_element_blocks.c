/*
 * Elements sorted by block: each in every block of its nodes, once, in ascending order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_allocator.h"
#include "integrate/element_blocks.h"
#include "numbers.h"

enum { ELEMENTS_MAX = 3000, WIDTH_MAX = 4 };

static bool touches(const int32_t *node, int width, int64_t grain, int64_t block)
{
    for (int k = 0; k < width; ++k) {
        if (node[k] / grain == block) {
            return true;
        }
    }
    return false;
}

/* The lists by a plain loop over all elements and blocks. */
static void assert_blocks_are_right(const mo_element_blocks *blocks, int64_t elements, int width,
                                    const int32_t *node, int64_t rows, int64_t grain)
{
    int64_t entry = 0;
    assert_int_equal(blocks->block_count, (rows + grain - 1) / grain);
    assert_int_equal(blocks->start[0], 0);
    for (int64_t b = 0; b < blocks->block_count; ++b) {
        assert_int_equal(blocks->start[b], entry);
        for (int64_t e = 0; e < elements; ++e) {
            if (touches(node + width * e, width, grain, b)) {
                assert_true(entry < blocks->start[b + 1]);
                assert_int_equal(blocks->element[entry++], e);
            }
        }
        assert_int_equal(blocks->start[b + 1], entry);
    }
}

static void build_and_check(int64_t elements, int width, const int32_t *node, int64_t rows,
                            int64_t grain)
{
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_element_blocks blocks;
    assert_int_equal(
        mo_element_blocks_build(&memory, elements, width, node, rows, grain, &blocks, NULL),
        MOTE_OK);
    assert_blocks_are_right(&blocks, elements, width, node, rows, grain);
    mo_element_blocks_release(&memory, &blocks);
    assert_null(blocks.start);
    assert_all_given_back(&a, &memory);
}

/* Nodes of an element are close to each other, as in a mesh, or random; some elements have
 * duplicate nodes. */
static void random_elements(int32_t *node, int64_t elements, int width, int64_t rows,
                            uint64_t *random)
{
    for (int64_t e = 0; e < elements; ++e) {
        int64_t here = random_below(random, rows);
        for (int k = 0; k < width; ++k) {
            int64_t near = here + random_below(random, 20), any = random_below(random, rows);
            int64_t row = random_below(random, 3) ? near : any;
            node[width * e + k] = (int32_t)(row < rows ? row : here);
        }
    }
}

static void random_meshes_are_sorted_rightly(void **state)
{
    (void)state;
    static int32_t node[WIDTH_MAX * ELEMENTS_MAX];
    static const int64_t grains[] = {1, 2, 7, 64, 1000};
    uint64_t random = 1;
    for (int width = 2; width <= 4; ++width) {
        for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
            int64_t rows = 30 * grains[g] < 2000 ? 30 * grains[g] : 2000 + grains[g] / 3;
            for (int64_t elements = 1; elements < ELEMENTS_MAX; elements = 5 * elements + 3) {
                random_elements(node, elements, width, rows, &random);
                build_and_check(elements, width, node, rows, grains[g]);
            }
        }
    }
}

static void an_element_within_one_block_is_listed_once(void **state)
{
    (void)state;
    const int32_t node[] = {0, 1, 2, 3, 9, 5, 6, 7, 9, 9, 9, 9};
    build_and_check(3, 4, node, 10, 10);
}

static void an_element_across_four_blocks_is_listed_four_times(void **state)
{
    (void)state;
    const int32_t node[] = {35, 5, 25, 15};
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_element_blocks blocks;
    assert_int_equal(mo_element_blocks_build(&memory, 1, 4, node, 40, 10, &blocks, NULL), MOTE_OK);
    for (int b = 0; b < 4; ++b) {
        assert_int_equal(blocks.start[b + 1] - blocks.start[b], 1);
        assert_int_equal(blocks.element[b], 0);
    }
    mo_element_blocks_release(&memory, &blocks);
    assert_all_given_back(&a, &memory);
}

/* No elements, no rows, a partial last block, more rows than elements. */
static void the_ends_are_right(void **state)
{
    (void)state;
    const int32_t none[1] = {0}, last[] = {0, 20};
    build_and_check(0, 2, none, 0, 8);
    build_and_check(0, 2, none, 100, 8);
    build_and_check(1, 2, last, 21, 10);
    build_and_check(1, 2, last, 1000, 10);
    build_and_check(1, 2, last, 21, 4096);
}

static void without_memory_nothing_is_left_behind(void **state)
{
    (void)state;
    const int32_t node[] = {0, 5, 5, 9, 3, 4};
    int failures = 0;
    for (int64_t fail_at = 0;; ++fail_at) {
        failing_allocator a;
        mo_memory memory = failing_memory(&a, fail_at);
        mo_element_blocks blocks;
        mote_error error = {0};
        mote_status status = mo_element_blocks_build(&memory, 3, 2, node, 10, 4, &blocks, &error);
        if (!has_failed(&a)) {
            assert_int_equal(status, MOTE_OK);
            mo_element_blocks_release(&memory, &blocks);
            break;
        }
        ++failures;
        assert_int_equal(status, MOTE_ERROR_MEMORY);
        assert_int_equal(error.status, MOTE_ERROR_MEMORY);
        assert_all_given_back(&a, &memory);
    }
    assert_true(failures >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_are_sorted_rightly),
        cmocka_unit_test(an_element_within_one_block_is_listed_once),
        cmocka_unit_test(an_element_across_four_blocks_is_listed_four_times),
        cmocka_unit_test(the_ends_are_right),
        cmocka_unit_test(without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
