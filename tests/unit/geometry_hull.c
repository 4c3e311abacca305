/* Convex hulls: known solids, random points against brute force, degenerate input. */
#include "test.h"

#include "geometry/hull/hull.h"
#include "numbers.h"

typedef struct bench {
    mo_memory memory;
    mo_arena arena;
    mo_hull hull;
} bench;

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    mo_arena_init(&b->arena, &b->memory);
}

static void close_bench(bench *b)
{
    mo_arena_release(&b->arena);
    assert_int_equal(b->memory.bytes, 0);
}

static void build(bench *b, int64_t count, const double *x)
{
    mote_error error = {0};
    if (mo_hull_build(count, x, "hull", &b->arena, &b->hull, NULL, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

/* Euler's formula, edges in pairs, convex at every vertex, every point within. */
static void check(const mo_hull *h, int64_t count, const double *x, double tolerance)
{
    assert_int_equal(h->vertices - h->edges / 2 + h->faces, 2);
    for (int32_t e = 0; e < h->edges; ++e) {
        const mo_hull_edge *edge = &h->edge[e], *twin = &h->edge[edge->twin];
        assert_int_equal(twin->twin, e);
        assert_int_not_equal(twin->face, edge->face);
        assert_int_equal(h->edge[edge->next].origin, twin->origin);
        assert_int_equal(h->edge[edge->next].face, edge->face);
        assert_true(e >= h->first[edge->face] && e < h->first[edge->face + 1]);
        assert_near(mo_dot(h->normal[edge->face], h->vertex[edge->origin]), h->offset[edge->face],
                    3 * tolerance);
    }
    for (int32_t f = 0; f < h->faces; ++f) {
        assert_near(mo_length(h->normal[f]), 1, 1e-14);
        assert_true(h->offset[f] > 0);
        for (int64_t k = 0; k < count; ++k) {
            mo_vec3 p = mo_sub(mo_vec3_load(x + 3 * k), h->center);
            assert_true(mo_dot(h->normal[f], p) <= h->offset[f] + tolerance);
        }
    }
}

/* A cube as a lattice of points: on its faces and edges there are many, eight are vertices. */
static void a_lattice_is_a_cube(void **state)
{
    (void)state;
    const double scale[] = {1, 1e-6, 1e6}, origin[] = {0, 3, -1e3};
    for (int s = 0; s < 9; ++s) {
        double x[5 * 5 * 5 * 3];
        int64_t count = 0;
        for (int k = 0; k < 125; ++k, ++count) {
            x[3 * k] = scale[s % 3] * (k % 5 * 0.25 + origin[s / 3]);
            x[3 * k + 1] = scale[s % 3] * (k / 5 % 5 * 0.25);
            x[3 * k + 2] = scale[s % 3] * (k / 25 * 0.25);
        }
        bench b;
        open_bench(&b);
        build(&b, count, x);
        assert_int_equal(b.hull.vertices, 8);
        assert_int_equal(b.hull.faces, 6);
        assert_int_equal(b.hull.edges, 24);
        assert_near_vec3(b.hull.center,
                         mo_scale(scale[s % 3], mo_vec3_make(0.5 + origin[s / 3], 0.5, 0.5)),
                         1e-11 * scale[s % 3]);
        check(&b.hull, count, x, 1e-9 * scale[s % 3]);
        close_bench(&b);
    }
}

static void random_points_are_within_their_hull(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int trial = 0; trial < 200; ++trial) {
        double x[3 * 300];
        int64_t count = 4 + random_below(&random, trial % 10 == 0 ? 296 : 40);
        double flat = trial % 7 == 0 ? 1e-5 : 1, on_sphere = trial % 3 == 0;
        for (int64_t k = 0; k < count; ++k) {
            mo_vec3 p = on_sphere ? random_unit_vec3(&random) : random_vec3(&random, 1);
            p.z *= flat;
            if (trial % 5 == 0) { /* coplanar in groups */
                p.x = floor(3 * p.x) / 3;
            }
            mo_vec3_store(x + 3 * k, p);
        }
        bench b;
        open_bench(&b);
        double lost;
        mote_error error = {0};
        assert_int_equal(mo_hull_build(count, x, "hull", &b.arena, &b.hull, &lost, &error),
                         MOTE_OK);
        check(&b.hull, count, x, lost + 4e-6);
        close_bench(&b);
    }
}

/* 5,000 points on a sphere: 128 vertices, and the rest is not far outside. */
static void large_sets_are_approximated_from_within(void **state)
{
    (void)state;
    uint64_t random = 5;
    static double x[3 * 5000];
    for (int64_t k = 0; k < 5000; ++k) {
        mo_vec3_store(x + 3 * k, random_unit_vec3(&random));
    }
    bench b;
    open_bench(&b);
    double lost;
    mote_error error = {0};
    assert_int_equal(mo_hull_build(5000, x, "hull", &b.arena, &b.hull, &lost, &error), MOTE_OK);
    assert_int_equal(b.hull.vertices, MO_HULL_VERTICES_MOST);
    assert_true(lost > 0 && lost < 0.05);
    check(&b.hull, 5000, x, lost + 1e-6);
    close_bench(&b);
}

static void flat_sets_are_refused(void **state)
{
    (void)state;
    static const struct {
        double x[15];
        const char *says;
    } cases[] = {
        {{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}, "one point"},
        {{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}, "a line"},
        {{0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0.5, 0.5, 1}, "a plane"},
        {{0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0.5, 0.5, (double)INFINITY}, "point 4 is not finite"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        bench b;
        open_bench(&b);
        mote_error error = {0};
        assert_int_equal(mo_hull_build(5, cases[k].x, "rock.obj", &b.arena, &b.hull, NULL, &error),
                         MOTE_ERROR_INPUT);
        assert_says(error.text, "rock.obj");
        assert_says(error.text, cases[k].says);
        assert_int_equal(mo_hull_build(3, cases[k].x, "rock.obj", &b.arena, &b.hull, NULL, &error),
                         MOTE_ERROR_INPUT);
        assert_says(error.text, "at least 4 points");
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_is_a_cube),
        cmocka_unit_test(random_points_are_within_their_hull),
        cmocka_unit_test(large_sets_are_approximated_from_within),
        cmocka_unit_test(flat_sets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
