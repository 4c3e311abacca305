/* Bounding volumes: they enclose, they are as tight as they should be, and single precision errs on
 * the safe side. */
#include "test.h"

#include "geometry/bound/bound.h"
#include "soups.h"

static const mo_bound_type *bound_at(int k)
{
    return (const mo_bound_type *)mo_family_at(&mo_bounds, k);
}

/* A point as a volume in lane 0 of a block. */
static void store_point(const mo_bound_type *bound, mo_vec3 x, float *block)
{
    double point[3], volume[MO_BOUND_SCALARS_MAX];
    mo_vec3_store(point, x);
    bound->enclose(1, point, volume);
    bound->store(volume, block, 0);
}

static void make_cloud(double *points, int count, double size, mo_vec3 at, uint64_t *random)
{
    mo_mat3 R = random_rotation(random);
    for (int i = 0; i < count; ++i) { /* slender: 1 by 0.3 by 0.05 */
        mo_vec3 x = mo_multiply(random_vec3(random, size), mo_vec3_make(1, 0.3, 0.05));
        mo_vec3_store(points + 3 * (ptrdiff_t)i, mo_add(mo_mat3_apply(R, x), at));
    }
}

static void volumes_enclose_their_points(void **state)
{
    enum { POINTS = 40 };
    double points[3 * POINTS], moved[3 * POINTS];
    uint64_t random = 1;
    (void)state;
    for (int trial = 0; trial < 40; ++trial) {
        double size = pow(10, trial % 9 - 4);
        make_cloud(points, 1 + trial, size, random_vec3(&random, size * (trial % 3)), &random);
        mo_mat3 R = trial % 2 ? random_rotation(&random) : mo_mat3_identity();
        mo_vec3 t = random_vec3(&random, size);
        for (int i = 0; i <= trial; ++i) {
            mo_vec3 x = mo_vec3_load(points + 3 * (ptrdiff_t)i);
            mo_vec3_store(moved + 3 * (ptrdiff_t)i, mo_add(mo_mat3_apply(R, x), t));
        }
        for (int k = 0; k < mo_bounds.count; ++k) {
            const mo_bound_type *bound = bound_at(k);
            double volume[MO_BOUND_SCALARS_MAX], transformed[MO_BOUND_SCALARS_MAX];
            float block[MO_BOUND_LANES * MO_BOUND_SCALARS_MAX] = {0};
            float query[MO_BOUND_LANES * MO_BOUND_SCALARS_MAX] = {0}, out[MO_BOUND_LANES];
            bound->enclose(1 + trial, points, volume);
            bound->transform(volume, &R, t, transformed);
            bound->store(volume, block, 3);
            bound->store(transformed, block, 5);
            for (int i = 0; i <= trial; ++i) {
                mo_vec3 x = mo_vec3_load(points + 3 * (ptrdiff_t)i);
                store_point(bound, x, query);
                assert_true(bound->overlap(block, query, 0) >> 3 & 1);
                bound->distance(block, x, out);
                assert_true(out[3] == 0);
                store_point(bound, mo_vec3_load(moved + 3 * (ptrdiff_t)i), query);
                assert_true(bound->overlap(block, query, 0) >> 5 & 1);
            }
        }
    }
}

/* A distance is a lower bound, and not a useless one; a far volume does not overlap. */
static void distances_are_lower_bounds(void **state)
{
    enum { POINTS = 20 };
    double points[3 * POINTS];
    uint64_t random = 2;
    (void)state;
    for (int k = 0; k < mo_bounds.count; ++k) {
        const mo_bound_type *bound = bound_at(k);
        double volume[MO_BOUND_SCALARS_MAX];
        float block[MO_BOUND_LANES * MO_BOUND_SCALARS_MAX] = {0}, out[MO_BOUND_LANES];
        float query[MO_BOUND_LANES * MO_BOUND_SCALARS_MAX] = {0};
        for (int trial = 0; trial < 50; ++trial) {
            make_cloud(points, POINTS, 1, mo_vec3_make(0, 0, 0), &random);
            bound->enclose(POINTS, points, volume);
            bound->store(volume, block, 0);
            mo_vec3 x = random_vec3(&random, 5);
            double least = (double)INFINITY;
            for (int i = 0; i < POINTS; ++i) {
                mo_vec3 d = mo_sub(x, mo_vec3_load(points + 3 * (ptrdiff_t)i));
                least = fmin(least, mo_length(d));
            }
            bound->distance(block, x, out);
            assert_true((double)out[0] <= least);
            assert_true((double)out[0] >= mo_length(x) - 1.8 || mo_length(x) < 1.8);
            store_point(bound, x, query);
            assert_int_equal(bound->overlap(block, query, 0) & 1, out[0] == 0);
        }
    }
}

/* Closed forms of the volumes around a cube of edge 2, axes along the coordinates. */
static void volumes_around_a_cube(void **state)
{
    double corner[24], volume[MO_BOUND_SCALARS_MAX];
    const double ball = 4.0 / 3 * 3.14159265358979323846 * 3 * sqrt(3);
    (void)state;
    for (int k = 0; k < 24; ++k) {
        corner[k] = (k / 3) >> (k % 3) & 1 ? 1 : -1;
    }
    for (int k = 0; k < mo_bounds.count; ++k) {
        const mo_bound_type *bound = bound_at(k);
        bound->enclose(8, corner, volume);
        assert_near(bound->measure(volume), strstr(bound->base.name, "sphere") ? ball : 8, 1e-9);
    }
}

/* An octahedron: 14 directions have its faces, 18 those of the cuboctahedron around it. */
static void polytopes_around_an_octahedron(void **state)
{
    static const double CORNER[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    static const struct {
        const char *name;
        double volume;
    } EXPECTED[] = {{"aabb", 8}, {"kdop14", 4.0 / 3}, {"kdop18", 2}, {"kdop26", 4.0 / 3}};
    double volume[MO_BOUND_SCALARS_MAX];
    (void)state;
    for (size_t k = 0; k < sizeof EXPECTED / sizeof *EXPECTED; ++k) {
        const mo_bound_type *bound =
            (const mo_bound_type *)mo_family_find(&mo_bounds, EXPECTED[k].name);
        bound->enclose(6, CORNER, volume);
        assert_near(bound->measure(volume), EXPECTED[k].volume, 1e-9);
    }
}

/* The smallest ball has its support on it, and no point outside; it is not above the box's. */
static void the_smallest_ball(void **state)
{
    enum { POINTS = 30 };
    const mo_bound_type *tight = (const mo_bound_type *)mo_family_find(&mo_bounds, "sphere");
    const mo_bound_type *loose = (const mo_bound_type *)mo_family_find(&mo_bounds, "sphere_box");
    double points[3 * POINTS], ball[4], around[4];
    uint64_t random = 4;
    (void)state;
    for (int trial = 0; trial < 200; ++trial) {
        int count = 2 + trial % (POINTS - 1), on = 0;
        make_cloud(points, count, 1, random_vec3(&random, 1), &random);
        tight->enclose(count, points, ball);
        loose->enclose(count, points, around);
        assert_true(ball[3] <= around[3] * (1 + 1e-12));
        for (int i = 0; i < count; ++i) {
            mo_vec3 d = mo_sub(mo_vec3_load(points + 3 * (ptrdiff_t)i), mo_vec3_load(ball));
            assert_true(mo_length(d) <= ball[3]);
            on += mo_length(d) > ball[3] * (1 - 1e-6);
        }
        assert_true(on >= 2);
        for (int axis = 0; axis < 3; ++axis) { /* no better one is close by */
            double shifted[3] = {ball[0], ball[1], ball[2]}, radius = 0;
            shifted[axis] += trial % 2 ? 1e-3 : -1e-3;
            for (int i = 0; i < count; ++i) {
                mo_vec3 d = mo_sub(mo_vec3_load(points + 3 * (ptrdiff_t)i), mo_vec3_load(shifted));
                radius = fmax(radius, mo_length(d));
            }
            assert_true(radius >= ball[3] * (1 - 1e-9));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_enclose_their_points),
        cmocka_unit_test(distances_are_lower_bounds),
        cmocka_unit_test(volumes_around_a_cube),
        cmocka_unit_test(polytopes_around_an_octahedron),
        cmocka_unit_test(the_smallest_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
