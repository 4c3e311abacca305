/* Neighbours from a cell list against all pairs, on points that are easy and on points that are not. */
#include "test.h"

#include "failing_allocator.h"
#include "geometry/mesh/mesh.h"
#include "neighbor/cell_list.h"
#include "numbers.h"
#include "set_param.h"

/* ---- points ---- */

enum { POINTS_MAX = 6000 };

typedef struct cloud {
    int64_t count;
    double x[3 * POINTS_MAX];
} cloud;

static void put(cloud *c, mo_vec3 p)
{
    assert_true(c->count < POINTS_MAX);
    mo_vec3_store(c->x + 3 * c->count++, p);
}

static void uniform(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        put(c, random_vec3(random, 1));
    }
}

static void clustered(cloud *c, uint64_t *random)
{
    for (int cluster = 0; cluster < 9; ++cluster) {
        mo_vec3 center = random_vec3(random, 50);
        for (int k = 0; k < 100; ++k) {
            put(c, mo_add(center, random_vec3(random, 0.3)));
        }
    }
}

static void planar(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        mo_vec3 p = random_vec3(random, 3);
        put(c, mo_vec3_make(p.x, 2.5, p.z));
    }
}

/* On a slanted line, in no order. */
static void collinear(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        put(c, mo_scale(random_between(random, -40, 40), mo_vec3_make(0.1, -1, 0.7)));
    }
}

static void coincident(cloud *c, uint64_t *random)
{
    for (int place = 0; place < 7; ++place) {
        mo_vec3 p = random_vec3(random, 1);
        for (int k = 0; k < 60; ++k) {
            put(c, p);
        }
    }
}

static void all_in_one_point(cloud *c, uint64_t *random)
{
    (void)random;
    for (int k = 0; k < 300; ++k) {
        put(c, mo_vec3_make(-3, 1e5, 0.1));
    }
}

/* Many distances are 0.1 but for rounding, which is where cells end. */
static void lattice(cloud *c, uint64_t *random)
{
    (void)random;
    for (int k = 0; k < 1000; ++k) {
        put(c, mo_vec3_make(0.1 * (k % 10), 0.1 * (k / 10 % 10) - 7, 0.1 * (k / 100 % 10) + 0.3));
    }
}

static void single(cloud *c, uint64_t *random)
{
    put(c, random_vec3(random, 1));
}

static void pair(cloud *c, uint64_t *random)
{
    put(c, random_vec3(random, 1));
    put(c, random_vec3(random, 1));
}

static void empty(cloud *c, uint64_t *random)
{
    (void)c;
    (void)random;
}

/* Pairs close together, 1e9 from all others. */
static void huge(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 400; ++k) {
        mo_vec3 p = random_vec3(random, 1e9);
        put(c, p);
        put(c, mo_add(p, random_vec3(random, 1)));
    }
}

/* One cluster, and a few points that have flown off. */
static void stray(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        put(c, k % 300 == 17 ? random_vec3(random, 1e9) : random_vec3(random, 5));
    }
    put(c, mo_vec3_make(1e140, -1e140, 0));
    put(c, mo_vec3_make(1e140, -1e140, 0.5));
}

static const struct {
    void (*make)(cloud *c, uint64_t *random);
    double radius[5];
} CASES[] = {
    {uniform, {0.02, 0.1, 0.4, 10, 1e-150}},
    {clustered, {0.01, 0.1, 0.5, 20, 1e6}},
    {planar, {0.05, 0.2, 1, 1e-9, 1e9}},
    {collinear, {0.001, 0.1, 5, 100, 1e-12}},
    {coincident, {1e-100, 1e-3, 0.5, 5, 1e150}},
    {all_in_one_point, {1e-150, 1e-3, 1, 1e3, 1e150}},
    {lattice, {0.1, 0.2, 0.30000000000000004, 0.05, 3}},
    {single, {1e-150, 0.1, 1, 10, 1e150}},
    {pair, {1e-3, 0.5, 1, 2, 10}},
    {empty, {1e-3, 0.1, 1, 10, 1e3}},
    {huge, {1e-9, 0.5, 2, 1e8, 4e9}},
    {stray, {0.1, 0.6, 3, 100, 3e9}},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES, RADII = 5 };

static cloud *make_cloud(int which)
{
    uint64_t random = (uint64_t)which;
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    CASES[which].make(c, &random);
    return c;
}

/* ---- all pairs ---- */

static bool within(const cloud *c, int64_t i, mo_vec3 p, double radius)
{
    mo_vec3 d = mo_sub(mo_vec3_load(c->x + 3 * i), p);
    return mo_dot(d, d) <= radius * radius;
}

static int compare_rows(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* `found` are all rows around p without `except`, each once; the order is the list's business. */
static void assert_all_found(const cloud *c, mo_vec3 p, int64_t except, double radius, const int32_t *found,
                             int64_t count)
{
    static int32_t sorted[POINTS_MAX];
    int64_t number = 0;
    assert_true(count <= c->count);
    memcpy(sorted, found, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_rows);
    for (int64_t row = 0; row < c->count; ++row) {
        if (row != except && within(c, row, p, radius)) {
            assert_true(number < count);
            assert_int_equal(sorted[number++], row);
        }
    }
    assert_int_equal(number, count);
}

/* ---- the structure under test ---- */

typedef struct bench {
    failing_allocator allocator;
    mo_memory memory;
    mo_pool *pool;
} bench;

static void open_bench(bench *b, int threads)
{
    b->memory = failing_memory(&b->allocator, -1);
    assert_int_equal(mo_pool_create(&b->memory, threads, &b->pool, NULL), MOTE_OK);
}

static void close_bench(bench *b)
{
    mo_pool_destroy(b->pool);
    assert_all_given_back(&b->allocator, &b->memory);
}

static void build_cells(mo_cell_list *list, bench *b, const cloud *c, double radius)
{
    assert_int_equal(mo_cell_list_build(list, b->pool, c->count, c->x, radius, NULL), MOTE_OK);
}

static void build_lists(mo_neighbor_lists *lists, bench *b, const cloud *c, double radius)
{
    assert_int_equal(mo_neighbor_lists_build(lists, b->pool, c->count, c->x, radius, NULL), MOTE_OK);
}

static void assert_all_pairs(const mo_neighbor_lists *lists, const cloud *c, double radius)
{
    for (int64_t row = 0; row < c->count; ++row) {
        assert_all_found(c, mo_vec3_load(c->x + 3 * row), row, radius, lists->index + lists->start[row],
                         lists->start[row + 1] - lists->start[row]);
    }
}

static void lists_hold_all_pairs(void **state)
{
    (void)state;
    bench b;
    mo_neighbor_lists lists;
    open_bench(&b, 1);
    mo_neighbor_lists_init(&lists, &b.memory);
    for (int k = 0; k < CASE_COUNT * RADII; ++k) {
        cloud *c = make_cloud(k / RADII);
        double radius = CASES[k / RADII].radius[k % RADII];
        build_lists(&lists, &b, c, radius);
        assert_all_pairs(&lists, c, radius);
        free(c);
    }
    mo_neighbor_lists_release(&lists);
    close_bench(&b);
}

/* Lists that are built again without need are left alone: a mark in them stays. Any single number that changes,
   the radius or the count makes them new. */
static void lists_follow_what_moves(void **state)
{
    (void)state;
    bench b;
    mo_neighbor_lists lists;
    cloud *c = make_cloud(0);
    open_bench(&b, 1);
    mo_neighbor_lists_init(&lists, &b.memory);
    build_lists(&lists, &b, c, 0.3);
    assert_true(lists.start[c->count] > 0);
    for (int k = 0; k < 8; ++k) {
        double radius = k == 7 ? 0.29 : 0.3;
        lists.index[0] = -1;
        build_lists(&lists, &b, c, 0.3);
        assert_int_equal(lists.index[0], -1);
        c->x[3 * (k % 2 ? c->count - 1 : 0) + k % 3] += k < 6 ? 0.2 : 0;
        c->count -= k == 6;
        build_lists(&lists, &b, c, radius);
        assert_all_pairs(&lists, c, radius);
    }
    mo_neighbor_lists_release(&lists);
    close_bench(&b);
    free(c);
}

/* Points that are looked around: of the cloud, about it, far away, and nowhere. */
static mo_vec3 some_point(const cloud *c, int k, uint64_t *random)
{
    mo_vec3 p = c->count ? mo_vec3_load(c->x + 3 * random_below(random, c->count)) : mo_vec3_make(0, 0, 0);
    double size = k % 4 == 1 ? 0.3 : k % 4 == 2 ? 3 : 0;
    p = mo_add(p, random_vec3(random, size));
    return k % 16 == 3 ? mo_scale(1e12, p) : k % 16 == 7 ? mo_vec3_make(p.x, (double)NAN, p.z) : p;
}

static void points_are_found_around_any_place(void **state)
{
    (void)state;
    bench b;
    mo_cell_list list;
    uint64_t random = 5;
    static int32_t found[POINTS_MAX];
    open_bench(&b, 1);
    mo_cell_list_init(&list, &b.memory);
    for (int k = 0; k < CASE_COUNT * RADII; ++k) {
        cloud *c = make_cloud(k / RADII);
        double radius = CASES[k / RADII].radius[k % RADII];
        build_cells(&list, &b, c, radius);
        for (int q = 0; q < 48; ++q) {
            mo_vec3 p = some_point(c, q, &random);
            int64_t except = q % 3 && c->count ? random_below(&random, c->count) : -1;
            int64_t count = mo_cell_list_near(&list, p, except, found, POINTS_MAX);
            assert_all_found(c, p, except, radius, found, count);
        }
        free(c);
    }
    mo_cell_list_release(&list);
    close_bench(&b);
}

/* Room for too few: the first of them are written, nothing behind, and the whole number is told. */
static void too_little_room_is_told(void **state)
{
    (void)state;
    bench b;
    mo_cell_list list;
    open_bench(&b, 1);
    mo_cell_list_init(&list, &b.memory);
    cloud *c = make_cloud(0);
    build_cells(&list, &b, c, 10);
    int32_t whole[POINTS_MAX], part[POINTS_MAX];
    mo_vec3 p = mo_vec3_load(c->x);
    assert_int_equal(mo_cell_list_near(&list, p, 0, NULL, 0), c->count - 1);
    assert_int_equal(mo_cell_list_near(&list, p, 0, whole, POINTS_MAX), c->count - 1);
    for (int64_t room = 1; room < c->count + 3; room += room < 5 ? 1 : 97) {
        memset(part, 0xff, sizeof part);
        int64_t written = room < c->count - 1 ? room : c->count - 1;
        assert_int_equal(mo_cell_list_near(&list, p, 0, part, room), c->count - 1);
        assert_memory_equal(part, whole, (size_t)written * sizeof *part);
        assert_int_equal(part[written], -1);
    }
    free(c);
    mo_cell_list_release(&list);
    close_bench(&b);
}

/* ---- the same result, without allocations, on any number of threads ---- */

static cloud *make_large(uint64_t random)
{
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (int k = 0; k < 5500; ++k) {
        put(c, random_vec3(&random, 1));
    }
    return c;
}

static void the_lists_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    bench b[4];
    mo_neighbor_lists lists[4];
    cloud *c = make_large(1);
    for (int t = 0; t < 4; ++t) {
        open_bench(&b[t], threads[t]);
        mo_neighbor_lists_init(&lists[t], &b[t].memory);
        for (int again = 0; again < 5; ++again) {
            build_lists(&lists[t], &b[t], c, 0.11);
        }
        int64_t pairs = lists[t].start[c->count];
        assert_true(pairs > 3 * c->count);
        assert_memory_equal(lists[t].start, lists[0].start, (size_t)(c->count + 1) * sizeof(int64_t));
        assert_memory_equal(lists[t].index, lists[0].index, (size_t)pairs * sizeof(int32_t));
    }
    for (int t = 0; t < 4; ++t) {
        mo_neighbor_lists_release(&lists[t]);
        close_bench(&b[t]);
    }
    free(c);
}

/* Points move, spread and gather; once there has been room for all of it nothing more is allocated. */
static void nothing_is_allocated_when_warm(void **state)
{
    (void)state;
    static const double spread[] = {1, 0.97, 30, 1e9, 1, 1.02};
    bench b;
    mo_neighbor_lists lists;
    open_bench(&b, 2);
    mo_neighbor_lists_init(&lists, &b.memory);
    int64_t warm = 0;
    for (uint64_t k = 0; k < 6; ++k) {
        cloud *c = make_large(k);
        for (int64_t i = 0; i < 3 * c->count; ++i) {
            c->x[i] *= spread[k];
        }
        build_lists(&lists, &b, c, 0.11);
        warm = k == 0 ? b.memory.allocations : warm;
        free(c);
    }
    assert_int_equal(b.memory.allocations, warm);
    mo_neighbor_lists_release(&lists);
    close_bench(&b);
}

/* ---- the grid ---- */

/* Stray points must not cost the others their cells. */
static void stray_points_do_not_widen_the_cells(void **state)
{
    (void)state;
    bench b;
    mo_cell_list list;
    cloud *c = make_large(3);
    open_bench(&b, 1);
    mo_cell_list_init(&list, &b.memory);
    put(c, mo_vec3_make(1e9, 0, 0));
    put(c, mo_vec3_make(-1e3, 1e12, -5));
    put(c, mo_vec3_make(0, 0, 1e20));
    build_cells(&list, &b, c, 0.11);
    assert_true(list.inverse_width > 1 / 0.112);
    assert_true(list.size[0] * list.size[1] * list.size[2] > 15 * 15 * 15);
    mo_cell_list_release(&list);
    close_bench(&b);
    free(c);
}

static void memory_follows_the_number_of_points(void **state)
{
    (void)state;
    bench b;
    mo_cell_list list;
    cloud *c = make_cloud(10);
    open_bench(&b, 1);
    mo_cell_list_init(&list, &b.memory);
    build_cells(&list, &b, c, 1e-6);
    assert_true(list.size[0] * list.size[1] * list.size[2] <= 2 * c->count + 64);
    assert_true(b.memory.bytes < 100 * c->count + 10000);
    mo_cell_list_release(&list);
    close_bench(&b);
    free(c);
}

/* The first of a pair just below the end of a cell, the second at the radius from it: the next cell but one
   begins beyond. */
static void pairs_at_the_radius_are_found_across_cells(void **state)
{
    (void)state;
    const double radius = 0.7;
    bench b;
    mo_cell_list list;
    open_bench(&b, 1);
    mo_cell_list_init(&list, &b.memory);
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (int k = 0; k < 100; ++k) {
        put(c, mo_vec3_make(k, 0, 0));
    }
    for (int cell = 1; cell < 130; ++cell) {
        int32_t found[8];
        build_cells(&list, &b, c, radius);
        double x = (cell / list.inverse_width + list.low[0]) * (1 - 1e-15), y = x + radius;
        y = y - x > radius ? nextafter(y, x) : y;
        c->x[3] = x;
        c->x[6] = y;
        build_cells(&list, &b, c, radius);
        assert_true(within(c, 2, mo_vec3_make(x, 0, 0), radius));
        int64_t count = mo_cell_list_near(&list, mo_vec3_make(x, 0, 0), 1, found, 8);
        assert_all_found(c, mo_vec3_make(x, 0, 0), 1, radius, found, count);
    }
    free(c);
    mo_cell_list_release(&list);
    close_bench(&b);
}

/* ---- what is refused ---- */

static void positions_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e200};
    bench b;
    mo_neighbor_lists lists;
    cloud *c = make_large(4), *nothing = make_cloud(9);
    open_bench(&b, 2);
    mo_neighbor_lists_init(&lists, &b.memory);
    for (int k = 0; k < 4; ++k) {
        mote_error error = {0};
        double good = c->x[3 * 4321 + k % 3];
        c->x[3 * 4321 + k % 3] = bad[k];
        build_lists(&lists, &b, nothing, 1);
        assert_int_equal(mo_neighbor_lists_build(&lists, b.pool, c->count, c->x, 0.1, &error),
                         MOTE_ERROR_NUMERIC);
        assert_non_null(strstr(error.text, "4321"));
        assert_int_equal(mo_cell_list_near(&lists.cells, mo_vec3_make(0, 0, 0), -1, NULL, 0), 0);
        c->x[3 * 4321 + k % 3] = good;
        build_lists(&lists, &b, c, 0.1);
    }
    mo_neighbor_lists_release(&lists);
    close_bench(&b);
    free(nothing);
    free(c);
}

static void radii_without_sense_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -1, (double)NAN, (double)INFINITY, 1e-200, 1e200};
    bench b;
    mo_cell_list list;
    cloud *c = make_cloud(0);
    open_bench(&b, 1);
    mo_cell_list_init(&list, &b.memory);
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(mo_cell_list_build(&list, b.pool, c->count, c->x, bad[k], NULL), MOTE_ERROR_INPUT);
    }
    mo_cell_list_release(&list);
    close_bench(&b);
    free(c);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cloud *c = make_cloud(0);
    for (int64_t fail_at = 1;; ++fail_at) { /* call 0 makes the pool */
        failing_allocator a;
        mo_memory memory = failing_memory(&a, fail_at);
        mo_pool *pool;
        mo_neighbor_lists lists;
        assert_int_equal(mo_pool_create(&memory, 1, &pool, NULL), MOTE_OK);
        mo_neighbor_lists_init(&lists, &memory);
        mote_status status = mo_neighbor_lists_build(&lists, pool, c->count, c->x, 0.1, NULL);
        assert_int_equal(status, has_failed(&a) ? MOTE_ERROR_MEMORY : MOTE_OK);
        mo_neighbor_lists_release(&lists);
        mo_pool_destroy(pool);
        assert_all_given_back(&a, &memory);
        if (status == MOTE_OK) {
            assert_true(fail_at > 5);
            break;
        }
    }
    free(c);
}

/* ---- hexagonal packing, which is known by its neighbours ---- */

static void make_hexagonal(params *p, double displacement, int64_t seed)
{
    clear_params_of(p, &mo_meshes, "hexagonal");
    set_int(p, "nx", 12);
    set_int(p, "ny", 11);
    set_int(p, "nz", 13);
    set_int(p, "seed", seed);
    set_real(p, "spacing", 1.5);
    set_real(p, "displacement", displacement);
    set_vec3(p, "origin", mo_vec3_make(-1, 2, 30));
    assert_int_equal(check_params(p, NULL), MOTE_OK);
}

static mo_mesh build_hexagonal(bench *b, double displacement, int64_t seed)
{
    params p;
    mo_mesh mesh;
    make_hexagonal(&p, displacement, seed);
    assert_int_equal(mo_mesh_build(method_of(&p), &b->memory, &mesh, NULL), MOTE_OK);
    assert_int_equal(mesh.node_count, 12 * 11 * 13);
    assert_int_equal(mo_mesh_set(&mesh, "all")->count, mesh.node_count);
    assert_int_equal(mesh.edge_count, 0);
    assert_int_equal(mesh.dimension, 0);
    assert_true(mesh.spacing == 1.5 && mesh.shares[77] == 1);
    return mesh;
}

/* Twelve neighbours within the packing, fewer only on its outside; the next are sqrt 2 as far. */
static void hexagonal_points_have_twelve_neighbours(void **state)
{
    (void)state;
    bench b;
    mo_neighbor_lists lists;
    open_bench(&b, 1);
    mo_neighbor_lists_init(&lists, &b.memory);
    mo_mesh mesh = build_hexagonal(&b, 0, 0);
    for (int k = 0; k < 3; ++k) {
        double radius = k == 0 ? 1.4999 : k == 1 ? 1.5001 : 1.5 * 1.414;
        int64_t full = 0;
        assert_int_equal(mo_neighbor_lists_build(&lists, b.pool, mesh.node_count, mesh.nodes, radius, NULL),
                         MOTE_OK);
        for (int64_t row = 0; row < mesh.node_count; ++row) {
            int64_t count = lists.start[row + 1] - lists.start[row];
            assert_true(count <= (k == 0 ? 0 : 12));
            full += count == 12;
        }
        assert_int_equal(full, k == 0 ? 0 : 10 * 9 * 11);
    }
    for (int64_t k = 0; k < 3 * mesh.node_count; ++k) {
        assert_true(mesh.nodes[k] >= (k % 3 == 0 ? -1 : k % 3 == 1 ? 2 : 30));
    }
    assert_near_vec3(mo_vec3_load(mesh.nodes), mo_vec3_make(-1, 2, 30), 0);
    mo_mesh_release(&mesh);
    mo_neighbor_lists_release(&lists);
    close_bench(&b);
}

/* Normal numbers of this variance, cut at a length of the same number. */
static void displacements_have_their_variance_and_length(void **state)
{
    (void)state;
    bench b;
    open_bench(&b, 1);
    mo_mesh rest = build_hexagonal(&b, 0, 0), moved = build_hexagonal(&b, 9, 4);
    mo_mesh again = build_hexagonal(&b, 9, 4), other = build_hexagonal(&b, 9, 5);
    double squares = 0, longest = 0;
    mo_vec3 sum = {0, 0, 0};
    for (int64_t k = 0; k < rest.node_count; ++k) {
        mo_vec3 d = mo_sub(mo_vec3_load(moved.nodes + 3 * k), mo_vec3_load(rest.nodes + 3 * k));
        sum = mo_add(sum, d);
        squares += mo_dot(d, d);
        longest = fmax(longest, mo_length(d));
    }
    double count = (double)rest.node_count; /* a component's mean has a deviation of 3/sqrt(count) = 0.07 */
    assert_near_vec3(mo_scale(1 / count, sum), mo_vec3_make(0, 0, 0), 0.4);
    assert_near(squares / (3 * count), 8.7, 0.5);
    assert_near(longest, 9, 1e-12);
    assert_memory_equal(moved.nodes, again.nodes, 3 * (size_t)rest.node_count * sizeof(double));
    assert_true(memcmp(moved.nodes, other.nodes, 3 * sizeof(double)) != 0);
    mo_mesh_release(&rest);
    mo_mesh_release(&moved);
    mo_mesh_release(&again);
    mo_mesh_release(&other);
    close_bench(&b);
}

static void packings_of_too_many_points_are_refused(void **state)
{
    (void)state;
    params p;
    make_hexagonal(&p, 0, 0);
    set_int(&p, "nx", 1000000000);
    assert_refused(&p, "nx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_hold_all_pairs),
        cmocka_unit_test(lists_follow_what_moves),
        cmocka_unit_test(points_are_found_around_any_place),
        cmocka_unit_test(too_little_room_is_told),
        cmocka_unit_test(the_lists_do_not_depend_on_threads),
        cmocka_unit_test(nothing_is_allocated_when_warm),
        cmocka_unit_test(stray_points_do_not_widen_the_cells),
        cmocka_unit_test(memory_follows_the_number_of_points),
        cmocka_unit_test(pairs_at_the_radius_are_found_across_cells),
        cmocka_unit_test(positions_that_are_no_numbers_are_refused),
        cmocka_unit_test(radii_without_sense_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(hexagonal_points_have_twelve_neighbours),
        cmocka_unit_test(displacements_have_their_variance_and_length),
        cmocka_unit_test(packings_of_too_many_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
