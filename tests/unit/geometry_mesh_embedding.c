/*
 * Barycentric embedding of points in tetrahedra, inside and outside of the body.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/generate/generate.h"
#include "geometry/mesh/embedding.h"
#include "mesh_asserts.h"

static void make_ball(params *p, int64_t layers)
{
    clear_params_of(p, &mo_meshes, "ball");
    set_vec3(p, "center", mo_vec3_make(1, 2, 3));
    set_real(p, "radius", 1);
    set_int(p, "layers", layers);
}

static mo_vec3 rider(const mo_embedding *e, const mo_mesh *mesh, int64_t k)
{
    mo_vec3 x = {0, 0, 0};
    for (int c = 0; c < 4; ++c) {
        x = mo_add_scaled(x, e->weights[4 * k + c], node(mesh, e->nodes[4 * k + c]));
    }
    return x;
}

/* Embedded points follow any linear map up to rounding. */
static void riders_follow_linear_maps(void **state)
{
    (void)state;
    enum { POINTS = 2000 };
    static double points[3 * POINTS];
    uint64_t random = 1;
    params p;
    built b;
    make_ball(&p, 5);
    build(&b, &p);
    int64_t beyond = 0;
    for (int64_t k = 0; k < POINTS; ++k) { /* up to 1.2 from the centre of a ball of radius 1 */
        double radius = random_between(&random, 0, 1.2);
        mo_vec3_store(points + 3 * k,
                      mo_add_scaled(mo_vec3_make(1, 2, 3), radius, random_unit_vec3(&random)));
        beyond += radius > 1;
    }
    mo_embedding e;
    assert_int_equal(mo_embed(&b.mesh, points, POINTS, &e, NULL), MOTE_OK);
    assert_int_equal(e.count, POINTS);
    assert_true(e.outside >= beyond &&
                e.outside < beyond + POINTS / 20); /* flat faces exclude a little of the ball */
    for (int64_t k = 0; k < POINTS; ++k) {
        assert_near_vec3(rider(&e, &b.mesh, k), mo_vec3_load(points + 3 * k), 1e-13);
        double sum = 0;
        for (int c = 0; c < 4; ++c) {
            sum += e.weights[4 * k + c];
        }
        assert_near(sum, 1, 1e-15);
    }
    mo_vec3 row[3] = {random_vec3(&random, 2), random_vec3(&random, 2), random_vec3(&random, 2)};
    for (int64_t k = 0; k < b.mesh.node_count; ++k) {
        mo_vec3 x = node(&b.mesh, k);
        mo_vec3_store(b.mesh.nodes + 3 * k,
                      mo_vec3_make(mo_dot(row[0], x), mo_dot(row[1], x), mo_dot(row[2], x)));
    }
    for (int64_t k = 0; k < POINTS; ++k) {
        mo_vec3 x = mo_vec3_load(points + 3 * k);
        assert_near_vec3(rider(&e, &b.mesh, k),
                         mo_vec3_make(mo_dot(row[0], x), mo_dot(row[1], x), mo_dot(row[2], x)),
                         1e-12);
    }
    mo_embedding_release(&e);
    release(&b);
}

/* Compared with brute force: inside, the weights are between 0 and 1; outside, the element is
 * that of the nearest face. */
static void points_inside_have_weights_between_0_and_1(void **state)
{
    (void)state;
    enum { POINTS = 500 };
    static double points[3 * POINTS];
    uint64_t random = 2;
    params p;
    built b;
    make_ball(&p, 3);
    build(&b, &p);
    for (int64_t k = 0; k < POINTS; ++k) {
        mo_vec3_store(points + 3 * k, mo_add(mo_vec3_make(1, 2, 3), random_vec3(&random, 0.9)));
    }
    mo_embedding e;
    assert_int_equal(mo_embed(&b.mesh, points, POINTS, &e, NULL), MOTE_OK);
    int64_t outside = 0;
    for (int64_t k = 0; k < POINTS; ++k) {
        mo_vec3 x = mo_vec3_load(points + 3 * k);
        bool within = false;
        for (int64_t t = 0; t < b.mesh.tetrahedron_count; ++t) {
            const int32_t *n = b.mesh.tetrahedra + 4 * t;
            mo_vec3 c[4] = {node(&b.mesh, n[0]), node(&b.mesh, n[1]), node(&b.mesh, n[2]),
                            node(&b.mesh, n[3])};
            within = within || (mo_tetrahedron_volume(x, c[1], c[2], c[3]) > 0 &&
                                mo_tetrahedron_volume(c[0], x, c[2], c[3]) > 0 &&
                                mo_tetrahedron_volume(c[0], c[1], x, c[3]) > 0 &&
                                mo_tetrahedron_volume(c[0], c[1], c[2], x) > 0);
        }
        const double *w = e.weights + 4 * k;
        bool between = w[0] > -1e-8 && w[1] > -1e-8 && w[2] > -1e-8 && w[3] > -1e-8;
        assert_int_equal(within, between);
        outside += !within;
    }
    assert_int_equal(outside, e.outside);
    assert_true(outside > 10 && outside < POINTS - 10);
    mo_embedding_release(&e);
    release(&b);
}

/* A sliver at the surface is skipped: the point uses the regular tetrahedron behind it. */
static void flat_elements_are_passed_over(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh = {.memory = &memory};
    static const double corner[5][3] = {
        {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, -1}, {0.33, 0.33, 1e-4}};
    for (int k = 0; k < 5; ++k) {
        assert_int_equal(mo_mesh_add_node(&mesh, mo_vec3_load(corner[k]), 0, NULL), MOTE_OK);
    }
    assert_int_equal(mo_mesh_add_tetrahedron_oriented(&mesh, 0, 1, 2, 3, NULL), MOTE_OK);
    assert_int_equal(mo_mesh_add_tetrahedron_oriented(&mesh, 0, 1, 2, 4, NULL), MOTE_OK);
    assert_int_equal(mo_mesh_finish_volume(&mesh, NULL), MOTE_OK);
    double above[3] = {0.33, 0.33, 0.1};
    mo_embedding e;
    assert_int_equal(mo_embed(&mesh, above, 1, &e, NULL), MOTE_OK);
    assert_int_equal(e.outside, 1);
    for (int c = 0; c < 4; ++c) {
        assert_int_not_equal(e.nodes[c], 4);
        assert_true(fabs(e.weights[c]) < 2);
    }
    mo_embedding_release(&e);
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    params p;
    make_ball(&p, 2);
    static const double points[6] = {1, 2, 3, 9, 9, 9};
    bool failed = true;
    for (int64_t at = 0; failed; ++at) {
        built b;
        build(&b, &p);
        b.allocator.fail_at = b.allocator.calls + at;
        mo_embedding e;
        mote_status status = mo_embed(&b.mesh, points, 2, &e, NULL);
        failed = has_failed(&b.allocator);
        assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
        if (status == MOTE_OK) {
            mo_embedding_release(&e);
        }
        release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(riders_follow_linear_maps),
        cmocka_unit_test(points_inside_have_weights_between_0_and_1),
        cmocka_unit_test(flat_elements_are_passed_over),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
