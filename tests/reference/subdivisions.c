/* Searches over primitives against brute force: every structure finds the same intersecting pairs,
 * whatever its parameters. */
#include "test.h"

#include "geometry/subdivide/subdivide.h"
#include "soups.h"

typedef struct bench {
    mo_memory memory;
    mo_pool *pool;
    mo_subdivision subdivision;
    mo_pair_search search;
} bench;

static void open_bench(bench *b, mo_method method, int threads)
{
    mo_memory_init(&b->memory, NULL);
    assert_int_equal(mo_pool_create(&b->memory, threads, &b->pool, NULL), MOTE_OK);
    assert_int_equal(mo_subdivision_init(&b->subdivision, method, &b->memory, NULL), MOTE_OK);
    mo_pair_search_init(&b->search, &b->memory);
}

static void close_bench(bench *b)
{
    mo_subdivision_release(&b->subdivision);
    mo_pair_search_release(&b->search);
    mo_pool_destroy(b->pool);
    assert_int_equal(b->memory.bytes, 0);
}

static void find(bench *b, const mo_simplices *queries, const mo_simplices_pair *pair)
{
    assert_int_equal(mo_subdivision_find(&b->subdivision, queries, mo_simplices_test, pair,
                                         &b->search, b->pool, NULL),
                     MOTE_OK);
    assert_int_equal(mo_pair_search_sort(&b->search, false, NULL), MOTE_OK);
}

static void assert_pairs(const bench *b, const pair_list *expected, const char *what)
{
    if (b->search.count != expected->count) {
        fail_msg("%s, %s: %d pairs, not %d", what, b->subdivision.method.type->name,
                 (int)b->search.count, (int)expected->count);
    }
    for (int64_t k = 0; k < expected->count; ++k) {
        assert_int_equal(b->search.pairs[k].a, expected->pair[k].a);
        assert_int_equal(b->search.pairs[k].b, expected->pair[k].b);
    }
}

/* Triangles of every kind, with others and with themselves. */
static void intersecting_triangles_of_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < SOUPS; ++kind) {
        soup a = make_soup(kind, 180, 3, 1), b = make_soup(kind, 320, 3, 2);
        mo_simplices_pair two = {&a.set, &b.set, false}, own = {&b.set, &b.set, true};
        pair_list between = all_pairs(&two, false), within = all_pairs(&own, true);
        for (int k = 0; k < mo_subdivisions.count; ++k) {
            bench on;
            open_bench(&on, (mo_method){mo_family_at(&mo_subdivisions, k), NULL}, 1 + k % 3);
            assert_int_equal(mo_subdivision_build(&on.subdivision, &b.set, on.pool, NULL), MOTE_OK);
            find(&on, &a.set, &two);
            assert_pairs(&on, &between, SOUP_NAMES[kind]);
            find(&on, NULL, &own);
            assert_pairs(&on, &within, SOUP_NAMES[kind]);
            close_bench(&on);
        }
        free_pairs(&between);
        free_pairs(&within);
        free_soup(&a);
        free_soup(&b);
    }
}

/* Points in tetrahedra, after each of several builds with the same structure. */
static void points_in_tetrahedra(void **state)
{
    (void)state;
    for (int k = 0; k < mo_subdivisions.count; ++k) {
        bench on;
        open_bench(&on, (mo_method){mo_family_at(&mo_subdivisions, k), NULL}, 2);
        for (uint64_t seed = 1; seed < 4; ++seed) {
            soup points = make_soup(RANDOM_SOUP, 700, 1, seed);
            soup solids = make_soup(seed == 2 ? NESTED_SOUP : RANDOM_SOUP, 300, 4, seed + 10);
            mo_simplices_pair two = {&points.set, &solids.set, false};
            pair_list between = all_pairs(&two, false);
            assert_int_equal(mo_subdivision_build(&on.subdivision, &solids.set, on.pool, NULL),
                             MOTE_OK);
            find(&on, &points.set, &two);
            assert_pairs(&on, &between, "points");
            assert_true(between.count > 5);
            free_pairs(&between);
            free_soup(&points);
            free_soup(&solids);
        }
        close_bench(&on);
    }
}

/* Cells from tiny to huge, tables from one entry on, all hash functions; leaves of any size. */
static void parameters_change_nothing_but_the_time(void **state)
{
    static const double CELLS[] = {0.2, 0.7, 3, 30}, TABLES[] = {0.05, 1, 16};
    static const char *const FUNCTIONS[] = {"primes", "mix", "morton"};
    soup a = make_soup(RANDOM_SOUP, 100, 3, 5);
    mo_simplices_pair own = {&a.set, &a.set, true};
    pair_list within = all_pairs(&own, true);
    (void)state;
    for (int k = 0; k < 4 * 3 * 3 + 4 + 3; ++k) {
        struct {
            double cell, table;
            const char *function;
        } hash = {CELLS[k % 4], TABLES[k / 4 % 3], FUNCTIONS[k / 12 % 3]};
        int64_t leaf = (int64_t[]){1, 30, 4000}[k % 3];
        const char *name = k < 36 ? "hashing" : k < 40 ? "uniform_grid" : "kd_tree";
        const void *params = k < 40 ? (const void *)&hash : (const void *)&leaf;
        bench on;
        open_bench(&on, (mo_method){mo_family_find(&mo_subdivisions, name), params}, 2);
        assert_int_equal(mo_subdivision_build(&on.subdivision, &a.set, on.pool, NULL), MOTE_OK);
        find(&on, NULL, &own);
        assert_pairs(&on, &within, "parameters");
        close_bench(&on);
    }
    free_pairs(&within);
    free_soup(&a);
}

static void a_set_of_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < mo_subdivisions.count; ++k) {
        mo_simplices none = {.corners = 3};
        mo_simplices_pair own = {&none, &none, true};
        bench on;
        open_bench(&on, (mo_method){mo_family_at(&mo_subdivisions, k), NULL}, 1);
        assert_int_equal(mo_subdivision_build(&on.subdivision, &none, on.pool, NULL), MOTE_OK);
        find(&on, NULL, &own);
        assert_int_equal(on.search.count, 0);
        close_bench(&on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intersecting_triangles_of_every_kind),
        cmocka_unit_test(points_in_tetrahedra),
        cmocka_unit_test(parameters_change_nothing_but_the_time),
        cmocka_unit_test(a_set_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
