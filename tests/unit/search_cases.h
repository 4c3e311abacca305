/*
 * Point clouds for tests of the neighbour search, a search over them, and brute-force results.
 */
#ifndef TEST_SEARCH_CASES_H
#define TEST_SEARCH_CASES_H

#include "failing_allocator.h"
#include "neighbor/search.h"
#include "numbers.h"
#include "set_param.h"

/* ---- points ---- */

enum { POINTS_MAX = 9000 };

typedef struct cloud {
    int64_t count;
    double x[3 * POINTS_MAX + 1];
} cloud;

static inline void put(cloud *c, mo_vec3 p)
{
    assert_true(c->count < POINTS_MAX);
    mo_vec3_store(c->x + 3 * c->count++, p);
}

static inline mo_vec3 at(const cloud *c, int64_t row)
{
    return mo_vec3_load(c->x + 3 * row);
}

static inline void uniform(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        put(c, random_vec3(random, 1));
    }
}

static inline void clustered(cloud *c, uint64_t *random)
{
    for (int cluster = 0; cluster < 9; ++cluster) {
        mo_vec3 center = random_vec3(random, 50);
        for (int k = 0; k < 100; ++k) {
            put(c, mo_add(center, random_vec3(random, 0.3)));
        }
    }
}

static inline void planar(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        mo_vec3 p = random_vec3(random, 3);
        put(c, mo_vec3_make(p.x, 2.5, p.z));
    }
}

/* On an inclined line, unsorted. */
static inline void collinear(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        put(c, mo_scale(random_between(random, -40, 40), mo_vec3_make(0.1, -1, 0.7)));
    }
}

static inline void coincident(cloud *c, uint64_t *random)
{
    for (int slot = 0; slot < 7; ++slot) {
        mo_vec3 p = random_vec3(random, 1);
        for (int k = 0; k < 60; ++k) {
            put(c, p);
        }
    }
}

static inline void all_in_one_point(cloud *c, uint64_t *random)
{
    (void)random;
    for (int k = 0; k < 300; ++k) {
        put(c, mo_vec3_make(-3, 1e5, 0.1));
    }
}

/* Many distances are 0.1 up to rounding, at cell boundaries. */
static inline void lattice(cloud *c, uint64_t *random)
{
    (void)random;
    for (int k = 0; k < 1000; ++k) {
        put(c, mo_vec3_make(0.1 * (k % 10), 0.1 * (k / 10 % 10) - 7, 0.1 * (k / 100 % 10) + 0.3));
    }
}

/* Pairs at exactly the radius, up to float resolution. */
static inline void on_spheres(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 30; ++k) {
        mo_vec3 center = random_vec3(random, 3);
        put(c, center);
        for (int s = 0; s < 30; ++s) {
            double radius = 0.5 * (1 + random_between(random, -1, 1) * (s % 3 == 0 ? 1e-15 : 1e-7));
            put(c, mo_add_scaled(center, radius, random_unit_vec3(random)));
        }
    }
}

static inline void single(cloud *c, uint64_t *random)
{
    put(c, random_vec3(random, 1));
}

static inline void couple(cloud *c, uint64_t *random)
{
    put(c, random_vec3(random, 1));
    put(c, random_vec3(random, 1));
}

static inline void empty(cloud *c, uint64_t *random)
{
    (void)c;
    (void)random;
}

/* Pairs close together, 1e9 from all others. */
static inline void huge(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 400; ++k) {
        mo_vec3 p = random_vec3(random, 1e9);
        put(c, p);
        put(c, mo_add(p, random_vec3(random, 1)));
    }
}

/* One cluster, and a few outliers. */
static inline void stray(cloud *c, uint64_t *random)
{
    for (int k = 0; k < 900; ++k) {
        put(c, k % 300 == 17 ? random_vec3(random, 1e9) : random_vec3(random, 5));
    }
    put(c, mo_vec3_make(1e140, -1e140, 0));
    put(c, mo_vec3_make(1e140, -1e140, 0.5));
}

enum { RADII = 5 };
static const struct {
    void (*make)(cloud *c, uint64_t *random);
    double radius[RADII];
} CASES[] = {
    {uniform, {0.02, 0.1, 0.4, 10, 1e-150}},
    {clustered, {0.01, 0.1, 0.5, 20, 1e6}},
    {planar, {0.05, 0.2, 1, 1e-9, 1e9}},
    {collinear, {0.001, 0.1, 5, 100, 1e-12}},
    {coincident, {1e-100, 1e-3, 0.5, 5, 1e150}},
    {all_in_one_point, {1e-150, 1e-3, 1, 1e3, 1e150}},
    {lattice, {0.1, 0.2, 0.30000000000000004, 0.05, 3}},
    {on_spheres, {0.5, 0.50000000000000011, 0.5000001, 0.25, 1}},
    {single, {1e-150, 0.1, 1, 10, 1e150}},
    {couple, {1e-3, 0.5, 1, 2, 10}},
    {empty, {1e-3, 0.1, 1, 10, 1e3}},
    {huge, {1e-9, 0.5, 2, 1e8, 4e9}},
    {stray, {0.1, 0.6, 3, 100, 3e9}},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static inline cloud *make_cloud(int which)
{
    uint64_t random = (uint64_t)which;
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    CASES[which].make(c, &random);
    return c;
}

static inline cloud *make_random(int64_t count, double size, uint64_t seed)
{
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (int64_t k = 0; k < count; ++k) {
        put(c, random_vec3(&seed, size));
    }
    return c;
}

/* ---- a search over clouds ---- */

typedef struct rig {
    failing_allocator allocator;
    mo_memory memory;
    mo_pool *pool;
    params method;
    mo_domain domain;
    mo_search *search;
    int sets;
    cloud *cloud[MO_SEARCH_SETS_MAX];
    double radius[MO_SEARCH_SETS_MAX];
} rig;

/* A method's parameters at their defaults; lists with a skin get one. */
static inline void set_defaults(params *p, const mo_descriptor *type)
{
    clear_params(p, type);
    for (const mo_param *q = type->params; q->name; ++q) {
        if (!q->initial && !q->required) {
            continue;
        }
        if (q->type == MO_REAL) {
            bool kept = strcmp(type->name, "verlet_list") == 0;
            set_real(p, q->name, kept ? 0.05 : strtod(q->initial, NULL));
        } else if (q->type == MO_INT) {
            set_int(p, q->name, strtoll(q->initial, NULL, 10));
        } else if (q->type == MO_METHOD) {
            mo_method over = {mo_family_find(q->family, "grid"), NULL};
            memcpy(p->bytes + q->offset, &over, sizeof over);
        } else if (q->type == MO_BOOL) {
            set_bool(p, q->name, strcmp(q->initial, "true") == 0);
        } else {
            fail_msg("'%s.%s': say here what its default is", type->name, q->name);
        }
    }
}

/* Without a search as yet. */
static inline void open_rig_empty(rig *r, const mo_domain *domain, int threads)
{
    *r = (rig){0};
    r->memory = failing_memory(&r->allocator, -1);
    r->domain = domain ? *domain : (mo_domain){0};
    assert_int_equal(mo_pool_create(&r->memory, threads, &r->pool, NULL), MOTE_OK);
}

static inline void create(rig *r)
{
    assert_int_equal(
        mo_search_create(method_of(&r->method), &r->domain, &r->memory, &r->search, NULL), MOTE_OK);
}

static inline void open_rig(rig *r, int method, const mo_domain *domain, int threads)
{
    open_rig_empty(r, domain, threads);
    set_defaults(&r->method, mo_searches.methods[method]);
    create(r);
}

static inline void close_rig(rig *r)
{
    mo_search_destroy(r->search);
    mo_pool_destroy(r->pool);
    assert_all_given_back(&r->allocator, &r->memory);
}

static inline int add_cloud(rig *r, cloud *c, double radius, mo_lists_kind kind)
{
    int set;
    /* a skin beyond the largest radius is rejected; the radii of the others are as requested */
    assert_int_equal(mo_search_add_set(r->search, radius, &set, NULL), MOTE_OK);
    assert_int_equal(mo_search_ask(r->search, set, set, kind, NULL), MOTE_OK);
    r->cloud[set] = c;
    r->radius[set] = radius;
    r->sets = set + 1;
    return set;
}

static inline bool update(rig *r)
{
    mo_search_set sets[MO_SEARCH_SETS_MAX];
    mote_error error = {0};
    bool built;
    for (int k = 0; k < r->sets; ++k) {
        sets[k] = (mo_search_set){r->cloud[k]->count, r->cloud[k]->x};
    }
    if (mo_search_update(r->search, sets, r->pool, &built, &error) != MOTE_OK) {
        fail_msg("%s: %s", r->method.type->name, error.text);
    }
    return built;
}

/* ---- all pairs ---- */

static inline int compare_rows(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* `found` are exactly the rows of the first `count` positions x around p without `except`, in
 * any order. */
static inline void assert_all_found(const rig *r, int64_t count, const double *x, mo_vec3 p,
                                    int64_t except, double radius, const int32_t *found,
                                    int64_t number)
{
    static int32_t sorted[4 * POINTS_MAX];
    int64_t k = 0;
    assert_true(number <= count);
    if (number > 0) {
        memcpy(sorted, found, (size_t)number * sizeof *sorted);
    }
    qsort(sorted, (size_t)number, sizeof *sorted, compare_rows);
    for (int64_t row = 0; row < count; ++row) {
        if (row != except && mo_search_within(x + 3 * row, p, radius * radius)) {
            if (k >= number || sorted[k] != row) {
                fail_msg("%s: row %lld was missed, or another was found, around %lld, radius %g",
                         r->method.type->name, (long long)row, (long long)except, radius);
            }
            ++k;
        }
    }
    assert_int_equal(k, number);
}

/* Lists against all pairs of particles, right after a build. */
static inline void assert_lists_right(const rig *r, int from, int to)
{
    const mo_lists *lists = mo_search_lists(r->search, from, to);
    const mo_halo *a = mo_search_halo(r->search, from), *b = mo_search_halo(r->search, to);
    int64_t pairs = 0;
    assert_non_null(lists);
    assert_int_equal(lists->rows, a->owned);
    for (int64_t row = 0; row < a->owned; ++row) {
        const int32_t *list = lists->index + lists->start[row];
        int32_t count = lists->count[row];
        assert_int_equal(lists->start[row] % 8, 0);
        assert_all_found(r, b->count, b->x, mo_vec3_load(a->x + 3 * row), from == to ? row : -1,
                         mo_search_reach(r->search, from), list, count);
        for (int32_t k = count; k % 8; ++k) {
            assert_int_equal(list[k], from == to ? row : 0);
        }
        pairs += count;
    }
    assert_int_equal(lists->pairs, pairs);
}

#endif
