/*
 * Neighbours by every structure of the family `search` against all pairs, on points that are easy and on
 * points that are not. A structure is tested by being listed.
 */
#include "test.h"

#include "../unit/failing_allocator.h"
#include "../unit/numbers.h"
#include "../unit/search_cases.h"

static void lists_hold_all_pairs(void **state)
{
    (void)state;
    for (int m = 0; m < mo_searches.count; ++m) {
        for (int k = 0; k < CASE_COUNT * RADII; ++k) {
            cloud *c = make_cloud(k / RADII);
            double radius = CASES[k / RADII].radius[k % RADII];
            rig r;
            open_rig(&r, m, NULL, 1);
            add_cloud(&r, c, radius, MO_LISTS_FULL);
            update(&r);
            assert_lists_right(&r, 0, 0);
            close_rig(&r);
            free(c);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_hold_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
