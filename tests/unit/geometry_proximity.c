/* Distances and collision times of vertex-triangle and edge-edge pairs against sampled points and
 * times: random, coplanar, parallel, degenerate and huge pairs; and the count of intersecting
 * triangles against all pairs and constructed cases. */
#include "test.h"

#include "failing_allocator.h"
#include "geometry/simplex/proximity.h"
#include "geometry/trimesh/crossings.h"
#include "soups.h"

enum { RANDOM, COPLANAR, PARALLEL, DEGENERATE, HUGE_PAIRS, KINDS, SAMPLES = 60, TIMES = 300 };

/* The four nodes of a pair, and their displacements. */
typedef struct moving_pair {
    mo_vec3 x[4], d[4];
    double size;
} moving_pair;

static moving_pair make_pair(int kind, uint64_t *random)
{
    moving_pair p = {.size = kind == HUGE_PAIRS ? 1e5 : 1};
    mo_vec3 origin = kind == HUGE_PAIRS ? mo_vec3_make(1e8, -1e8, 1e8) : mo_vec3_make(0, 0, 0);
    mo_vec3 direction = random_vec3(random, 1);
    for (int k = 0; k < 4; ++k) {
        p.x[k] = random_vec3(random, 1);
        p.d[k] = random_vec3(random, 2);
        if (kind == COPLANAR) {
            p.x[k].z = p.d[k].z = 0;
        }
    }
    if (kind == PARALLEL) { /* edges, nearly or exactly; a vertex in the plane of the triangle */
        double off = random_below(random, 2) ? 1e-9 : 0;
        p.x[1] = mo_add(p.x[0], direction);
        p.x[3] = mo_add(mo_add_scaled(p.x[2], -0.7, direction), random_vec3(random, off));
    }
    if (kind == DEGENERATE) { /* an edge without length, a triangle without area */
        p.x[3] =
            random_below(random, 2) ? p.x[2] : mo_add_scaled(p.x[2], 0.3, mo_sub(p.x[2], p.x[1]));
    }
    for (int k = 0; k < 4; ++k) {
        p.x[k] = mo_add(origin, mo_scale(p.size, p.x[k]));
        p.d[k] = mo_scale(p.size, p.d[k]);
    }
    return p;
}

static double distance_at(const moving_pair *p, mo_pair_kind kind, double t)
{
    mo_vec3 at[4];
    for (int k = 0; k < 4; ++k) {
        at[k] = mo_add_scaled(p->x[k], t, p->d[k]);
    }
    return mo_proximity_of(kind, at).distance;
}

/* The distance of sampled points of both features. */
static double sampled_distance(const mo_vec3 x[4], mo_pair_kind kind)
{
    double best = (double)INFINITY;
    for (int i = 0; i <= SAMPLES; ++i) {
        for (int j = 0; j <= SAMPLES; ++j) {
            double s = (double)i / SAMPLES, t = (double)j / SAMPLES;
            mo_vec3 c;
            if (kind == MO_EDGE_EDGE) {
                c = mo_sub(mo_add_scaled(x[0], s, mo_sub(x[1], x[0])),
                           mo_add_scaled(x[2], t, mo_sub(x[3], x[2])));
            } else {
                c = mo_sub(x[0], mo_add_scaled(mo_add_scaled(x[1], s, mo_sub(x[2], x[1])),
                                               t * (1 - s), mo_sub(x[3], x[1])));
            }
            best = fmin(best, mo_length(c));
        }
    }
    return best;
}

static void nearest_points(void **state)
{
    uint64_t random = 3;
    (void)state;
    for (int trial = 0; trial < 600; ++trial) {
        moving_pair p = make_pair(trial % KINDS, &random);
        for (int kind = MO_VERTEX_TRIANGLE; kind <= MO_EDGE_EDGE; ++kind) {
            mo_proximity near = mo_proximity_of(kind, p.x);
            double sampled = sampled_distance(p.x, kind), rounding = 1e-7 * p.size;
            /* not longer than any sample, and not shorter than the samples' spacing allows */
            assert_true(near.distance <= sampled + rounding);
            assert_true(near.distance >= sampled - 4 * p.size / SAMPLES);
            double sum = 0;
            for (int k = 0; k < 4; ++k) {
                sum += near.weight[k];
                assert_true(fabs(near.weight[k]) <= 1 + 1e-12);
            }
            assert_near(sum, 0, 1e-12);
        }
    }
}

/* A pair stays apart until the time that is found, and is near then. */
static void collision_times(void **state)
{
    uint64_t random = 5;
    int free_paths = 0, hits = 0;
    (void)state;
    for (int trial = 0; trial < 2000; ++trial) {
        moving_pair p = make_pair(trial % KINDS, &random);
        mo_pair_kind kind = trial / KINDS % 2 ? MO_EDGE_EDGE : MO_VERTEX_TRIANGLE;
        double start = distance_at(&p, kind, 0), separation = trial % 3 ? 0 : 0.1 * start;
        if (start < 1e-6 * p.size) {
            continue;
        }
        double time = mo_proximity_advance(kind, p.x, p.d, separation);
        assert_true(time > 0 && time <= 1);
        for (int k = 0; k <= TIMES; ++k) {
            assert_true(distance_at(&p, kind, time * k / TIMES) > separation);
        }
        if (time < 1) {
            double left = (distance_at(&p, kind, time) - separation) / (start - separation);
            assert_true(left <= 0.2 + 1e-6 && left > 0.05);
            ++hits;
        }
        free_paths += time == 1;
    }
    assert_true(free_paths > 100 && hits > 300);
}

/* Paths constructed to meet at a known time, also of a fast thin pair. */
static void meetings_are_never_missed(void **state)
{
    uint64_t random = 9;
    (void)state;
    for (int trial = 0; trial < 2000; ++trial) {
        moving_pair p = make_pair(trial % KINDS, &random);
        mo_pair_kind kind = trial / KINDS % 2 ? MO_EDGE_EDGE : MO_VERTEX_TRIANGLE;
        double meet = random_between(&random, 0.05, 1), a = random_between(&random, 0, 1),
               b = random_between(&random, 0, 1), fast = trial % 7 ? 1 : 1e3;
        mo_vec3 point = {0, 0, 0};
        double weight[4] = {1, -(1 - a) * (1 - b), -a * (1 - b), -b};
        if (kind == MO_EDGE_EDGE) {
            weight[0] = 1 - a, weight[1] = a, weight[2] = -(1 - b), weight[3] = -b;
        }
        for (int k = 0; k < 4; ++k) {
            p.d[k] = mo_scale(fast, p.d[k]);
            mo_vec3 at = mo_add_scaled(mo_sub(p.x[k], p.x[2]), meet, p.d[k]);
            point = mo_add_scaled(point, weight[k], at);
        }
        /* the first feature is moved so that the difference vanishes at the meeting */
        for (int k = 0; k < (kind == MO_EDGE_EDGE ? 2 : 1); ++k) {
            p.d[k] = mo_add_scaled(p.d[k], -1 / meet, point);
        }
        assert_true(distance_at(&p, kind, meet) < 1e-5 * p.size * fast);
        double time = mo_proximity_advance(kind, p.x, p.d, 0);
        assert_true(time <= meet || distance_at(&p, kind, 0) < 1e-9 * p.size);
    }
}

/* A common translation, however large, does not matter. */
static void common_translations(void **state)
{
    uint64_t random = 11;
    (void)state;
    moving_pair p = make_pair(RANDOM, &random);
    mo_vec3 far = mo_vec3_make(1e3, -2e3, 5e2);
    for (int k = 0; k < 4; ++k) {
        p.d[k] = far;
    }
    assert_true(mo_proximity_advance(MO_EDGE_EDGE, p.x, p.d, 0) == 1);
    assert_true(mo_proximity_advance(MO_VERTEX_TRIANGLE, p.x, p.d, 0) == 1);
}

/* ---- intersecting triangles ---- */

static int64_t count_of(int64_t triangles, const int32_t *corner, const double *x)
{
    failing_allocator allocator = {0};
    mo_memory memory = failing_memory(&allocator, -1);
    int64_t count = -1;
    assert_int_equal(mo_crossings_count(&memory, triangles, corner, x, &count, NULL), MOTE_OK);
    return count;
}

static void counts_of_soups(void **state)
{
    (void)state;
    for (int kind = 0; kind < SOUPS; ++kind) {
        soup s = make_soup(kind, 300, 3, 17);
        int64_t expected = 0;
        for (int64_t a = 0; a < s.set.count; ++a) {
            for (int64_t b = a + 1; b < s.set.count; ++b) {
                expected += mo_triangles_cross(s.corner + 3 * a, s.corner + 3 * b, s.x);
            }
        }
        assert_int_equal(count_of(s.set.count, s.corner, s.x), expected);
        assert_true(expected > 0);
        free_soup(&s);
    }
}

static void counts_of_neighbours(void **state)
{
    (void)state;
    /* two triangles with a common corner: apart, and one through the other */
    double x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, -0.5, 0.3, 0.3, 0.5};
    const int32_t corner[6] = {0, 1, 2, 0, 3, 4};
    assert_int_equal(count_of(2, corner, x), 1);
    x[11] = 0.1;
    assert_int_equal(count_of(2, corner, x), 0);
    /* with a common edge: adjacent, however they are folded */
    const int32_t hinge[6] = {0, 1, 2, 1, 0, 3};
    x[11] = 0;
    assert_int_equal(count_of(2, hinge, x), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points),
        cmocka_unit_test(collision_times),
        cmocka_unit_test(meetings_are_never_missed),
        cmocka_unit_test(common_translations),
        cmocka_unit_test(counts_of_soups),
        cmocka_unit_test(counts_of_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
