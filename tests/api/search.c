/* Range search through the public interface, against brute force, with insertion and deletion. */
#include "worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 300, MOST = 400 };

/* The expected points: an array with ids. */
typedef struct cloud {
    int64_t count, next;
    int64_t ids[MOST];
    double x[3 * MOST];
    mote_domain domain;
} cloud;

typedef struct hit {
    double square;
    int64_t id;
} hit;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static void place(uint64_t *state, double *x)
{
    for (int k = 0; k < 3; ++k) {
        x[k] = 2 * uniform(state) - 0.5;
    }
}

static cloud make_cloud(bool periodic)
{
    cloud c = {.count = COUNT, .next = COUNT};
    uint64_t state = 7;
    for (int k = 0; k < 3; ++k) {
        c.domain.periodic[k] = periodic;
        c.domain.high[k] = 1;
    }
    for (int64_t k = 0; k < COUNT; ++k) {
        c.ids[k] = k;
        place(&state, c.x + 3 * k);
    }
    return c;
}

static double square_to(const cloud *c, const double *x, const double *at)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = x[k] - at[k];
        d -= c->domain.periodic[k] ? round(d) : 0;
        square += d * d;
    }
    return square;
}

static int compare(const void *a, const void *b)
{
    const hit *left = a, *right = b;
    return left->square != right->square ? (left->square > right->square ? 1 : -1)
                                         : (left->id > right->id) - (left->id < right->id);
}

static void sort_cloud(const cloud *c, const double *at, hit *hits)
{
    for (int64_t k = 0; k < c->count; ++k) {
        hits[k] = (hit){square_to(c, c->x + 3 * k, at), c->ids[k]};
    }
    qsort(hits, (size_t)c->count, sizeof *hits, compare);
}

static void compare_at(const cloud *c, mote_search *search, const double *at)
{
    hit hits[MOST];
    int64_t ids[MOST], found;
    double distances[MOST];
    bool exists;
    mote_error error;
    sort_cloud(c, at, hits);
    for (double radius = 0.05; radius < 0.6; radius *= 2) {
        int64_t expected = 0;
        while (expected < c->count && hits[expected].square <= radius * radius) {
            ++expected;
        }
        assert_int_equal(mote_search_near(search, at, radius, MOST, ids, distances, &found, &error),
                         MOTE_OK);
        assert_int_equal(found, expected);
        for (int64_t k = 0; k < found; ++k) {
            assert_int_equal(ids[k], hits[k].id);
            assert_true(fabs(distances[k] - sqrt(hits[k].square)) < 1e-12);
        }
        assert_int_equal(mote_search_exists(search, at, radius, &exists, &error), MOTE_OK);
        assert_int_equal(exists, expected > 0);
    }
    for (int64_t k = 1; k < 2 * MOST; k *= 5) {
        assert_int_equal(mote_search_nearest(search, at, k, ids, NULL, &found, &error), MOTE_OK);
        assert_int_equal(found, k < c->count ? k : c->count);
        for (int64_t j = 0; j < found; ++j) {
            assert_int_equal(ids[j], hits[j].id);
        }
    }
}

/* Inserts or removes the same point in both. */
static void change(cloud *c, mote_search *search, uint64_t *state)
{
    mote_error error;
    int64_t id;
    if (uniform(state) < 0.5) {
        place(state, c->x + 3 * c->count);
        assert_int_equal(mote_search_insert(search, c->x + 3 * c->count, &id, &error), MOTE_OK);
        assert_int_equal(id, c->next);
        c->ids[c->count++] = c->next++;
        return;
    }
    int64_t row = (int64_t)(uniform(state) * (double)c->count), last = --c->count;
    assert_int_equal(mote_search_remove(search, c->ids[row], &error), MOTE_OK);
    assert_false(mote_search_find(search, c->ids[row], NULL));
    c->ids[row] = c->ids[last];
    memmove(c->x + 3 * row, c->x + 3 * last, 3 * sizeof(double));
}

static void try_structure(const char *method, bool periodic)
{
    cloud c = make_cloud(periodic);
    mote_search_options options = mote_search_options_default();
    mote_search *search;
    mote_error error;
    uint64_t state = 3;
    double at[3];
    options.method = method;
    options.domain = c.domain;
    options.config.threads = 1;
    assert_int_equal(mote_search_create(c.count, c.x, &options, &search, &error), MOTE_OK);
    for (int k = 0; k < 40; ++k) {
        place(&state, at);
        compare_at(&c, search, at);
        change(&c, search, &state);
        assert_int_equal(mote_search_count(search), c.count);
    }
    mote_search_destroy(search);
}

static void all_structures_agree_with_brute_force(void **state)
{
    (void)state;
    static const char *const METHODS[] = {NULL, "grid", "point_quadtree", "bsp",
                                          "{\"type\": \"octree\", \"capacity\": 4}"};
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; ++k) {
        try_structure(METHODS[k], false);
        try_structure(METHODS[k], true);
    }
}

static void a_search_may_become_empty(void **state)
{
    (void)state;
    double at[3] = {1, 2, 3}, x[3];
    int64_t id, found;
    mote_search *search;
    mote_error error;
    assert_int_equal(mote_search_create(0, NULL, NULL, &search, &error), MOTE_OK);
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(mote_search_insert(search, at, &id, &error), MOTE_OK);
        assert_int_equal(id, k);
        assert_true(mote_search_find(search, id, x));
        assert_memory_equal(x, at, sizeof x);
        assert_int_equal(mote_search_nearest(search, at, 5, NULL, NULL, &found, &error), MOTE_OK);
        assert_int_equal(found, 1);
        assert_int_equal(mote_search_remove(search, id, &error), MOTE_OK);
        assert_int_equal(mote_search_nearest(search, at, 5, NULL, NULL, &found, &error), MOTE_OK);
        assert_int_equal(found, 0);
    }
    mote_search_destroy(search);
}

static void particles_of_a_world_have_their_ids(void **state)
{
    (void)state;
    mote_world *world = world_of(
        "{\"time\": {\"end\": 1, \"step\": 0.1}, \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": "
        "[[0, 0, 0], [1, 0, 0], [0, 2, 0]]}}]}",
        1);
    mote_search *search;
    mote_error error;
    int64_t ids[3], found;
    double distances[3], at[3] = {0, 1.9, 0};
    assert_int_equal(mote_search_world(world, 0, NULL, &search, &error), MOTE_OK);
    assert_int_equal(mote_search_nearest(search, at, 3, ids, distances, &found, &error), MOTE_OK);
    assert_int_equal(found, 3);
    assert_int_equal(ids[0], 2);
    assert_int_equal(ids[1], 0);
    assert_true(fabs(distances[0] - 0.1) < 1e-12);
    mote_search_destroy(search);
    assert_int_equal(mote_search_world(world, 1, NULL, &search, &error), MOTE_ERROR_USAGE);
    mote_world_destroy(world);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    double good[3] = {0}, bad[3] = {0, NAN, 0};
    int64_t found;
    mote_search *search;
    mote_error error;
    mote_search_options options = mote_search_options_default();
    assert_int_equal(mote_search_create(1, bad, NULL, &search, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "point 0 is at (0, nan, 0)"));
    options.radius = -1;
    assert_int_equal(mote_search_create(1, good, &options, &search, &error), MOTE_ERROR_USAGE);
    options.radius = 0;
    options.method = "heap";
    assert_int_equal(mote_search_create(1, good, &options, &search, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "heap"));
    options.method = NULL;
    options.domain.periodic[1] = true;
    assert_int_equal(mote_search_create(1, good, &options, &search, &error), MOTE_ERROR_USAGE);
    assert_int_equal(mote_search_create(1, good, NULL, &search, &error), MOTE_OK);
    assert_int_equal(mote_search_near(search, bad, 1, 0, NULL, NULL, &found, &error),
                     MOTE_ERROR_USAGE);
    assert_int_equal(mote_search_near(search, good, NAN, 0, NULL, NULL, &found, &error),
                     MOTE_ERROR_USAGE);
    assert_int_equal(mote_search_remove(search, 5, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "there is no point with the id 5"));
    mote_search_destroy(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_structures_agree_with_brute_force),
        cmocka_unit_test(a_search_may_become_empty),
        cmocka_unit_test(particles_of_a_world_have_their_ids),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
