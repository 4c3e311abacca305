/*
 * Shapes: distances of closed forms, and common properties of all shapes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "geometry/shape/shape.h"
#include "numbers.h"
#include "set_param.h"

enum { POINTS = 2000 };

static double distance_at(const params *p, mo_vec3 x, mo_vec3 *normal)
{
    double point[3], n[3], distance;
    mo_vec3_store(point, x);
    mo_shape_distances(method_of(p), 1, point, &distance, n);
    if (normal) {
        *normal = mo_vec3_load(n);
    }
    return distance;
}

static void make_sphere(params *p, mo_vec3 center, double radius)
{
    clear_params_of(p, &mo_shapes, "sphere");
    set_vec3(p, "center", center);
    set_real(p, "radius", radius);
}

static void make_plane(params *p, mo_vec3 point, mo_vec3 normal)
{
    clear_params_of(p, &mo_shapes, "plane");
    set_vec3(p, "point", point);
    set_vec3(p, "normal", normal);
}

static void make_box(params *p, mo_vec3 min, mo_vec3 max)
{
    clear_params_of(p, &mo_shapes, "box");
    set_vec3(p, "min", min);
    set_vec3(p, "max", max);
}

/* ---- closed forms ---- */

static void spheres_measure_from_their_centre(void **state)
{
    (void)state;
    uint64_t random = 1;
    params p;
    mo_vec3 center = {0.5, -1, 2};
    make_sphere(&p, center, 0.75);
    for (int k = 0; k < POINTS; ++k) {
        double r = random_between(&random, 1e-6, 3);
        mo_vec3 u = random_unit_vec3(&random), n;
        assert_near(distance_at(&p, mo_add_scaled(center, r, u), &n), r - 0.75, 1e-14);
        assert_near_vec3(n, u, 1e-15 / r + 1e-14);
    }
}

static void planes_measure_along_their_normal(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int k = 0; k < POINTS; ++k) {
        params p;
        mo_vec3 point = random_vec3(&random, 2), u = random_unit_vec3(&random), n;
        mo_vec3 along = mo_cross(u, random_vec3(&random, 3));
        double height = random_between(&random, -3, 3);
        make_plane(&p, point,
                   /* its length is irrelevant */
                   mo_scale(random_between(&random, 0.01, 100), u));
        mo_vec3 x = mo_add(mo_add_scaled(point, height, u), along);
        assert_near(distance_at(&p, x, &n), height, 1e-14);
        assert_near_vec3(n, u, 1e-14);
    }
}

/* The nearest point of a box, by clamping; inside, the minimum over all six faces. */
static double box_distance(mo_vec3 min, mo_vec3 max, mo_vec3 x)
{
    mo_vec3 nearest = {fmin(fmax(x.x, min.x), max.x), fmin(fmax(x.y, min.y), max.y),
                       fmin(fmax(x.z, min.z), max.z)};
    double outside = mo_length(mo_sub(x, nearest));
    double faces[] = {x.x - min.x, max.x - x.x, x.y - min.y, max.y - x.y, x.z - min.z, max.z - x.z};
    double inside = INFINITY;
    for (int k = 0; k < 6; ++k) {
        inside = fmin(inside, faces[k]);
    }
    return outside > 0 ? outside : -inside;
}

static void boxes_measure_to_their_nearest_point(void **state)
{
    (void)state;
    uint64_t random = 3;
    params p;
    mo_vec3 min = {-1, 0.5, -0.25}, max = {0.5, 2.5, 0.25};
    int inside = 0;
    make_box(&p, min, max);
    for (int k = 0; k < POINTS; ++k) {
        mo_vec3 x = mo_add(mo_vec3_make(-0.25, 1.5, 0), random_vec3(&random, 1.5));
        double expected = box_distance(min, max, x);
        assert_near(distance_at(&p, x, NULL), expected, 1e-15);
        inside += expected < 0;
    }
    assert_true(inside > 100 && inside < POINTS - 100);
}

static void box_normals_point_out_of_the_nearest_face(void **state)
{
    (void)state;
    params p;
    mo_vec3 n;
    make_box(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(2, 4, 6));
    static const struct {
        mo_vec3 x, normal;
        double distance;
    } cases[] = {
        {{0.1, 2, 3}, {-1, 0, 0}, -0.1}, {{1.9, 2, 3}, {1, 0, 0}, -0.1},
        {{1, 0.1, 3}, {0, -1, 0}, -0.1}, {{1, 3.9, 3}, {0, 1, 0}, -0.1},
        {{1, 2, 0.1}, {0, 0, -1}, -0.1}, {{1, 2, 5.9}, {0, 0, 1}, -0.1},
        {{-3, 2, 3}, {-1, 0, 0}, 3},     {{1, 2, 9}, {0, 0, 1}, 3},
        {{1, 7, 10}, {0, 0.6, 0.8}, 5},  {{-2, -1, -2}, {-2 / 3.0, -1 / 3.0, -2 / 3.0}, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        assert_near(distance_at(&p, cases[k].x, &n), cases[k].distance, 1e-14);
        assert_near_vec3(n, cases[k].normal, 1e-14);
    }
}

/* Centres, corners, edges and faces: normals are unit vectors even where they are not unique. */
static void normals_have_length_one_at_the_odd_places(void **state)
{
    (void)state;
    params shapes[3];
    make_sphere(&shapes[0], mo_vec3_make(0, 0, 0), 1);
    make_plane(&shapes[1], mo_vec3_make(0, 0, 0), mo_vec3_make(0, 3, 4));
    make_box(&shapes[2], mo_vec3_make(-1, -1, -1), mo_vec3_make(1, 1, 1));
    for (int s = 0; s < 3; ++s) {
        for (int k = 0; k < 125; ++k) {
            mo_vec3 x = {k % 5 * 0.5 - 1, k / 5 % 5 * 0.5 - 1, k / 25 * 0.5 - 1}, n;
            assert_true(isfinite(distance_at(&shapes[s], x, &n)));
            assert_near(mo_length(n), 1, 1e-15);
        }
    }
}

static void a_point_belongs_to_the_shape_it_is_in(void **state)
{
    (void)state;
    params p;
    make_sphere(&p, mo_vec3_make(1, 0, 0), 1);
    assert_true(mo_shape_contains(method_of(&p), mo_vec3_make(1, 0, 0)));
    /* the surface is included */
    assert_true(mo_shape_contains(method_of(&p), mo_vec3_make(0, 0, 0)));
    assert_false(mo_shape_contains(method_of(&p), mo_vec3_make(-1e-9, 0, 0)));
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    params p;
    make_plane(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(0, 0, 0));
    assert_refused(&p, "normal");
    make_box(&p, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1));
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    for (int axis = 0; axis < 3; ++axis) {
        double max[3] = {1, 1, 1};
        for (int bad = 0; bad < 2; ++bad) {
            max[axis] = -bad; /* flat, then inverted */
            make_box(&p, mo_vec3_make(0, 0, 0), mo_vec3_load(max));
            assert_refused(&p, "max");
        }
    }
}

/* ---- common properties ---- */

typedef void shape_property(const params *p, uint64_t *random);

/* Random parameters that can be prepared: an inverted mesh cannot. */
static void fill_prepared(params *p, const mo_descriptor *type, mo_arena *arena, uint64_t *random)
{
    mote_error error = {0};
    for (int attempt = 0; attempt < 50; ++attempt) {
        fill_params(p, type, random);
        if (!type->prepare || type->prepare(p->bytes, arena, &error) == MOTE_OK) {
            return;
        }
    }
    fail_msg("%s: %s", type->name, error.text);
}

static void for_every_shape(shape_property *property)
{
    uint64_t random = 4;
    assert_true(mo_shapes.count >= 3);
    for (int s = 0; s < mo_shapes.count; ++s) {
        for (int k = 0; k < 20; ++k) {
            params p;
            mo_memory memory;
            mo_arena arena;
            mo_memory_init(&memory, NULL);
            mo_arena_init(&arena, &memory);
            fill_prepared(&p, mo_shapes.methods[s], &arena, &random);
            property(&p, &random);
            mo_arena_release(&arena);
            assert_int_equal(memory.bytes, 0);
        }
    }
}

static void assert_normals_are_unit(const params *p, uint64_t *random)
{
    for (int k = 0; k < POINTS / 20; ++k) {
        mo_vec3 n;
        distance_at(p, random_vec3(random, 5), &n);
        assert_near(mo_length(n), 1, 1e-14);
    }
}

static void every_normal_has_length_one(void **state)
{
    (void)state;
    for_every_shape(assert_normals_are_unit);
}

/* The gradient by central differences; false next to a kink. */
static bool gradient_at(const params *p, mo_vec3 x, mo_vec3 *gradient)
{
    const double h = 1e-5;
    double g[3];
    for (int axis = 0; axis < 3; ++axis) {
        mo_vec3 step = {axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0}, ahead, behind;
        double above = distance_at(p, mo_add(x, step), &ahead);
        double below = distance_at(p, mo_sub(x, step), &behind);
        if (mo_length(mo_sub(ahead, behind)) > 1e-2) {
            return false;
        }
        g[axis] = (above - below) / (2 * h);
    }
    *gradient = mo_vec3_load(g);
    return true;
}

static void assert_normals_are_gradients(const params *p, uint64_t *random)
{
    int kinks = 0, count = POINTS / 20;
    for (int k = 0; k < count; ++k) {
        mo_vec3 x = random_vec3(random, 5), gradient, n;
        distance_at(p, x, &n);
        if (gradient_at(p, x, &gradient)) {
            assert_near_vec3(n, gradient, 1e-7);
        } else {
            ++kinks;
        }
    }
    assert_true(kinks < count / 10);
}

static void every_normal_is_the_gradient_of_the_distance(void **state)
{
    (void)state;
    for_every_shape(assert_normals_are_gradients);
}

/* The distance is 1-Lipschitz; of exact shapes it changes at unit rate along the normal,
 * outside. */
static void assert_distances_are_distances(const params *p, uint64_t *random)
{
    bool exact = p->type->capabilities & MO_SHAPE_EXACT;
    bool convex = strcmp(p->type->name, "torus") != 0; /* the mesh of these tests is */
    for (int k = 0; k < POINTS / 20; ++k) {
        mo_vec3 x = random_vec3(random, 5), y = random_vec3(random, 5), n;
        double d = distance_at(p, x, &n), e = distance_at(p, y, NULL),
               t = random_between(random, 0, 3);
        assert_true(fabs(d - e) <= mo_length(mo_sub(x, y)) + 1e-13);
        if (d > 0 && exact) {
            if (convex) {
                assert_near(distance_at(p, mo_add_scaled(x, t, n), NULL), d + t, 1e-13);
            }
            assert_near(distance_at(p, mo_add_scaled(x, -d, n), NULL), 0, 1e-13);
        }
    }
}

static void every_distance_is_one(void **state)
{
    (void)state;
    for_every_shape(assert_distances_are_distances);
}

static void assert_inside_is_within(const params *p, mo_vec3 min, mo_vec3 max, uint64_t *random)
{
    for (int k = 0; k < POINTS; ++k) {
        mo_vec3 x = random_vec3(random, 6);
        bool within = x.x >= min.x - 1e-12 && x.x <= max.x + 1e-12 && x.y >= min.y - 1e-12 &&
                      x.y <= max.y + 1e-12 && x.z >= min.z - 1e-12 && x.z <= max.z + 1e-12;
        assert_true(within || distance_at(p, x, NULL) > 0);
    }
}

static void assert_bounds_enclose(const params *p, uint64_t *random)
{
    mo_vec3 min, max;
    if (!((const mo_shape_type *)p->type)->bounds(p->bytes, &min, &max)) {
        return;
    }
    if (!(p->type->capabilities & MO_SHAPE_EXACT)) {
        assert_inside_is_within(p, min, max, random);
        return;
    }
    double reach[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < POINTS; ++k) {
        mo_vec3 x = random_vec3(random, 8), n;
        double d = distance_at(p, x, &n);
        mo_vec3 surface = mo_add_scaled(x, -d, n);
        const double *s = &surface.x, *low = &min.x, *high = &max.x;
        for (int axis = 0; axis < 3; ++axis) {
            assert_true(s[axis] >= low[axis] - 1e-12 && s[axis] <= high[axis] + 1e-12);
            reach[axis] = fmin(reach[axis], s[axis]);
            reach[3 + axis] = fmax(reach[3 + axis], s[axis]);
        }
    }
    /* and tight */
    double size = mo_length(mo_sub(max, min));
    assert_near_vec3(mo_vec3_load(reach), min, 0.05 * size);
    assert_near_vec3(mo_vec3_load(reach + 3), max, 0.05 * size);
}

static void bounds_enclose_the_shape_tightly(void **state)
{
    (void)state;
    for_every_shape(assert_bounds_enclose);
}

static void assert_batches_agree(const params *p, uint64_t *random)
{
    enum { BATCH = 37 };
    double points[3 * BATCH], distance[BATCH], alone[BATCH], normal[3 * BATCH];
    for (int k = 0; k < 3 * BATCH; ++k) {
        points[k] = random_between(random, -4, 4);
    }
    mo_shape_distances(method_of(p), BATCH, points, distance, normal);
    mo_shape_distances(method_of(p), BATCH, points, alone, NULL);
    for (int k = 0; k < BATCH; ++k) {
        mo_vec3 n, x = mo_vec3_load(points + 3 * k);
        assert_true(same_bits(distance[k], alone[k]));
        assert_true(same_bits(distance[k], distance_at(p, x, &n)));
        assert_near_vec3(n, mo_vec3_load(normal + 3 * k), 0);
        assert_int_equal(mo_shape_contains(method_of(p), x), distance[k] <= 0);
    }
}

static void a_batch_is_its_points_one_by_one(void **state)
{
    (void)state;
    for_every_shape(assert_batches_agree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_measure_from_their_centre),
        cmocka_unit_test(planes_measure_along_their_normal),
        cmocka_unit_test(boxes_measure_to_their_nearest_point),
        cmocka_unit_test(box_normals_point_out_of_the_nearest_face),
        cmocka_unit_test(normals_have_length_one_at_the_odd_places),
        cmocka_unit_test(a_point_belongs_to_the_shape_it_is_in),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(every_normal_has_length_one),
        cmocka_unit_test(every_normal_is_the_gradient_of_the_distance),
        cmocka_unit_test(every_distance_is_one),
        cmocka_unit_test(bounds_enclose_the_shape_tightly),
        cmocka_unit_test(a_batch_is_its_points_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
