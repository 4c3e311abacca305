/*
 * Neighbours by every method of the family `search` compared with brute force, on regular and
 * degenerate points. Every listed method is tested.
 */
#include "test.h"

#include "../unit/search_cases.h"

#include <stdio.h>

static const int THREADS[] = {1, 2, 3, 8};

/* Calls a test with every method. */
#define FOR_METHODS(m) for (int m = 0; m < mo_searches.count; ++m)

static void lists_have_all_pairs(void **state)
{
    (void)state;
    FOR_METHODS(m)
    {
        for (int k = 0; k < CASE_COUNT * RADII; ++k) {
            cloud *c = make_cloud(k / RADII);
            rig r;
            open_rig(&r, m, NULL, 1);
            add_cloud(&r, c, CASES[k / RADII].radius[k % RADII], MO_LISTS_FULL);
            assert_true(update(&r));
            assert_lists_right(&r, 0, 0);
            close_rig(&r);
            free(c);
        }
    }
}

/* The grid with other widths than the default. */
static void cells_of_any_width_find_the_same(void **state)
{
    (void)state;
    static const double WIDTHS[] = {0.25, 0.3, 0.5, 0.7, 1.5, 2, 4};
    for (int k = 0; k < CASE_COUNT * 7; ++k) {
        cloud *c = make_cloud(k / 7);
        for (int n = 0; n < 3; ++n) {
            rig r;
            open_rig_empty(&r, NULL, 1);
            clear_params_of(&r.method, &mo_searches, "grid");
            set_real(&r.method, "width", WIDTHS[k % 7]);
            create(&r);
            add_cloud(&r, c, CASES[k / 7].radius[n], MO_LISTS_FULL);
            update(&r);
            assert_lists_right(&r, 0, 0);
            close_rig(&r);
        }
        free(c);
    }
}

/* More points around a cell than the grid's buffer. */
static void full_cells_are_searched(void **state)
{
    (void)state;
    cloud *c = make_random(9000, 1, 6);
    rig r;
    open_rig_empty(&r, NULL, 2);
    clear_params_of(&r.method, &mo_searches, "grid");
    set_real(&r.method, "width", 1);
    create(&r);
    add_cloud(&r, c, 0.68, MO_LISTS_FULL);
    update(&r);
    assert_lists_right(&r, 0, 0);
    close_rig(&r);
    free(c);
}

/* ---- several sets, half lists ---- */

static void sets_with_radii_of_their_own(void **state)
{
    (void)state;
    FOR_METHODS(m)
    {
        for (int size = 1; size <= 3; ++size) {
            cloud *a = make_random(300, 1, 1), *b = make_random(500, size - 0.5, 2),
                  *e = make_cloud(10);
            rig r;
            open_rig(&r, m, NULL, 2);
            add_cloud(&r, a, 0.2, MO_LISTS_FULL);
            add_cloud(&r, b, 0.35, MO_LISTS_NONE);
            add_cloud(&r, e, 0.1, MO_LISTS_FULL);
            assert_null(mo_search_lists(r.search, 0, 1));
            for (int k = 0; k < 9; ++k) {
                assert_int_equal(mo_search_ask(r.search, k / 3, k % 3, MO_LISTS_FULL, NULL),
                                 MOTE_OK);
            }
            assert_true(update(&r));
            for (int k = 0; k < 9; ++k) {
                assert_lists_right(&r, k / 3, k % 3);
            }
            close_rig(&r);
            free(a);
            free(b);
            free(e);
        }
    }
}

/* Each pair once, with its lower row, and the others dropped. */
static void assert_half_of(const rig *half, const rig *full)
{
    const mo_lists *h = mo_search_lists(half->search, 0, 0),
                   *f = mo_search_lists(full->search, 0, 0);
    const mo_halo *p = mo_search_halo(full->search, 0);
    assert_int_equal(2 * h->pairs, f->pairs);
    for (int64_t row = 0; row < h->rows; ++row) {
        int32_t kept = 0;
        for (int32_t k = 0; k < f->count[row]; ++k) {
            int32_t j = f->index[f->start[row] + k], whose = (int32_t)mo_halo_row(p, j);
            if (whose > row) {
                assert_true(kept < h->count[row]);
                assert_int_equal(h->index[h->start[row] + kept++], j);
            }
        }
        assert_int_equal(kept, h->count[row]);
        for (int32_t k = kept; k % 8; ++k) {
            assert_int_equal(h->index[h->start[row] + k], row);
        }
    }
}

static void half_lists_have_each_pair_once(void **state)
{
    (void)state;
    static const mo_domain BOX = {
        .periodic = {true, false, true}, .low = {-1, 0, -1}, .high = {1, 0, 1}};
    mote_error error;
    FOR_METHODS(m)
    {
        for (int periodic = 0; periodic < 2; ++periodic) {
            cloud *c = make_random(700, 1, 9);
            rig r[2];
            for (int k = 0; k < 2; ++k) {
                open_rig(&r[k], m, periodic ? &BOX : NULL, 3);
                add_cloud(&r[k], c, 0.3, k ? MO_LISTS_FULL : MO_LISTS_HALF);
                update(&r[k]);
            }
            assert_half_of(&r[0], &r[1]);
            int other;
            assert_int_equal(mo_search_add_set(r[0].search, 0.3, &other, NULL), MOTE_OK);
            assert_int_equal(mo_search_ask(r[0].search, 0, other, MO_LISTS_HALF, &error),
                             MOTE_ERROR_INPUT);
            close_rig(&r[0]);
            close_rig(&r[1]);
            free(c);
        }
    }
}

/* ---- periods ---- */

/* The distance of nearest images, from unwrapped positions. */
static double image_distance(const mo_domain *d, mo_vec3 a, mo_vec3 b)
{
    double delta[3] = {a.x - b.x, a.y - b.y, a.z - b.z}, sum = 0;
    for (int k = 0; k < 3; ++k) {
        double period = d->high[k] - d->low[k];
        delta[k] -= d->periodic[k] ? period * floor(delta[k] / period + 0.5) : 0;
        sum += delta[k] * delta[k];
    }
    return sqrt(sum);
}

/* The rows within, by owners; pairs within a rounding error of the radius are ambiguous. */
static void assert_images_right(const rig *r, double radius)
{
    const mo_lists *lists = mo_search_lists(r->search, 0, 0);
    const mo_halo *p = mo_search_halo(r->search, 0);
    const cloud *c = r->cloud[0];
    static uint8_t seen[POINTS_MAX];
    for (int64_t row = 0; row < c->count; ++row) {
        memset(seen, 0, sizeof seen);
        for (int32_t k = 0; k < lists->count[row]; ++k) {
            int32_t j = lists->index[lists->start[row] + k], whose = (int32_t)mo_halo_row(p, j);
            mo_vec3 d = mo_sub(mo_vec3_load(p->x + 3 * (int64_t)j), mo_vec3_load(p->x + 3 * row));
            assert_near(mo_length(d), image_distance(&r->domain, at(c, row), at(c, whose)), 1e-9);
            assert_int_not_equal(whose, row);
            seen[whose]++;
        }
        for (int64_t j = 0; j < c->count; ++j) {
            double distance = image_distance(&r->domain, at(c, row), at(c, j));
            if (j != row && fabs(distance - radius) > 1e-9) {
                assert_int_equal(seen[j], distance < radius);
            }
        }
    }
}

/* Positions far outside the box, by whole periods and more. */
static cloud *make_wandering(const mo_domain *d, uint64_t random)
{
    cloud *c = make_random(400, 0.5, random);
    for (int64_t row = 0; row < c->count; ++row) {
        for (int k = 0; k < 3; ++k) {
            double period = d->high[k] - d->low[k];
            double *x = &c->x[3 * row + k];
            *x = d->periodic[k] ? d->low[k] + (*x + 0.5) * period +
                                      period * (double)random_below(&random, 9) - 4
                                : *x;
        }
    }
    mo_vec3_store(c->x, mo_vec3_make(d->low[0], d->low[1], d->low[2])); /* the very corners */
    mo_vec3_store(c->x + 3, mo_vec3_make(d->high[0], d->high[1], d->high[2]));
    return c;
}

static void periods_along_any_axes(void **state)
{
    (void)state;
    FOR_METHODS(m)
    {
        for (int axes = 1; axes < 8; ++axes) {
            mo_domain d = {.periodic = {axes & 1, axes & 2, axes & 4},
                           .low = {-1, 2, 0.3},
                           .high = {1.1, 3.7, 1.9}};
            static const double RADII_OF_BOX[] = {0.05, 0.3, 0.74};
            for (int n = 0; n < 3; ++n) {
                cloud *c = make_wandering(&d, (uint64_t)axes);
                rig r;
                open_rig(&r, m, &d, 2);
                add_cloud(&r, c, RADII_OF_BOX[n], MO_LISTS_FULL);
                update(&r);
                assert_lists_right(&r, 0, 0);
                assert_images_right(&r, mo_search_reach(r.search, 0));
                close_rig(&r);
                free(c);
            }
        }
    }
}

static void radii_beyond_half_a_period_are_refused(void **state)
{
    (void)state;
    mo_domain d = {.periodic = {false, true, false}, .low = {0, -1, 0}, .high = {0, 1, 0}};
    rig r;
    int set;
    mote_error error = {0};
    open_rig_empty(&r, &d, 1);
    clear_params_of(&r.method, &mo_searches, "brute_force");
    create(&r);
    assert_int_equal(mo_search_add_set(r.search, 1.001, &set, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "half the period along y"));
    assert_int_equal(mo_search_add_set(r.search, 1, &set, &error), MOTE_OK);
    assert_int_equal(mo_search_set_radius(r.search, set, 2, &error), MOTE_ERROR_INPUT);
    for (int k = 0; k < 3; ++k) {
        static const double BAD[] = {0, -1, (double)NAN};
        assert_int_equal(mo_search_add_set(r.search, BAD[k], &set, &error), MOTE_ERROR_INPUT);
    }
    close_rig(&r);
    d.high[1] = d.low[1];
    mo_search *none;
    assert_int_equal(mo_search_create(method_of(&r.method), &d, &r.memory, &none, &error),
                     MOTE_ERROR_INPUT);
}

static void other_columns_follow_the_images(void **state)
{
    (void)state;
    mo_domain d = {.periodic = {true, true, true}, .low = {0, 0, 0}, .high = {1, 1, 1}};
    cloud *c = make_random(200, 1, 3);
    rig r;
    open_rig(&r, 0, &d, 2);
    add_cloud(&r, c, 0.2, MO_LISTS_FULL);
    update(&r);
    const mo_halo *p = mo_search_halo(r.search, 0);
    double *column = calloc((size_t)p->count * 2, sizeof *column);
    assert_true(p->count > p->owned);
    for (int64_t k = 0; k < 2 * p->owned; ++k) {
        column[k] = (double)k;
    }
    mo_halo_update_f64(p, column, 2, r.pool);
    for (int64_t k = p->owned; k < p->count; ++k) {
        assert_near(column[2 * k + 1], 2 * p->owner[k - p->owned] + 1, 0);
    }
    free(column);
    close_rig(&r);
    free(c);
}

/* ---- invalid positions ---- */

static void invalid_positions_are_refused(void **state)
{
    (void)state;
    static const double BAD[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e151};
    FOR_METHODS(m)
    {
        for (int k = 0; k < 4 * 3; ++k) {
            cloud *c = make_random(4099, 1, 7);
            int64_t row = k % 3 == 0 ? 0 : k % 3 == 1 ? 4098 : 1237;
            rig r;
            mote_error error = {0};
            char number[40];
            open_rig(&r, m, NULL, 1);
            add_cloud(&r, c, 0.01, MO_LISTS_FULL);
            c->x[3 * row + k % 3] = BAD[k / 3];
            mo_search_set set = {c->count, c->x};
            assert_int_equal(mo_search_update(r.search, &set, r.pool, NULL, &error),
                             MOTE_ERROR_NUMERIC);
            snprintf(number, sizeof number, "particle %lld ", (long long)row);
            assert_non_null(strstr(error.text, number));
            close_rig(&r);
            free(c);
        }
    }
}

/* ---- queries ---- */

/* Query positions: in the cloud, around it, far away. */
static mo_vec3 some_position(const cloud *c, int k, uint64_t *random)
{
    mo_vec3 p = c->count ? at(c, random_below(random, c->count)) : mo_vec3_make(0, 0, 0);
    double size = k % 4 == 1 ? 0.3 : k % 4 == 2 ? 3 : 0;
    p = mo_add(p, random_vec3(random, size));
    return k % 16 == 3 ? mo_scale(1e5, p) : p;
}

static void points_are_found_around_any_place(void **state)
{
    (void)state;
    static int32_t found[POINTS_MAX];
    uint64_t random = 5;
    FOR_METHODS(m)
    {
        for (int k = 0; k < CASE_COUNT; ++k) {
            cloud *c = make_cloud(k);
            double radius = CASES[k].radius[2];
            rig r;
            open_rig(&r, m, NULL, 1);
            add_cloud(&r, c, radius, MO_LISTS_NONE);
            update(&r);
            for (int q = 0; q < 64; ++q) { /* smaller and larger radii too */
                mo_vec3 p = some_position(c, q, &random);
                double asked = radius * (q % 5 == 0 ? 0.3 : q % 5 == 1 ? 2.5 : q % 5 == 2 ? 0 : 1);
                int64_t count = mo_search_near(r.search, 0, p, asked, found, POINTS_MAX);
                assert_all_found(&r, c->count, c->x, p, -1, asked, found, count);
                assert_int_equal(mo_search_exists(r.search, 0, p, asked), count > 0);
            }
            assert_int_equal(
                mo_search_near(r.search, 0, mo_vec3_make((double)NAN, 0, 0), radius, found, 9), 0);
            close_rig(&r);
            free(c);
        }
    }
}

static void insufficient_space_is_reported(void **state)
{
    (void)state;
    static int32_t whole[POINTS_MAX], part[POINTS_MAX];
    FOR_METHODS(m)
    {
        cloud *c = make_random(900, 1, 4);
        rig r;
        open_rig(&r, m, NULL, 1);
        add_cloud(&r, c, 0.8, MO_LISTS_NONE);
        update(&r);
        int64_t count = mo_search_near(r.search, 0, at(c, 0), 0.8, whole, POINTS_MAX);
        assert_true(count > 20);
        for (int64_t capacity = 0; capacity < count + 3; capacity += capacity < 5 ? 1 : 17) {
            memset(part, 0xff, sizeof part);
            int64_t written = capacity < count ? capacity : count;
            assert_int_equal(mo_search_near(r.search, 0, at(c, 0), 0.8, part, capacity), count);
            assert_memory_equal(part, whole, (size_t)written * sizeof *part);
            assert_int_equal(part[written], -1);
        }
        close_rig(&r);
        free(c);
    }
}

typedef struct ranked {
    double square;
    int32_t row;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    return p->square != q->square ? (p->square > q->square ? 1 : -1)
                                  : (p->row > q->row) - (p->row < q->row);
}

static void assert_nearest(const rig *r, mo_vec3 p, int64_t k)
{
    static ranked all[POINTS_MAX];
    static int32_t out[POINTS_MAX];
    static double square[POINTS_MAX];
    const cloud *c = r->cloud[0];
    for (int64_t row = 0; row < c->count; ++row) {
        mo_vec3 d = mo_sub(at(c, row), p);
        all[row] = (ranked){mo_dot(d, d), (int32_t)row};
    }
    qsort(all, (size_t)c->count, sizeof *all, compare_ranked);
    int64_t count = mo_search_nearest(r->search, 0, p, k, out, square);
    assert_int_equal(count, k < c->count ? k : c->count);
    for (int64_t n = 0; n < count; ++n) {
        if (out[n] != all[n].row || !same_bits(square[n], all[n].square)) {
            fail_msg("%s: neighbour %lld of %lld is %d, not %d", r->method.type->name, (long long)n,
                     (long long)k, out[n], all[n].row);
        }
    }
}

static void the_nearest_come_in_order(void **state)
{
    (void)state;
    uint64_t random = 8;
    static const int64_t NUMBERS[] = {0, 1, 2, 7, 50, 899, 900, 5000};
    FOR_METHODS(m)
    {
        for (int k = 0; k < CASE_COUNT; ++k) {
            cloud *c = make_cloud(k);
            rig r;
            open_rig(&r, m, NULL, 1);
            add_cloud(&r, c, CASES[k].radius[1], MO_LISTS_NONE);
            update(&r);
            for (int q = 0; q < 32; ++q) {
                assert_nearest(&r, some_position(c, q, &random), NUMBERS[q % 8]);
            }
            close_rig(&r);
            free(c);
        }
    }
}

static void queries_in_periodic_domains_know_images(void **state)
{
    (void)state;
    static int32_t found[POINTS_MAX];
    static double square[POINTS_MAX];
    mo_domain d = {.periodic = {true, true, false}, .low = {-1, 2, 0}, .high = {1, 5, 0}};
    uint64_t random = 6;
    FOR_METHODS(m)
    {
        cloud *c = make_wandering(&d, 11);
        rig r;
        open_rig(&r, m, &d, 1);
        add_cloud(&r, c, 0.4, MO_LISTS_NONE);
        update(&r);
        for (int q = 0; q < 60; ++q) {
            mo_vec3 p = random_vec3(&random, 4);
            double radius = q % 3 == 0 ? 0.4 : q % 3 == 1 ? 0.2 : 3;
            int64_t expected = 0, count = mo_search_near(r.search, 0, p, radius, found, POINTS_MAX);
            for (int64_t row = 0; row < c->count; ++row) {
                expected += image_distance(&d, p, at(c, row)) <= radius;
            }
            assert_int_equal(count, expected);
            for (int64_t k = 0; k < count; ++k) {
                assert_true(image_distance(&d, p, at(c, found[k])) <= radius + 1e-9);
            }
            count = mo_search_nearest(r.search, 0, p, 5, found, square);
            assert_int_equal(count, 5);
            for (int64_t row = 0, nearer = 0; row < c->count; ++row) {
                double distance = image_distance(&d, p, at(c, row));
                nearer += distance < sqrt(square[4]) - 1e-9;
                assert_true(nearer <= 4);
            }
        }
        close_rig(&r);
        free(c);
    }
}

/* ---- insertion, removal and motion ---- */

static void come_or_go(rig *r, uint64_t *random)
{
    cloud *c = r->cloud[0];
    if (c->count == 0 || (random_below(random, 100) < 55 && c->count < 600)) {
        put(c, c->count % 7 == 3 ? at(c, c->count / 2) : random_vec3(random, 1));
        assert_int_equal(mo_search_insert(r->search, 0, c->x, r->pool, NULL), MOTE_OK);
    } else {
        int64_t row = random_below(random, c->count);
        assert_int_equal(mo_search_remove(r->search, 0, row, c->x, r->pool, NULL), MOTE_OK);
        c->count--;
    }
}

static void points_come_go_and_move(void **state)
{
    (void)state;
    static int32_t found[POINTS_MAX];
    static const mo_domain BOX = {
        .periodic = {true, true, true}, .low = {-1, -1, -1}, .high = {1, 1, 1}};
    FOR_METHODS(m)
    {
        for (int periodic = 0; periodic < 2; ++periodic) {
            uint64_t random = 77;
            cloud *c = make_random(periodic ? 120 : 0, 1, 2);
            rig r;
            open_rig(&r, m, periodic ? &BOX : NULL, 1);
            add_cloud(&r, c, 0.3, MO_LISTS_FULL);
            update(&r);
            for (int turn = 0; turn < 1200; ++turn) {
                come_or_go(&r, &random);
                mo_vec3 p = some_position(c, 4 * turn + 1, &random);
                int64_t count = mo_search_near(r.search, 0, p, 0.3, found, POINTS_MAX);
                if (!periodic) {
                    assert_all_found(&r, c->count, c->x, p, -1, 0.3, found, count);
                    assert_nearest(&r, p, turn % 10);
                }
                if (turn % 100 == 99) {
                    for (int64_t k = 0; k < 3 * c->count; ++k) {
                        c->x[k] += random_between(&random, -0.02, 0.02);
                    }
                    update(&r);
                    /* rows were added and removed: a build */
                    assert_true(mo_search_age(r.search) == 0);
                    assert_lists_right(&r, 0, 0);
                }
            }
            assert_int_equal(mo_search_remove(r.search, 0, c->count, c->x, r.pool, NULL),
                             MOTE_ERROR_INPUT);
            close_rig(&r);
            free(c);
        }
    }
}

/* Small displacements, for structures with updates. */
static void points_that_move_are_found(void **state)
{
    (void)state;
    FOR_METHODS(m)
    {
        uint64_t random = 31;
        cloud *c = make_random(500, 1, 2);
        rig r;
        open_rig(&r, m, NULL, 2);
        add_cloud(&r, c, 0.2, MO_LISTS_FULL);
        for (int step = 0; step < 30; ++step) {
            for (int64_t k = 0; k < 3 * c->count; ++k) {
                c->x[k] += random_between(&random, -0.1, 0.1);
            }
            if (update(&r)) {
                assert_lists_right(&r, 0, 0);
            }
        }
        close_rig(&r);
        free(c);
    }
}

/* ---- the same lists on any number of threads, without allocations ---- */

static void assert_same_lists(const mo_lists *a, const mo_lists *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->pairs, b->pairs);
    assert_memory_equal(a->count, b->count, (size_t)a->rows * sizeof *a->count);
    for (int64_t row = 0; row < a->rows; ++row) {
        assert_memory_equal(a->index + a->start[row], b->index + b->start[row],
                            (size_t)((a->count[row] + 7) / 8 * 8) * sizeof *a->index);
    }
}

static void lists_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const mo_domain BOX = {
        .periodic = {true, true, false}, .low = {-1, -1, 0}, .high = {1, 1, 0}};
    FOR_METHODS(m)
    {
        rig r[4];
        cloud *c = make_random(5500, 1, 1), *other = make_random(3000, 1, 8);
        for (int t = 0; t < 4; ++t) {
            open_rig(&r[t], m, &BOX, THREADS[t]);
            add_cloud(&r[t], c, 0.11, MO_LISTS_FULL);
            add_cloud(&r[t], other, 0.2, MO_LISTS_HALF);
            assert_int_equal(mo_search_ask(r[t].search, 0, 1, MO_LISTS_FULL, NULL), MOTE_OK);
            for (int again = 0; again < 3; ++again) {
                update(&r[t]);
            }
            const mo_halo *first = mo_search_halo(r[0].search, 0),
                          *p = mo_search_halo(r[t].search, 0);
            assert_int_equal(p->count, first->count);
            assert_memory_equal(p->x, first->x, 3 * (size_t)p->count * sizeof *p->x);
            for (int k = 0; k < 3; ++k) {
                static const int FROM[] = {0, 1, 0}, TO[] = {0, 1, 1};
                assert_same_lists(mo_search_lists(r[t].search, FROM[k], TO[k]),
                                  mo_search_lists(r[0].search, FROM[k], TO[k]));
            }
        }
        for (int t = 0; t < 4; ++t) {
            close_rig(&r[t]);
        }
        free(c);
        free(other);
    }
}

/* Points move within a box; no allocation after the capacity suffices. */
static void nothing_is_allocated_after_a_while(void **state)
{
    (void)state;
    static const mo_domain BOX = {
        .periodic = {true, false, true}, .low = {-1, 0, -1}, .high = {1, 0, 1}};
    FOR_METHODS(m)
    {
        for (int periodic = 0; periodic < 2; ++periodic) {
            uint64_t random = 12;
            cloud *c = make_random(2000, 1, 5), *other = make_random(500, 1, 6);
            rig r;
            open_rig(&r, m, periodic ? &BOX : NULL, 2);
            add_cloud(&r, c, 0.2, MO_LISTS_FULL);
            add_cloud(&r, other, 0.3, MO_LISTS_HALF);
            assert_int_equal(mo_search_ask(r.search, 1, 0, MO_LISTS_FULL, NULL), MOTE_OK);
            int64_t calls = 0;
            for (int step = 0; step < 60; ++step) {
                for (int64_t k = 0; k < 3 * c->count; ++k) {
                    c->x[k] = random_between(&random, -1, 1);
                }
                update(&r);
                calls = step < 40 ? r.allocator.calls : calls;
            }
            if (r.allocator.calls != calls) {
                fail_msg("%s allocates in every build", r.method.type->name);
            }
            close_rig(&r);
            free(c);
            free(other);
        }
    }
}

/* Every allocation fails once, without leak, and the search is usable afterwards. */
static void out_of_memory_is_reported(void **state)
{
    (void)state;
    FOR_METHODS(m)
    {
        cloud *c = make_random(300, 1, 5);
        bool failed = true;
        for (int64_t fail_at = 0; failed; ++fail_at) {
            rig r;
            int set;
            open_rig_empty(&r, NULL, 1);
            set_defaults(&r.method, mo_searches.methods[m]);
            r.allocator.fail_at = r.allocator.calls + fail_at;
            mote_status status =
                mo_search_create(method_of(&r.method), NULL, &r.memory, &r.search, NULL);
            if (status == MOTE_OK) {
                status = mo_search_add_set(r.search, 0.3, &set, NULL);
            }
            if (status == MOTE_OK) {
                mo_search_set sets = {c->count, c->x};
                mo_search_ask(r.search, set, set, MO_LISTS_FULL, NULL);
                status = mo_search_update(r.search, &sets, r.pool, NULL, NULL);
                if (status != MOTE_OK) {
                    assert_int_equal(mo_search_update(r.search, &sets, r.pool, NULL, NULL),
                                     MOTE_OK);
                }
                r.sets = 1;
                r.cloud[0] = c;
                assert_lists_right(&r, 0, 0);
            }
            failed = has_failed(&r.allocator);
            assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
            close_rig(&r);
        }
        free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_have_all_pairs),
        cmocka_unit_test(cells_of_any_width_find_the_same),
        cmocka_unit_test(full_cells_are_searched),
        cmocka_unit_test(sets_with_radii_of_their_own),
        cmocka_unit_test(half_lists_have_each_pair_once),
        cmocka_unit_test(periods_along_any_axes),
        cmocka_unit_test(radii_beyond_half_a_period_are_refused),
        cmocka_unit_test(other_columns_follow_the_images),
        cmocka_unit_test(invalid_positions_are_refused),
        cmocka_unit_test(points_are_found_around_any_place),
        cmocka_unit_test(insufficient_space_is_reported),
        cmocka_unit_test(the_nearest_come_in_order),
        cmocka_unit_test(queries_in_periodic_domains_know_images),
        cmocka_unit_test(points_come_go_and_move),
        cmocka_unit_test(points_that_move_are_found),
        cmocka_unit_test(lists_do_not_depend_on_threads),
        cmocka_unit_test(nothing_is_allocated_after_a_while),
        cmocka_unit_test(out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
