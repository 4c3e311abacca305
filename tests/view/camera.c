/*
 * Conventions of the camera, and picking. Without OpenGL.
 */
#include "test.h"

#include "view/picture/camera.h"
#include "view/picture/pick.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

static mo_camera make(bool parallel)
{
    mo_camera camera = {
        .eye = {1, -6, 2}, .target = {1, 1, 0.5}, .up = {0, 0, 1}, .angle = 0.7, .height = 5};
    camera.angle = parallel ? 0 : camera.angle;
    return camera;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.12g is not %.12g (within %g)", a, b, tolerance);
    }
}

static void test_right_is_right(void **state)
{
    (void)state;
    for (int parallel = 0; parallel < 2; ++parallel) {
        mo_camera camera = make(parallel);
        double x, y, depth, x2, y2;
        assert_true(mo_camera_project(&camera, 640, 400, camera.target, &x, &y, &depth));
        assert_near(x, 320, 1e-9);
        assert_near(y, 200, 1e-9);
        assert_near(depth, mo_camera_distance(&camera), 1e-12);
        /* from -y with +z up, +x is to the right and +z is up, a smaller y */
        mo_camera_project(&camera, 640, 400, mo_add(camera.target, mo_vec3_make(0.5, 0, 0)), &x2,
                          &y2, &depth);
        assert_true(x2 > x + 10);
        assert_near(y2, y, 1e-9);
        mo_camera_project(&camera, 640, 400, mo_add(camera.target, mo_vec3_make(0, 0, 0.5)), &x2,
                          &y2, &depth);
        assert_true(y2 < y - 10);
        assert_near(x2, x, 1e-9);
    }
}

static void test_closed_form(void **state)
{
    (void)state;
    mo_camera camera = {.eye = {0, 0, 10}, .up = {0, 1, 0}, .angle = 2 * atan(0.5), .height = 4};
    double x, y, depth;
    /* at depth 8, half the height is 4 metres for 100 pixels */
    assert_true(mo_camera_project(&camera, 300, 200, mo_vec3_make(2, 1, 2), &x, &y, &depth));
    assert_near(x, 150 + 50, 1e-9);
    assert_near(y, 100 - 25, 1e-9);
    assert_false(mo_camera_project(&camera, 300, 200, mo_vec3_make(0, 0, 11), &x, &y, &depth));
    camera.angle = 0;
    assert_true(mo_camera_project(&camera, 300, 200, mo_vec3_make(2, 1, 2), &x, &y, &depth));
    assert_near(x, 150 + 100, 1e-9);
    assert_near(y, 100 - 50, 1e-9);
}

static void test_there_and_back(void **state)
{
    (void)state;
    for (int parallel = 0; parallel < 2; ++parallel) {
        mo_camera camera = make(parallel);
        mo_vec3 point = {1.7, 2.1, -0.3};
        double x, y, depth;
        mo_camera_project(&camera, 640, 400, point, &x, &y, &depth);
        mo_vec3 back = mo_camera_unproject(&camera, 640, 400, x, y, depth);
        assert_near(mo_length(mo_sub(back, point)), 0, 1e-12);
        mo_ray ray = mo_camera_ray(&camera, 640, 400, x, y);
        mo_vec3 off = mo_cross(mo_sub(point, ray.from), ray.along);
        assert_near(mo_length(off), 0, 1e-12);
        assert_near(mo_length(ray.along), 1, 1e-14);
        /* the matrices agree */
        mo_mat4 all = mo_mat4_product(mo_camera_projection(&camera, 1.6, 1, 50),
                                      mo_camera_view(&camera, point));
        double w = all.m[15];
        assert_near((0.5 + 0.5 * all.m[12] / w) * 640, x, 1e-9);
        assert_near((0.5 - 0.5 * all.m[13] / w) * 400, y, 1e-9);
    }
}

static void test_orbit(void **state)
{
    (void)state;
    mo_camera camera = make(false), before = camera;
    mo_camera_axes axes = mo_camera_get_axes(&camera);
    mo_camera_orbit(&camera, 0.3, 0);
    assert_near(mo_camera_distance(&camera), mo_camera_distance(&before), 1e-12);
    assert_true(mo_dot(mo_sub(camera.eye, before.eye), axes.right) > 0.5);
    assert_near(camera.eye.z, before.eye.z, 1e-12);
    /* the angle in the plane orthogonal to up is the requested one */
    mo_vec3 a = mo_sub(before.eye, before.target), b = mo_sub(camera.eye, camera.target);
    assert_near(atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y), 0.3, 1e-12);
    camera = before;
    mo_camera_orbit(&camera, 0, 0.2);
    assert_true(camera.eye.z > before.eye.z + 0.5);
    mo_camera_orbit(&camera, 0, 10);
    mo_vec3 up = mo_camera_get_axes(&camera).back;
    assert_true(up.z > 0.99 && up.z < 1);
    mo_camera_orbit(&camera, PI, -20);
    assert_true(mo_camera_get_axes(&camera).back.z < -0.99);
}

static void test_pan_and_zoom(void **state)
{
    (void)state;
    for (int parallel = 0; parallel < 2; ++parallel) {
        mo_camera camera = make(parallel);
        mo_vec3 target = camera.target;
        double x, y, depth, height = mo_camera_height(&camera);
        mo_camera_pan(&camera, 0.25, -0.1);
        mo_camera_project(&camera, 640, 400, target, &x, &y, &depth);
        assert_near(x, 320 - 100, 1e-9);
        assert_near(y, 200 - 40, 1e-9);
        mo_camera_zoom(&camera, 0.5);
        assert_near(mo_camera_height(&camera), 0.5 * height, 1e-12);
        double kept = mo_camera_height(&camera);
        mo_camera_set_parallel(&camera, !parallel, 0.5);
        assert_near(mo_camera_height(&camera), kept, 1e-12);
    }
}

static void test_frame(void **state)
{
    (void)state;
    for (int parallel = 0; parallel < 2; ++parallel) {
        for (int wide = 0; wide < 2; ++wide) {
            mo_camera camera = make(parallel);
            mo_vec3 low = {-3, 2, 0}, high = {4, 3, 5};
            int width = wide ? 800 : 300, height = 400;
            mo_camera_frame(&camera, low, high, (double)width / height, 0.05);
            double most = 0;
            for (int k = 0; k < 8; ++k) {
                mo_vec3 corner = {k & 1 ? high.x : low.x, k & 2 ? high.y : low.y,
                                  k & 4 ? high.z : low.z};
                double x, y, depth;
                assert_true(mo_camera_project(&camera, width, height, corner, &x, &y, &depth));
                most = fmax(most, fmax(fabs(2 * x / width - 1), fabs(2 * y / height - 1)));
            }
            /* the outermost corner is at the margin */
            assert_near(most, 0.9, 1e-9);
        }
    }
}

static void test_pick(void **state)
{
    (void)state;
    double x[] = {0, 0, 0, 0.1, 3, 0, 2, 0, 0, NAN, 0, 0};
    double radius[] = {0.5, 0.2, 0, 1};
    mo_picture picture = {.count = 4, .x = x, .radius = radius, .typical_radius = 0.1};
    mo_look look = mo_look_default();
    mo_camera camera = {.eye = {0, -10, 0}, .up = {0, 0, 1}, .angle = 0.6, .height = 6};
    for (int parallel = 0; parallel < 2; ++parallel) {
        camera.angle = parallel ? 0 : 0.6;
        double px, py, depth;
        mo_camera_project(&camera, 400, 400, mo_vec3_make(0.05, 0, 0.05), &px, &py, &depth);
        /* the large one is in front of the small one */
        assert_int_equal(mo_pick_particle(&picture, &camera, &look, 400, 400, px, py, 0), 0);
        look.size = 0.05;
        mo_camera_project(&camera, 400, 400, mo_vec3_make(0.1, 3, 0), &px, &py, &depth);
        assert_int_equal(mo_pick_particle(&picture, &camera, &look, 400, 400, px, py, 0), 1);
        look.size = 1;
        mo_camera_project(&camera, 400, 400, mo_vec3_make(2.09, 0, 0), &px, &py, &depth);
        assert_int_equal(mo_pick_particle(&picture, &camera, &look, 400, 400, px, py, 0), 2);
        mo_camera_project(&camera, 400, 400, mo_vec3_make(2.13, 0, 0), &px, &py, &depth);
        assert_int_equal(mo_pick_particle(&picture, &camera, &look, 400, 400, px, py, 0), -1);
        /* with twenty pixels of slack it is found again */
        assert_int_equal(mo_pick_particle(&picture, &camera, &look, 400, 400, px, py, 20), 2);
    }
    /* points behind the eye are not picked */
    camera = (mo_camera){.eye = {2, 10, 0}, .target = {2, 20, 0}, .up = {0, 0, 1}, .angle = 0.6};
    assert_int_equal(mo_pick_particle(&picture, &camera, &look, 400, 400, 200, 200, 5), -1);
}

static void test_bounds(void **state)
{
    (void)state;
    double x[] = {1, 2, 3, NAN, 0, 0};
    mo_solid solids[] = {{.kind = MO_SOLID_PLANE, .center = {0, 0, -50}, .turn = {1, 0, 0, 0}},
                         {.kind = MO_SOLID_BOX,
                          .center = {5, 0, 0},
                          .turn = mo_quat_turn(mo_vec3_make(0, 0, 1), PI / 4),
                          .half = {1, 1, 2}}};
    mo_picture picture = {.count = 2, .x = x, .typical_radius = 0.5};
    mo_vec3 low, high;
    mo_picture_bounds(&picture, &low, &high);
    assert_near(low.x, 0.5, 1e-15);
    assert_near(high.z, 3.5, 1e-15);
    picture.solids = solids;
    picture.solid_count = 2;
    mo_picture_bounds(&picture, &low, &high);
    assert_near(high.x, 5 + sqrt(2), 1e-12);
    assert_near(low.z, -2, 1e-12);
    picture = (mo_picture){.solids = solids, .solid_count = 1};
    mo_picture_bounds(&picture, &low, &high);
    assert_near(low.z, -51, 0);
    picture = (mo_picture){0};
    mo_picture_bounds(&picture, &low, &high);
    assert_near(low.x, -1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_is_right), cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_orbit),
        cmocka_unit_test(test_pan_and_zoom),   cmocka_unit_test(test_frame),
        cmocka_unit_test(test_pick),           cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
