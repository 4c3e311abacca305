/* The broad phase against all pairs: random, coherent, huge, infinite, empty and touching boxes. */
#include "test.h"

#include "collide/broad_phase.h"
#include "numbers.h"

enum { MOST = 3000 };

typedef struct boxes_t {
    mo_memory memory;
    mo_broad_phase broad;
    mo_pool *pool;
    int64_t count;
    mo_box box[MOST];
    int32_t group[MOST];
} boxes_t;

static boxes_t *open_boxes(int threads)
{
    boxes_t *c = test_malloc(sizeof *c);
    memset(c, 0, sizeof *c);
    mo_memory_init(&c->memory, NULL);
    mo_broad_phase_init(&c->broad, &c->memory);
    assert_int_equal(mo_pool_create(&c->memory, threads, &c->pool, NULL), MOTE_OK);
    return c;
}

static void close_boxes(boxes_t *c)
{
    mo_broad_phase_release(&c->broad);
    mo_pool_destroy(c->pool);
    assert_int_equal(c->memory.bytes, 0);
    test_free(c);
}

static mo_box box_at(mo_vec3 middle, mo_vec3 half)
{
    return (mo_box){{middle.x - half.x, middle.y - half.y, middle.z - half.z},
                    {middle.x + half.x, middle.y + half.y, middle.z + half.z}};
}

static mo_box random_box(uint64_t *random, double space, double size)
{
    mo_vec3 h = random_vec3(random, size);
    return box_at(random_vec3(random, space), mo_vec3_make(fabs(h.x), fabs(h.y), fabs(h.z)));
}

/* The pairs are those of a double loop, in its order. */
static int64_t assert_all_pairs(boxes_t *c)
{
    int64_t k = 0;
    mote_error error = {0};
    if (mo_broad_phase_update(&c->broad, c->count, c->box, c->group, c->pool, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    for (int32_t a = 0; a < c->count; ++a) {
        for (int32_t b = a + 1; b < c->count; ++b) {
            bool apart = c->group[a] == c->group[b] && c->group[a] >= 0;
            apart = apart || mo_box_is_empty(&c->box[a]) || mo_box_is_empty(&c->box[b]);
            if (!apart && mo_boxes_overlap(&c->box[a], &c->box[b])) {
                assert_true(k < c->broad.pair_count);
                assert_int_equal(c->broad.pairs[k].a, a);
                assert_int_equal(c->broad.pairs[k].b, b);
                ++k;
            }
        }
    }
    assert_int_equal(k, c->broad.pair_count);
    return k;
}

static void fill(boxes_t *c, int64_t count, double space, double size, uint64_t seed)
{
    uint64_t random = seed;
    c->count = count;
    for (int64_t k = 0; k < count; ++k) {
        c->box[k] = random_box(&random, space, size);
        c->group[k] = (int32_t)(k % 5) - 1;
    }
}

static void random_boxes_of_any_number(void **state)
{
    static const int64_t COUNTS[] = {0, 1, 2, 7, 8, 9, 64, 65, 513, 2000, 3, 1000};
    (void)state;
    boxes_t *c = open_boxes(2);
    for (size_t k = 0; k < sizeof COUNTS / sizeof *COUNTS; ++k) {
        fill(c, COUNTS[k], 3, 0.3, 100 + k);
        int64_t pairs = assert_all_pairs(c);
        assert_true(COUNTS[k] < 500 || pairs > 20);
    }
    close_boxes(c);
}

/* Boxes at rest, slow and fast ones; boxes are added and removed. */
static void moving_boxes_keep_their_pairs(void **state)
{
    uint64_t random = 7;
    (void)state;
    boxes_t *c = open_boxes(3);
    fill(c, 900, 3, 0.3, 5);
    int64_t stayed = 0;
    for (int step = 0; step < 40; ++step) {
        for (int64_t k = 0; k < c->count; ++k) {
            double speed = k % 97 == 0 ? 1 : k % 7 == 0 ? 0.01 : 0;
            mo_vec3 d = random_vec3(&random, speed);
            for (int axis = 0; axis < 3; ++axis) {
                c->box[k].low[axis] += mo_vec3_at(d, axis);
                c->box[k].high[axis] += mo_vec3_at(d, axis);
            }
        }
        if (step % 10 == 9) {
            int64_t more = step % 20 == 9 ? 250 : -400;
            for (int64_t k = c->count; k < c->count + more; ++k) {
                c->box[k] = random_box(&random, 3, 0.3);
                c->group[k] = -1;
            }
            c->count += more;
        }
        if (step == 25) { /* a new group is found at once */
            for (int64_t k = 0; k < c->count; ++k) {
                c->group[k] = (int32_t)(k % 3);
            }
        }
        assert_all_pairs(c);
        stayed += c->broad.moved < c->count / 2;
    }
    assert_true(stayed > 20);
    close_boxes(c);
}

static void boxes_that_touch_are_a_pair(void **state)
{
    (void)state;
    boxes_t *c = open_boxes(1);
    for (int64_t k = 0; k < 1000; ++k) { /* bricks with bitwise equal faces */
        double at[3] = {(double)(k % 10), (double)(k / 10 % 10), (double)(k / 100)};
        for (int axis = 0; axis < 3; ++axis) {
            c->box[k].low[axis] = 1e6 + 0.1 * at[axis];
            c->box[k].high[axis] = 1e6 + 0.1 * (at[axis] + 1);
        }
        c->group[k] = -1;
    }
    c->count = 1000;
    assert_int_equal(assert_all_pairs(c), (28 * 28 * 28 - 1000) / 2); /* all neighbours */
    close_boxes(c);
}

/* Planes, empty boxes, points, very small and very large boxes, NaN. */
static void odd_boxes(void **state)
{
    uint64_t random = 3;
    const double end = (double)INFINITY;
    (void)state;
    boxes_t *c = open_boxes(2);
    fill(c, 600, 2, 0.2, 11);
    c->box[0] = (mo_box){{-end, -end, -end}, {end, end, 0}};
    c->box[1] = (mo_box){{-end, -end, -end}, {end, end, end}};
    c->box[2] = mo_box_empty();
    c->box[3] = (mo_box){{0, 0, 0}, {0, 0, (double)NAN}};
    c->box[4] = (mo_box){{1, 1, end}, {2, 2, end}};
    for (int64_t k = 5; k < 100; ++k) {
        double size = pow(10, (double)(k % 30) - 12);
        c->box[k] = random_box(&random, 10 * size, size);
    }
    for (int64_t k = 100; k < 150; ++k) {
        c->box[k] = random_box(&random, 2, 0); /* coincident points */
        c->box[k + 50] = c->box[k];
    }
    c->box[210] = (mo_box){{-1e300, -1e300, -1e300}, {1e300, 1, 1}};
    c->box[211] = (mo_box){{1e300, 0, 0}, {2e300, 1, 1}};
    for (int64_t k = 0; k < c->count; ++k) {
        c->group[k] = -1;
    }
    for (int step = 0; step < 3; ++step) {
        assert_all_pairs(c);
        c->box[7].low[0] -= 1;
    }
    close_boxes(c);
}

static void nothing_is_allocated_when_warm(void **state)
{
    (void)state;
    boxes_t *c = open_boxes(2);
    fill(c, 800, 3, 0.3, 21);
    for (int step = 0; step < 60; ++step) {
        int64_t before = c->memory.allocations;
        for (int64_t k = 0; k < c->count; ++k) {
            c->box[k].low[2] += 0.01 * (step % 2 ? 1 : -1);
        }
        assert_all_pairs(c);
        assert_true(step < 20 || c->memory.allocations == before);
    }
    close_boxes(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_boxes_of_any_number),
        cmocka_unit_test(moving_boxes_keep_their_pairs),
        cmocka_unit_test(boxes_that_touch_are_a_pair),
        cmocka_unit_test(odd_boxes),
        cmocka_unit_test(nothing_is_allocated_when_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
