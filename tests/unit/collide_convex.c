/* Manifolds of convex pairs: closed forms, degenerate positions, keys that stay. */
#include "test.h"

#include "collide/convex/convex.h"
#include "numbers.h"

static mo_pose pose_at(mo_vec3 p, mo_quat q)
{
    mo_pose pose = mo_pose_identity();
    pose.p = p;
    pose.R = mo_quat_matrix(q);
    return pose;
}

static mo_convex ball(double radius)
{
    mo_primitive p = {.kind = MO_PRIMITIVE_SPHERE, .axes = mo_mat3_identity(), .radius = {radius}};
    return mo_convex_of_primitive(&p);
}

static mo_convex block(double x, double y, double z)
{
    mo_primitive p = {
        .kind = MO_PRIMITIVE_BOX, .axes = mo_mat3_identity(), .half = mo_vec3_make(x, y, z)};
    return mo_convex_of_primitive(&p);
}

static mo_convex pill(double half, double radius)
{
    mo_primitive p = {.kind = MO_PRIMITIVE_CAPSULE,
                      .axes = mo_mat3_identity(),
                      .half = {0, 0, half},
                      .radius = {radius, radius}};
    return mo_convex_of_primitive(&p);
}

static mo_manifold collide(const mo_convex *a, mo_vec3 pa, mo_quat qa, const mo_convex *b,
                           mo_vec3 pb, mo_quat qb, double margin)
{
    mo_pose pose_a = pose_at(pa, qa), pose_b = pose_at(pb, qb);
    mo_posed first = mo_convex_at(a, &pose_a), second = mo_convex_at(b, &pose_b);
    mo_manifold m = {0};
    int count = mo_convex_collide(&first, &second, margin, 0, &m);
    assert_int_equal(count, m.count);
    for (int k = 0; k < m.count; ++k) {
        const mo_manifold_point *p = &m.point[k];
        double size = a->reach + b->reach;
        assert_near(p->gap, mo_dot(m.normal, mo_sub(p->point[0], p->point[1])), 1e-12 * size);
        assert_true(p->gap <= margin + 1e-12 * size);
    }
    return m;
}

static const mo_quat ONE = {1, 0, 0, 0};

static void spheres_are_apart_by_their_centres(void **state)
{
    (void)state;
    mo_convex a = ball(0.5), b = ball(0.25);
    mo_manifold m = collide(&a, mo_vec3_make(0, 0.7, 0), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, -0.05, 1e-15);
    assert_near_vec3(m.normal, mo_vec3_make(0, 1, 0), 1e-15);
    assert_near_vec3(m.point[0].point[0], mo_vec3_make(0, 0.2, 0), 1e-15);
    assert_near_vec3(m.point[0].point[1], mo_vec3_make(0, 0.25, 0), 1e-15);
    m = collide(&a, mo_vec3_make(0, 0.8, 0), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0.04);
    assert_int_equal(m.count, 0);
    m = collide(&a, mo_vec3_make(0, 0.8, 0), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0.06);
    assert_near(m.point[0].gap, 0.05, 1e-15);
    /* the same centre: some normal, full depth */
    m = collide(&a, mo_vec3_make(1, 1, 1), ONE, &b, mo_vec3_make(1, 1, 1), ONE, 0);
    assert_near(m.point[0].gap, -0.75, 1e-15);
    assert_near(mo_length(m.normal), 1, 1e-15);
}

static void a_box_rests_on_a_box_with_four_corners(void **state)
{
    (void)state;
    mo_convex a = block(0.5, 0.5, 0.5), b = block(2, 3, 0.5);
    mo_manifold m =
        collide(&a, mo_vec3_make(0.3, 0, 0.99), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0.02);
    assert_int_equal(m.count, 4);
    assert_near_vec3(m.normal, mo_vec3_make(0, 0, 1), 1e-15);
    for (int k = 0; k < 4; ++k) {
        assert_near(m.point[k].gap, -0.01, 1e-15);
        assert_near(fabs(m.point[k].point[0].x - 0.3), 0.5, 1e-15);
        assert_near(fabs(m.point[k].point[0].y), 0.5, 1e-15);
        assert_near(m.point[k].point[0].z, 0.49, 1e-15);
        assert_near(m.point[k].point[1].z, 0.5, 1e-15);
    }
}

static void a_box_balances_on_its_edge_and_its_corner(void **state)
{
    (void)state;
    mo_convex a = block(0.5, 0.5, 0.5), b = block(2, 2, 0.5);
    mo_quat quarter = mo_quat_turn(mo_vec3_make(1, 0, 0), 0.25 * 3.14159265358979323846);
    double height = 0.5 + sqrt(0.5) - 0.01;
    mo_manifold m =
        collide(&a, mo_vec3_make(0, 0, height), quarter, &b, mo_vec3_make(0, 0, 0), ONE, 0.005);
    assert_int_equal(m.count, 2); /* the edge; its other corners are beyond the margin */
    assert_near(m.normal.z, 1, 1e-12);
    assert_near(m.point[0].gap, -0.01, 1e-12);
    assert_near(m.point[1].gap, -0.01, 1e-12);
    assert_near(fabs(m.point[0].point[0].x - m.point[1].point[0].x), 1, 1e-12);
    mo_vec3 diagonal = mo_unit(mo_vec3_make(1, -1, 0), mo_vec3_make(1, 0, 0));
    mo_quat corner = mo_quat_turn(diagonal, acos(sqrt(1 / 3.0)));
    height = 0.5 + sqrt(0.75) - 0.01;
    m = collide(&a, mo_vec3_make(0, 0, height), corner, &b, mo_vec3_make(0, 0, 0), ONE, 0.005);
    assert_int_equal(m.count, 1);
    assert_near(m.normal.z, 1, 1e-12);
    assert_near(m.point[0].gap, -0.01, 1e-12);
    assert_near_vec3(m.point[0].point[0], mo_vec3_make(0, 0, 0.49), 1e-12);
}

static void crossing_edges_intersect_in_one_point(void **state)
{
    (void)state;
    const double eighth = 0.25 * 3.14159265358979323846;
    mo_convex a = block(0.5, 0.5, 0.5), b = block(0.5, 0.5, 0.5);
    mo_quat along_x = mo_quat_turn(mo_vec3_make(1, 0, 0), eighth),
            along_y = mo_quat_turn(mo_vec3_make(0, 1, 0), eighth);
    mo_manifold m = collide(&a, mo_vec3_make(0.1, 0.2, 2 * sqrt(0.5) - 0.02), along_x, &b,
                            mo_vec3_make(0, 0, 0), along_y, 0);
    assert_int_equal(m.count, 1);
    assert_near_vec3(m.normal, mo_vec3_make(0, 0, 1), 1e-12);
    assert_near(m.point[0].gap, -0.02, 1e-12);
    assert_near_vec3(m.point[0].point[1], mo_vec3_make(0, 0.2, sqrt(0.5)), 1e-12);
}

static void capsules_lie_on_each_other(void **state)
{
    (void)state;
    mo_convex a = pill(0.5, 0.1), b = pill(1, 0.2);
    mo_manifold m =
        collide(&a, mo_vec3_make(0.29, 0, 0.7), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0.01);
    assert_int_equal(m.count, 2);
    assert_near_vec3(m.normal, mo_vec3_make(1, 0, 0), 1e-12);
    assert_near(m.point[0].gap, -0.01, 1e-12);
    assert_near(m.point[0].point[1].z, 0.2, 1e-12);
    assert_near(m.point[1].point[1].z, 1, 1e-12);
    /* end to end */
    m = collide(&a, mo_vec3_make(0, 0, 1.79), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0.01);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, -0.01, 1e-12);
    assert_near_vec3(m.normal, mo_vec3_make(0, 0, 1), 1e-12);
    /* crossed: between the axes */
    mo_quat quarter = mo_quat_turn(mo_vec3_make(1, 0, 0), 0.5 * 3.14159265358979323846);
    m = collide(&a, mo_vec3_make(0.25, 0, 0), quarter, &b, mo_vec3_make(0, 0, 0.4), ONE, 0.01);
    assert_int_equal(m.count, 1);
    assert_near(m.point[0].gap, -0.05, 1e-12);
    assert_near_vec3(m.point[0].point[1], mo_vec3_make(0.2, 0, 0), 1e-12);
    /* axes that intersect, and one that is the other: a normal all the same */
    m = collide(&a, mo_vec3_make(0, 0, 0), quarter, &b, mo_vec3_make(0, 0, 0.4), ONE, 0);
    assert_near(m.point[0].gap, -0.3, 1e-12);
    m = collide(&a, mo_vec3_make(0, 0, 0), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0);
    assert_true(m.count >= 1);
    assert_near(mo_length(m.normal), 1, 1e-12);
}

static void spheres_touch_boxes_at_faces_edges_corners_and_from_within(void **state)
{
    (void)state;
    mo_convex a = ball(0.25), b = block(1, 2, 3);
    mo_manifold m = collide(&a, mo_vec3_make(0.5, 2.2, 1), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0);
    assert_near(m.point[0].gap, -0.05, 1e-14);
    assert_near_vec3(m.normal, mo_vec3_make(0, 1, 0), 1e-14);
    m = collide(&a, mo_vec3_make(1.1, 2.1, 1), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0);
    assert_near(m.point[0].gap, sqrt(0.02) - 0.25, 1e-14);
    assert_near_vec3(m.point[0].point[1], mo_vec3_make(1, 2, 1), 1e-14);
    m = collide(&a, mo_vec3_make(1.1, 2.1, 3.1), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0);
    assert_near(m.point[0].gap, sqrt(0.03) - 0.25, 1e-14);
    m = collide(&a, mo_vec3_make(-0.9, 0, 0), ONE, &b, mo_vec3_make(0, 0, 0), ONE, 0);
    assert_near(m.point[0].gap, -0.35, 1e-14);
    assert_near_vec3(m.normal, mo_vec3_make(-1, 0, 0), 1e-14);
    /* from the other side: the normal turns */
    m = collide(&b, mo_vec3_make(0, 0, 0), ONE, &a, mo_vec3_make(-0.9, 0, 0), ONE, 0);
    assert_near_vec3(m.normal, mo_vec3_make(1, 0, 0), 1e-14);
}

/* ---- steadiness ---- */

static mo_convex can(double half, double low, double high)
{
    mo_primitive p = {.kind = MO_PRIMITIVE_FRUSTUM,
                      .axes = mo_mat3_identity(),
                      .half = {0, 0, half},
                      .radius = {low, high}};
    return mo_convex_of_primitive(&p);
}

static int shared_keys(const mo_manifold *a, const mo_manifold *b)
{
    int shared = 0;
    for (int i = 0; i < a->count; ++i) {
        for (int j = 0; j < b->count; ++j) {
            shared += a->point[i].key == b->point[j].key;
        }
    }
    return shared;
}

/* Bodies at rest tremble by rounding and by a solver's tolerance; their contacts do not change. */
static void jittering_bodies_keep_their_contact_points(void **state)
{
    (void)state;
    mo_convex shapes[] = {block(0.5, 0.4, 0.3), can(0.3, 0.4, 0.4), can(0.3, 0.5, 0.2)};
    uint64_t random = 9;
    for (int s = 0; s < 3; ++s) {
        for (int angle = 0; angle < 8;
             ++angle) { /* turned by 45 degrees: eight corners to choose */
            mo_convex ground = s == 0 ? block(0.5, 0.4, 0.3) : block(2, 2, 0.3);
            mo_manifold last = {0};
            for (int k = 0; k < 50; ++k) {
                double size = k % 2 ? 1e-9 : 1e-5;
                mo_pose pose =
                    pose_at(mo_add(mo_vec3_make(0.01, 0.02, 0.5999), random_vec3(&random, size)),
                            mo_quat_normalize(
                                (mo_quat){cos(0.1 * angle), random_between(&random, -size, size),
                                          random_between(&random, -size, size), sin(0.1 * angle)}));
                mo_pose still = mo_pose_identity();
                mo_posed a = mo_convex_at(&shapes[s], &pose), b = mo_convex_at(&ground, &still);
                mo_manifold m = {0};
                assert_int_equal(mo_convex_collide(&a, &b, 0.01, last.hint.axis, &m), 4);
                if (k > 0) {
                    assert_int_equal(shared_keys(&m, &last), 4);
                    assert_true(mo_dot(m.normal, last.normal) > 1 - 1e-8);
                }
                last = m;
            }
        }
    }
}

/* Sliding and turning slowly: the normal does not jump, and points leave one at a time. */
static void slow_motion_changes_little(void **state)
{
    (void)state;
    mo_convex a = block(0.5, 0.4, 0.3), b = block(0.6, 0.5, 0.3);
    mo_manifold last = {0};
    int changed = 0, steps = 4000;
    for (int k = 0; k < steps; ++k) {
        double t = (double)k / steps;
        mo_pose pose =
            pose_at(mo_vec3_make(0.9 * t, 0.2 * t, 0.599), mo_quat_turn((mo_vec3){0, 0, 1}, 3 * t));
        mo_pose still = mo_pose_identity();
        mo_posed p = mo_convex_at(&a, &pose), q = mo_convex_at(&b, &still);
        mo_manifold m = {0};
        assert_true(mo_convex_collide(&p, &q, 0.01, last.hint.axis, &m) >= 3);
        assert_near_vec3(m.normal, mo_vec3_make(0, 0, 1), 1e-9);
        assert_near(mo_manifold_gap(&m), -0.001, 1e-9);
        if (k > 0 && shared_keys(&m, &last) < last.count) {
            ++changed;
            assert_true(shared_keys(&m, &last) >= 1);
        }
        last = m;
    }
    assert_true(changed < steps / 100);
}

/* The same contact at any size: nanometres and astronomical units. */
static void scale_does_not_matter(void **state)
{
    (void)state;
    const double scales[] = {1e-9, 1e-3, 1, 1e6, 1.5e11};
    uint64_t random = 4;
    for (int k = 0; k < 200; ++k) {
        mo_vec3 way = random_vec3(&random, 0.8);
        mo_quat q = mo_quat_normalize(
            (mo_quat){1, random_between(&random, -1, 1), random_between(&random, -1, 1), 0});
        mo_manifold m[5];
        for (int s = 0; s < 5; ++s) {
            double u = scales[s];
            mo_convex shapes[] = {block(0.5 * u, 0.4 * u, 0.3 * u), can(0.3 * u, 0.4 * u, 0.1 * u),
                                  pill(0.4 * u, 0.2 * u), ball(0.4 * u)};
            m[s] = collide(&shapes[k % 4], mo_scale(u, way), q, &shapes[k / 4 % 4],
                           mo_vec3_make(0, 0, 0), ONE, 0.05 * u);
            assert_int_equal(m[s].count, m[0].count);
            if (m[s].count > 0) {
                double scale = u / scales[0];
                assert_near(mo_manifold_gap(&m[s]), scale * mo_manifold_gap(&m[0]), 1e-7 * u);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_apart_by_their_centres),
        cmocka_unit_test(a_box_rests_on_a_box_with_four_corners),
        cmocka_unit_test(a_box_balances_on_its_edge_and_its_corner),
        cmocka_unit_test(crossing_edges_intersect_in_one_point),
        cmocka_unit_test(capsules_lie_on_each_other),
        cmocka_unit_test(spheres_touch_boxes_at_faces_edges_corners_and_from_within),
        cmocka_unit_test(jittering_bodies_keep_their_contact_points),
        cmocka_unit_test(slow_motion_changes_little),
        cmocka_unit_test(scale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
