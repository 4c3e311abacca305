/* Bounding volume hierarchies against brute force: every bounding volume finds the same pairs,
 * nearest primitives and hits as a loop over all of them. */
#include "test.h"

#include "geometry/hierarchy/pairs.h"
#include "geometry/hierarchy/query.h"
#include "geometry/simplex/intersect.h"
#include "soups.h"

static const mo_bound_type *bound_at(int k)
{
    return (const mo_bound_type *)mo_family_at(&mo_bounds, k);
}

typedef struct bench {
    mo_memory memory;
    mo_pool *pool;
    mo_hierarchy tree[2];
    mo_pair_search search;
} bench;

static void open_bench(bench *b, const mo_bound_type *bound, int threads)
{
    mo_memory_init(&b->memory, NULL);
    assert_int_equal(mo_pool_create(&b->memory, threads, &b->pool, NULL), MOTE_OK);
    mo_hierarchy_init(&b->tree[0], bound, &b->memory);
    mo_hierarchy_init(&b->tree[1], bound, &b->memory);
    mo_pair_search_init(&b->search, &b->memory);
}

static void close_bench(bench *b)
{
    mo_hierarchy_release(&b->tree[0]);
    mo_hierarchy_release(&b->tree[1]);
    mo_pair_search_release(&b->search);
    mo_pool_destroy(b->pool);
    assert_int_equal(b->memory.bytes, 0);
}

static void assert_pairs(const bench *b, const pair_list *expected, const char *what,
                         const char *bound)
{
    if (b->search.count != expected->count) {
        fail_msg("%s, %s: %d pairs, not %d", what, bound, (int)b->search.count,
                 (int)expected->count);
    }
    for (int64_t k = 0; k < expected->count; ++k) {
        assert_int_equal(b->search.pairs[k].a, expected->pair[k].a);
        assert_int_equal(b->search.pairs[k].b, expected->pair[k].b);
    }
}

static void build(bench *b, int which, const mo_simplices *set, int order)
{
    assert_int_equal(
        mo_hierarchy_build(&b->tree[which], set, (mo_hierarchy_order)order, b->pool, NULL),
        MOTE_OK);
}

static void run(bench *b, int second, const mo_placement *pose, mo_simplices_pair *pair)
{
    assert_int_equal(mo_pair_search_run(&b->search, &b->tree[0], &b->tree[second], pose,
                                        mo_simplices_test, pair, b->pool, NULL),
                     MOTE_OK);
    assert_int_equal(mo_pair_search_sort(&b->search, second == 0, NULL), MOTE_OK);
}

/* Two soups of each kind, and each with itself. */
static void intersecting_triangles_of_every_kind(void **state)
{
    (void)state;
    for (int kind = 0; kind < SOUPS; ++kind) {
        soup a = make_soup(kind, 220, 3, 1), b = make_soup(kind, 150, 3, 2);
        mo_simplices_pair two = {&a.set, &b.set, false}, own = {&a.set, &a.set, true};
        pair_list between = all_pairs(&two, false), within = all_pairs(&own, true);
        assert_true(between.count > 10);
        for (int k = 0; k < mo_bounds.count; ++k) {
            bench on;
            open_bench(&on, bound_at(k), 1 + k % 3);
            build(&on, 0, &a.set, k % 2);
            build(&on, 1, &b.set, MO_HIERARCHY_MEDIAN);
            run(&on, 1, NULL, &two);
            assert_pairs(&on, &between, SOUP_NAMES[kind], bound_at(k)->base.name);
            run(&on, 0, NULL, &own);
            assert_pairs(&on, &within, SOUP_NAMES[kind], bound_at(k)->base.name);
            assert_true(on.search.candidates >= within.count);
            close_bench(&on);
        }
        free_pairs(&between);
        free_pairs(&within);
        free_soup(&a);
        free_soup(&b);
    }
}

/* Tetrahedra against edges, boxes with themselves, and sets of very different sizes. */
static void other_primitives(void **state)
{
    (void)state;
    static const int CORNERS[][2] = {{4, 2}, {4, 4}, {3, 1}, {4, 3}};
    static const int64_t COUNTS[][2] = {{200, 200}, {1, 300}, {400, 3}, {9, 9}};
    for (int c = 0; c < 4; ++c) {
        soup a = make_soup(RANDOM_SOUP, COUNTS[c][0], CORNERS[c][0], 3);
        soup b = make_soup(RANDOM_SOUP, COUNTS[c][1], CORNERS[c][1], 4);
        mo_simplices_pair two = {&a.set, &b.set, false};
        pair_list between = all_pairs(&two, false);
        for (int k = 0; k < mo_bounds.count; ++k) {
            bench on;
            open_bench(&on, bound_at(k), 2);
            build(&on, 0, &a.set, MO_HIERARCHY_MEDIAN);
            build(&on, 1, &b.set, MO_HIERARCHY_MORTON);
            run(&on, 1, NULL, &two);
            assert_pairs(&on, &between, "other primitives", bound_at(k)->base.name);
            close_bench(&on);
        }
        free_pairs(&between);
        free_soup(&a);
        free_soup(&b);
    }
}

static void nothing_is_searched_without_primitives(void **state)
{
    bench b;
    mo_simplices none = {.corners = 3};
    (void)state;
    open_bench(&b, bound_at(0), 1);
    build(&b, 0, &none, MO_HIERARCHY_MEDIAN);
    run(&b, 0, NULL, NULL);
    assert_int_equal(b.search.count, 0);
    assert_int_equal(mo_hierarchy_examine(&b.tree[0]).layers, 0);
    close_bench(&b);
}

/* A refitted tree finds what a new one would; moved trees find what moved triangles would. */
static void refitted_and_moved_trees(void **state)
{
    uint64_t random = 9;
    (void)state;
    soup a = make_soup(RANDOM_SOUP, 300, 3, 5), b = make_soup(RANDOM_SOUP, 300, 3, 6);
    double *rest = test_malloc((size_t)b.rows * 3 * sizeof *rest);
    memcpy(rest, b.x, (size_t)b.rows * 3 * sizeof *rest);
    for (int k = 0; k < mo_bounds.count; ++k) {
        bench on;
        mo_simplices_pair two = {&a.set, &b.set, false};
        mo_simplices still = b.set;
        open_bench(&on, bound_at(k), 2);
        build(&on, 0, &a.set, MO_HIERARCHY_MEDIAN);
        still.x = rest;
        build(&on, 1, &still, MO_HIERARCHY_MEDIAN);
        for (int step = 0; step < 3; ++step) { /* the triangles move, the volumes are placed */
            mo_placement pose = {random_rotation(&random), random_vec3(&random, 0.3)};
            for (int64_t row = 0; row < b.rows; ++row) {
                mo_vec3 x = mo_mat3_apply(pose.R, mo_vec3_load(rest + 3 * row));
                mo_vec3_store(b.x + 3 * row, mo_add(x, pose.t));
            }
            pair_list between = all_pairs(&two, false);
            run(&on, 1, &pose, &two);
            assert_pairs(&on, &between, "moved", bound_at(k)->base.name);
            free_pairs(&between);
        }
        for (int64_t row = 0; row < b.rows; ++row) { /* bent */
            double *x = b.x + 3 * row;
            x[2] += x[0] * x[1];
        }
        pair_list between = all_pairs(&two, false);
        mo_hierarchy_refit(&on.tree[1], &b.set, on.pool);
        run(&on, 1, NULL, &two);
        assert_pairs(&on, &between, "refitted", bound_at(k)->base.name);
        free_pairs(&between);
        close_bench(&on);
    }
    test_free(rest);
    free_soup(&a);
    free_soup(&b);
}

static mo_hit brute_nearest(const mo_simplices *set, mo_vec3 x)
{
    mo_hit best = {-1, (double)INFINITY};
    for (int32_t k = 0; k < set->count; ++k) {
        double d = mo_triangle_distance_fn(set, k, x);
        best = d < best.distance ? (mo_hit){k, d} : best;
    }
    return best;
}

static mo_hit brute_cast(const mo_simplices *set, const mo_ray *ray)
{
    mo_hit best = {-1, ray->end};
    for (int32_t k = 0; k < set->count; ++k) {
        double s = mo_triangle_cast_fn(set, k, ray);
        bool first = best.primitive < 0 && s <= ray->end;
        best = s < best.distance || first ? (mo_hit){k, s} : best;
    }
    return best;
}

static mo_ray random_ray(uint64_t *random, int k, const soup *s)
{
    double size = s->size;
    static const double AXES[3][3] = {{1, 0, 0}, {0, -2, 0}, {0, 0, 0.5}};
    mo_vec3 along = k % 4 == 3 ? mo_vec3_load(AXES[k / 4 % 3]) : random_vec3(random, 1);
    return (mo_ray){.origin = mo_add(s->centre, random_vec3(random, 1.5 * size)),
                    .direction = mo_scale(size, along),
                    .end = 4,
                    .radius = k % 2 ? 0.1 * size : 0};
}

static void nearest_points_and_casts(void **state)
{
    (void)state;
    static const int KINDS[] = {RANDOM_SOUP, TOUCHING_SOUP, HUGE_SOUP, NESTED_SOUP};
    for (int s = 0; s < 4; ++s) {
        soup a = make_soup(KINDS[s], 300, 3, 7);
        for (int k = 0; k < mo_bounds.count; ++k) {
            bench b;
            uint64_t random = 77;
            int hits = 0;
            open_bench(&b, bound_at(k), 1);
            build(&b, 0, &a.set, MO_HIERARCHY_MEDIAN);
            for (int trial = 0; trial < 60; ++trial) {
                mo_vec3 x = mo_add(a.centre, random_vec3(&random, 2 * a.size));
                mo_ray ray = random_ray(&random, trial, &a);
                mo_hit one = mo_hierarchy_nearest(&b.tree[0], x, (double)INFINITY,
                                                  mo_triangle_distance_fn, &a.set);
                mo_hit two = brute_nearest(&a.set, x);
                assert_int_equal(one.primitive, two.primitive);
                assert_true(one.distance == two.distance);
                one = mo_hierarchy_cast(&b.tree[0], &ray, mo_triangle_cast_fn, &a.set);
                two = brute_cast(&a.set, &ray);
                assert_int_equal(one.primitive, two.primitive);
                hits += two.primitive >= 0;
            }
            assert_true(hits > 5);
            close_bench(&b);
        }
        free_soup(&a);
    }
}

static void primitives_in_a_box(void **state)
{
    uint64_t random = 5;
    int32_t found[400];
    (void)state;
    soup a = make_soup(RANDOM_SOUP, 400, 3, 8);
    for (int k = 0; k < mo_bounds.count; ++k) {
        bench b;
        open_bench(&b, bound_at(k), 1);
        build(&b, 0, &a.set, MO_HIERARCHY_MORTON);
        for (int trial = 0; trial < 20; ++trial) {
            mo_vec3 p = random_vec3(&random, 1), q = random_vec3(&random, 1);
            mo_box box = mo_box_empty();
            double corner[6];
            bool seen[400] = {0};
            mo_vec3_store(corner, p);
            mo_vec3_store(corner + 3, q);
            mo_box_grow(&box, corner);
            mo_box_grow(&box, corner + 3);
            int64_t count = mo_hierarchy_in_box(&b.tree[0], &box, found, 400);
            for (int64_t i = 0; i < count; ++i) {
                seen[found[i]] = true;
            }
            for (int32_t i = 0; i < 400; ++i) {
                mo_vec3 p3[3];
                for (int c = 0; c < 3; ++c) {
                    p3[c] = mo_vec3_load(a.x + 3 * (int64_t)a.corner[3 * i + c]);
                }
                assert_int_equal(seen[i], mo_simplex_meets_box(p3, 3, &box));
            }
        }
        close_bench(&b);
    }
    free_soup(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intersecting_triangles_of_every_kind),
        cmocka_unit_test(other_primitives),
        cmocka_unit_test(nothing_is_searched_without_primitives),
        cmocka_unit_test(refitted_and_moved_trees),
        cmocka_unit_test(nearest_points_and_casts),
        cmocka_unit_test(primitives_in_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
