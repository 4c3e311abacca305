/*
 * Reused neighbour lists, and the order of rows.
 */
#include "test.h"

#include "search_cases.h"

static void open_kept(rig *r, const char *method, const mo_domain *domain, double skin, int threads)
{
    open_rig_empty(r, domain, threads);
    set_defaults(&r->method, mo_family_find(&mo_searches, method));
    set_real(&r->method, "skin", skin);
    create(r);
}

/* Every pair within the radius at the current positions is in the list. */
static void assert_none_missed(const rig *r, double radius)
{
    const mo_lists *lists = mo_search_lists(r->search, 0, 0);
    const mo_halo *p = mo_search_halo(r->search, 0);
    static uint8_t listed[4 * POINTS_MAX];
    for (int64_t row = 0; row < p->owned; ++row) {
        mo_vec3 here = mo_vec3_load(p->x + 3 * row);
        memset(listed, 0, sizeof listed);
        for (int32_t k = 0; k < lists->count[row]; ++k) {
            listed[lists->index[lists->start[row] + k]] = 1;
        }
        for (int64_t j = 0; j < p->count; ++j) {
            if (j != row && mo_search_within(p->x + 3 * j, here, radius * radius)) {
                assert_true(listed[j]);
            }
        }
    }
}

/* All points have the same speed, in directions that change occasionally; some approach each
 * other. */
static void drive(cloud *c, double way, int step)
{
    for (int64_t row = 0; row < c->count; ++row) {
        uint64_t random = (uint64_t)(row + 1000 * (step / 5));
        mo_vec3 unit = random_unit_vec3(&random);
        if (row % 2) { /* towards the one before */
            mo_vec3 d = mo_sub(at(c, row - 1), at(c, row));
            unit = mo_unit(d, unit);
        }
        mo_vec3_store(c->x + 3 * row, mo_add_scaled(at(c, row), way, unit));
    }
}

static const mo_domain BOX = {
    .periodic = {true, true, true}, .low = {-1, -1, -1}, .high = {1, 1, 1}};

static void kept_lists_never_miss_a_pair(void **state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        static const double WAYS[] = {0.049999, 0.01, 0.0511};
        cloud *c = make_random(300, 1, 3);
        rig r;
        open_kept(&r, "verlet_list", k < 3 ? NULL : &BOX, 0.1, 2);
        add_cloud(&r, c, 0.3, MO_LISTS_FULL);
        int builds = 0;
        for (int step = 0; step < 60; ++step) {
            builds += update(&r);
            if (mo_search_age(r.search) == 0) {
                assert_lists_right(&r, 0, 0);
            }
            assert_none_missed(&r, 0.3);
            drive(c, WAYS[k % 3], step);
        }
        assert_true(k % 3 == 2 ? builds == 60 : builds > 1 && builds < 45);
        close_rig(&r);
        free(c);
    }
}

/* One point moves along a line: the rebuild occurs in the first step beyond half the skin, not
 * before. */
static void a_build_comes_exactly_in_time(void **state)
{
    (void)state;
    cloud *c = make_random(100, 1, 3);
    rig r;
    open_kept(&r, "verlet_list", NULL, 0.1, 1);
    add_cloud(&r, c, 0.3, MO_LISTS_FULL);
    double start = c->x[3 * 57];
    assert_true(update(&r));
    for (int step = 1; step <= 49; ++step) {
        c->x[3 * 57] = start + 0.001 * step;
        assert_false(update(&r));
        assert_int_equal(mo_search_age(r.search), step);
        assert_near(mo_search_built(r.search, 0)[3 * 57], start, 0);
    }
    c->x[3 * 57] = start + 0.0501;
    assert_true(update(&r));
    assert_near(mo_search_built(r.search, 0)[3 * 57], c->x[3 * 57], 0);
    assert_int_equal(mo_search_age(r.search), 0);
    c->count--; /* another number of rows is a build */
    assert_true(update(&r));
    assert_int_equal(mo_search_set_radius(r.search, 0, 0.2, NULL), MOTE_OK);
    assert_true(update(&r));
    assert_false(update(&r));
    close_rig(&r);
    free(c);
}

/* Queries are exact for any displacement since the build. */
static void queries_between_builds_are_exact(void **state)
{
    (void)state;
    static int32_t found[POINTS_MAX];
    static const char *const METHODS[] = {"verlet_list", "cached"};
    uint64_t random = 4;
    for (int m = 0; m < 2; ++m) {
        cloud *c = make_random(400, 1, 3);
        rig r;
        open_kept(&r, METHODS[m], NULL, 0.1, 1);
        add_cloud(&r, c, 0.3, MO_LISTS_FULL);
        for (int step = 0; step < 20; ++step) {
            update(&r);
            for (int q = 0; q < 20; ++q) {
                mo_vec3 p = random_vec3(&random, 1);
                double radius = random_between(&random, 0, 0.4);
                int64_t count = mo_search_near(r.search, 0, p, radius, found, POINTS_MAX);
                assert_all_found(&r, c->count, c->x, p, -1, radius, found, count);
            }
            drive(c, 0.02, step);
        }
        close_rig(&r);
        free(c);
    }
}

static void cached_lists_are_built_every_so_many_steps(void **state)
{
    (void)state;
    cloud *c = make_random(200, 1, 3);
    rig r;
    open_kept(&r, "cached", NULL, 0, 1); /* 10 steps */
    add_cloud(&r, c, 0.3, MO_LISTS_FULL);
    for (int step = 0; step < 35; ++step) {
        assert_int_equal(update(&r), step % 10 == 0);
        drive(c, 0.1, step);
    }
    close_rig(&r);
    free(c);
}

static void late_lists_are_detected(void **state)
{
    (void)state;
    cloud *c = make_random(200, 1, 3);
    mote_error error = {0};
    rig r;
    open_rig_empty(&r, NULL, 1);
    set_defaults(&r.method, mo_family_find(&mo_searches, "cached"));
    set_real(&r.method, "skin", 0.1);
    set_bool(&r.method, "check", true);
    create(&r);
    add_cloud(&r, c, 0.3, MO_LISTS_FULL);
    mo_search_set set = {c->count, c->x};
    assert_true(update(&r));
    drive(c, 0.03, 1);
    assert_false(update(&r));
    c->x[0] += 0.1;
    assert_int_equal(mo_search_update(r.search, &set, r.pool, NULL, &error), MOTE_ERROR_NUMERIC);
    assert_non_null(strstr(error.text, "skin"));
    close_rig(&r);
    free(c);
}

/* A search resumed from the positions of another's last build continues identically. */
static void a_run_resumes_at_its_last_step(void **state)
{
    (void)state;
    static const char *const METHODS[] = {"verlet_list", "cached", "grid"};
    for (int m = 0; m < 6; ++m) {
        cloud *c = make_random(300, 1, 3);
        double built[900 + 1];
        rig r[2];
        for (int k = 0; k < 2; ++k) {
            open_rig_empty(&r[k], m % 2 ? &BOX : NULL, 1 + k);
            set_defaults(&r[k].method, mo_family_find(&mo_searches, METHODS[m / 2]));
            create(&r[k]);
            add_cloud(&r[k], c, 0.3, MO_LISTS_FULL);
        }
        for (int step = 0; step < 37; ++step) {
            update(&r[0]);
            drive(c, 0.004, step);
        }
        memcpy(built, mo_search_built(r[0].search, 0), sizeof built - sizeof *built);
        mo_search_set then = {c->count, built}, now = {c->count, c->x};
        assert_int_equal(
            mo_search_resume(r[1].search, &then, mo_search_age(r[0].search), &now, r[1].pool, NULL),
            MOTE_OK);
        for (int step = 37; step < 90; ++step) {
            drive(c, 0.004, step);
            assert_int_equal(update(&r[0]), update(&r[1]));
            const mo_lists *a = mo_search_lists(r[0].search, 0, 0),
                           *b = mo_search_lists(r[1].search, 0, 0);
            assert_memory_equal(a->count, b->count, (size_t)a->rows * sizeof *a->count);
            for (int64_t row = 0; row < a->rows; ++row) {
                assert_memory_equal(a->index + a->start[row], b->index + b->start[row],
                                    (size_t)a->count[row] * sizeof *a->index);
            }
        }
        close_rig(&r[0]);
        close_rig(&r[1]);
        free(c);
    }
}

static void lists_are_not_kept_over_kept_lists(void **state)
{
    (void)state;
    params p, inner;
    set_defaults(&p, mo_family_find(&mo_searches, "cached"));
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    set_defaults(&inner, mo_family_find(&mo_searches, "verlet_list"));
    mo_method over = method_of(&inner);
    memcpy(param_at(&p, "over", MO_METHOD, false), &over, sizeof over);
    assert_refused(&p, "over");
}

/* ---- the order of rows ---- */

/* The mean distance in memory of neighbours in space. */
static double mean_jump(const cloud *c, const int64_t *order)
{
    static int64_t slot[POINTS_MAX];
    double sum = 0, pairs = 0;
    for (int64_t k = 0; k < c->count; ++k) {
        slot[order[k]] = k;
    }
    for (int64_t i = 0; i < c->count; ++i) {
        for (int64_t j = 0; j < i; ++j) {
            if (mo_search_within(c->x + 3 * i, at(c, j), 0.15 * 0.15)) {
                sum += fabs((double)(slot[i] - slot[j]));
                pairs += 1;
            }
        }
    }
    return sum / pairs;
}

static void an_order_brings_neighbors_together(void **state)
{
    (void)state;
    cloud *c = make_random(4000, 1, 3);
    static int64_t order[POINTS_MAX], plain[POINTS_MAX];
    static uint8_t seen[POINTS_MAX];
    rig r;
    open_rig_empty(&r, NULL, 2);
    for (int64_t k = 0; k < c->count; ++k) {
        plain[k] = k;
    }
    assert_int_equal(mo_search_order(&r.memory, c->count, c->x, 0.15, r.pool, order, NULL),
                     MOTE_OK);
    for (int64_t k = 0; k < c->count; ++k) {
        assert_true(order[k] >= 0 && order[k] < c->count && !seen[order[k]]);
        seen[order[k]] = 1;
    }
    assert_true(mean_jump(c, order) < 0.25 * mean_jump(c, plain));
    c->x[7] = (double)NAN;
    assert_int_equal(mo_search_order(&r.memory, c->count, c->x, 0.15, r.pool, order, NULL),
                     MOTE_ERROR_NUMERIC);
    assert_int_equal(mo_search_order(&r.memory, 0, c->x, 0.15, r.pool, order, NULL), MOTE_OK);
    close_rig(&r);
    free(c);
}

/* Along the curve, of two cells that differ the one with the lower highest different bit comes
 * first: here the eight corners of a cube in the order of x, then y, then z. */
static void the_order_is_mortons(void **state)
{
    (void)state;
    cloud *c = calloc(1, sizeof *c);
    int64_t order[8];
    rig r;
    open_rig_empty(&r, NULL, 1);
    for (int k = 7; k >= 0; --k) {
        put(c, mo_vec3_make(k & 1, k >> 1 & 1, k >> 2));
    }
    assert_int_equal(mo_search_order(&r.memory, 8, c->x, 0.9, r.pool, order, NULL), MOTE_OK);
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(order[k], 7 - k);
    }
    close_rig(&r);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_lists_never_miss_a_pair),
        cmocka_unit_test(a_build_comes_exactly_in_time),
        cmocka_unit_test(queries_between_builds_are_exact),
        cmocka_unit_test(cached_lists_are_built_every_so_many_steps),
        cmocka_unit_test(late_lists_are_detected),
        cmocka_unit_test(a_run_resumes_at_its_last_step),
        cmocka_unit_test(lists_are_not_kept_over_kept_lists),
        cmocka_unit_test(an_order_brings_neighbors_together),
        cmocka_unit_test(the_order_is_mortons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
