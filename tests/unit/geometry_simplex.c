/* Tests of primitives: against cases with a known answer, and against the distance found by going
 * down in a convex function. */
#include "test.h"

#include "geometry/simplex/intersect.h"
#include "geometry/simplex/nearest.h"
#include "soups.h"

static void move(const mo_vec3 *in, int count, const mo_mat3 *R, mo_vec3 t, mo_vec3 *out)
{
    for (int k = 0; k < count; ++k) {
        out[k] = mo_add(mo_mat3_apply(*R, in[k]), t);
    }
}

typedef struct known {
    const char *what;
    mo_vec3 a[3], b[3];
    bool meet;
} known;

static const known CASES[] = {
    {"crossing",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 3, 1}},
     true},
    {"above", {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 0, 0.1}, {2, 0, 0.1}, {0, 2, 0.1}}, false},
    {"beside",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{1.2, 1.2, -1}, {1.2, 1.2, 1}, {3, 3, 1}},
     false},
    {"coplanar, overlapping",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{1, 0.5, 0}, {3, 0.5, 0}, {3, 2, 0}},
     true},
    {"coplanar, apart",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{1.5, 1.5, 0}, {3, 1.5, 0}, {3, 3, 0}},
     false},
    {"coplanar, nested",
     {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}},
     {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}},
     true},
    {"a common corner",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{0, 0, 0}, {-1, 0, 1}, {0, -1, 1}},
     true},
    {"a common edge", {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 0, 0}, {2, 0, 0}, {0, -2, 1}}, true},
    {"corner on a face",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{0.5, 0.5, 0}, {1, 1, 1}, {0, 1, 1}},
     true},
    {"a point on a face",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.5, 0.5, 0}},
     true},
    {"a point in the plane",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{1.5, 1.5, 0}, {1.5, 1.5, 0}, {1.5, 1.5, 0}},
     false},
    {"an edge through",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{0.5, 0.5, -1}, {0.5, 0.5, 1}, {0.5, 0.5, 0.5}},
     true},
    {"an edge in the plane",
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}},
     {{2, 2, 0}, {3, 0.5, 0}, {2.5, 1.25, 0}},
     false},
    {"edges in line, apart",
     {{0, 0, 0}, {1, 1, 1}, {0.5, 0.5, 0.5}},
     {{2, 2, 2}, {3, 3, 3}, {4, 4, 4}},
     false},
    {"edges in line",
     {{0, 0, 0}, {2, 2, 2}, {0.5, 0.5, 0.5}},
     {{1, 1, 1}, {3, 3, 3}, {4, 4, 4}},
     true},
    {"parallel edges",
     {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}},
     {{0, 0.1, 0}, {2, 0.1, 0}, {1, 0.1, 0}},
     false},
    {"edges across", {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}}, {{1, -1, 0}, {1, 1, 0}, {1, 0.5, 0}}, true},
    {"edges across, apart",
     {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}},
     {{1, -1, 0.1}, {1, 1, 0.1}, {1, 0, 0.1}},
     false},
    {"points, apart",
     {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
     {{0, 0, 1e-9}, {0, 0, 1e-9}, {0, 0, 1e-9}},
     false},
    {"one point", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, true},
};

/* In all orders; turned, moved and scaled where no touching decides. */
static void triangles_with_known_answers(void **state)
{
    uint64_t random = 1;
    (void)state;
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; ++c) {
        const known *k = &CASES[c];
        for (int turn = 0; turn < 6; ++turn) {
            mo_vec3 a[3], b[3];
            for (int i = 0; i < 3; ++i) {
                a[i] = k->a[(i + turn) % 3];
                b[i] = k->b[turn < 3 ? (i + turn) % 3 : (5 - i - turn + 3) % 3];
            }
            if (mo_triangles_intersect(a, b) != k->meet ||
                mo_triangles_intersect(b, a) != k->meet) {
                fail_msg("%s", k->what);
            }
            if (!k->meet || c == 0) {
                mo_mat3 R = random_rotation(&random);
                mo_vec3 t = random_vec3(&random, 10), p[3], q[3];
                move(a, 3, &R, t, p);
                move(b, 3, &R, t, q);
                if (mo_triangles_intersect(p, q) != k->meet) {
                    fail_msg("%s, turned", k->what);
                }
            }
        }
    }
}

/* The distance of two simplices by alternating projections of barycentric coordinates: slow, and
 * owing nothing to separating axes. */
static double distance_of(const mo_vec3 *a, int na, const mo_vec3 *b, int nb)
{
    mo_vec3 p = a[0], q = b[0];
    double best = (double)INFINITY;
    for (int step = 0; step < 4000; ++step) { /* E. G. Gilbert 1966: towards the farthest corner */
        mo_vec3 d = mo_sub(q, p);
        const mo_vec3 *s = &a[0], *t = &b[0];
        for (int k = 1; k < na; ++k) {
            s = mo_dot(a[k], d) > mo_dot(*s, d) ? &a[k] : s;
        }
        for (int k = 1; k < nb; ++k) {
            t = mo_dot(b[k], d) < mo_dot(*t, d) ? &b[k] : t;
        }
        mo_vec3 u = mo_sub(mo_sub(*t, q), mo_sub(*s, p));
        double uu = mo_dot(u, u), f = uu > 0 ? fmin(fmax(-mo_dot(d, u) / uu, 0), 1) : 0;
        p = mo_add_scaled(p, f, mo_sub(*s, p));
        q = mo_add_scaled(q, f, mo_sub(*t, q));
        best = fmin(best, mo_length(mo_sub(p, q)));
    }
    return best;
}

static void simplices_intersect_where_their_distance_is_zero(void **state)
{
    uint64_t random = 3;
    int met = 0, apart = 0;
    (void)state;
    for (int trial = 0; trial < 300; ++trial) {
        int na = 1 + trial % 4, nb = 1 + trial / 4 % 4;
        mo_vec3 a[4], b[4], shift = random_vec3(&random, 0.6);
        for (int k = 0; k < 4; ++k) {
            a[k] = random_vec3(&random, 1);
            b[k] = mo_add(random_vec3(&random, 1), shift);
        }
        double d = distance_of(a, na, b, nb);
        bool meet = mo_simplices_intersect(a, na, b, nb);
        if (d > 0.02) {
            assert_false(meet);
            ++apart;
        } else if (d < 2e-3) {
            assert_true(meet);
            ++met;
        }
    }
    assert_true(met > 20 && apart > 90);
}

static void points_in_a_tetrahedron(void **state)
{
    uint64_t random = 5;
    (void)state;
    for (int trial = 0; trial < 100; ++trial) {
        mo_vec3 c[4], x = {0, 0, 0};
        double w[4], v[4], sum = 0;
        for (int k = 0; k < 4; ++k) {
            c[k] = random_vec3(&random, 1);
            v[k] = random_between(&random, trial % 2 ? -0.5 : 0.01, 1);
            sum += v[k];
        }
        bool inside = true;
        for (int k = 0; k < 4; ++k) {
            v[k] /= sum;
            inside = inside && v[k] >= 0;
            x = mo_add_scaled(x, v[k], c[k]);
        }
        if (fabs(sum) < 0.1) {
            continue;
        }
        assert_true(mo_tetrahedron_weights(c, x, w));
        assert_int_equal(mo_tetrahedron_contains(w), inside);
        for (int k = 0; k < 4; ++k) {
            assert_near(w[k], v[k], 1e-9);
        }
        assert_true(!inside || mo_simplices_intersect(c, 4, &x, 1));
    }
    mo_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    double w[4];
    assert_false(mo_tetrahedron_weights(flat, mo_vec3_make(0, 0, 0), w));
}

static double gap_at(const mo_ray *ray, const mo_vec3 *c, double s)
{
    double w[3];
    mo_vec3 x = mo_add_scaled(ray->origin, s, ray->direction), p = {0, 0, 0};
    mo_triangle_nearest_weights(c, x, w);
    for (int k = 0; k < 3; ++k) {
        p = mo_add_scaled(p, w[k], c[k]);
    }
    return mo_length(mo_sub(x, p)) - ray->radius;
}

/* A sphere touches where its centre's distance is its radius, and not before. */
static void spheres_against_triangles(void **state)
{
    uint64_t random = 6;
    int hits = 0;
    (void)state;
    for (int trial = 0; trial < 300; ++trial) {
        mo_vec3 c[3];
        for (int k = 0; k < 3; ++k) {
            c[k] = random_vec3(&random, 1);
        }
        mo_vec3 from = random_vec3(&random, 3), at = random_vec3(&random, 1);
        mo_ray ray = {from, mo_scale(0.2, mo_sub(at, from)), 6, 0.3};
        double s = mo_sphere_cast_triangle(&ray, c), until = fmin(s, ray.end);
        for (int k = 0; k < 200; ++k) {
            assert_true(gap_at(&ray, c, until * k / 200) >= -1e-9 || s == 0);
        }
        if (s > 0 && s < (double)INFINITY) {
            assert_near(gap_at(&ray, c, s), 0, 1e-9);
            ++hits;
        }
    }
    assert_true(hits > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_with_known_answers),
        cmocka_unit_test(simplices_intersect_where_their_distance_is_zero),
        cmocka_unit_test(points_in_a_tetrahedron),
        cmocka_unit_test(spheres_against_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
