/*
 * Silhouettes compared with closed forms: spheres in both projections, discs, hexagons, cubes,
 * lines, boxes.
 */
#include "view/stage.h"

enum { W = 320, H = 240 };

static void draw_one(double x, double y, double z, double r, const double *q,
                     const mo_camera *camera, mo_particle_style style, int samples)
{
    double x_of[] = {x, y, z};
    mo_picture picture = {.count = 1, .x = x_of, .q = q, .typical_radius = r};
    mo_look look = plain_look();
    look.particles = style;
    look.samples = samples;
    stage_draw(&STAGE, &picture, camera, &look, W, H);
}

static mo_camera looking_down(bool parallel)
{
    return (mo_camera){.eye = {0, 0, 5}, .up = {0, 1, 0}, .angle = parallel ? 0 : 0.8, .height = 4};
}

/* Coverage is quantised to quarters, and drivers may round up: an eighth of a pixel along the
 * outline, and some noise. Without multisampling a pixel is inside or outside. */
static double area_tolerance(double outline, int samples)
{
    return samples > 1 ? 0.15 * outline : 0.25 * outline;
}

static void test_sphere_parallel(void **state)
{
    (void)state;
    mo_camera camera = looking_down(true);
    for (int samples = 1; samples <= 4; samples += 3) {
        draw_one(0.5, -0.25, 1, 0.7, NULL, &camera, MO_PARTICLES_SPHERES, samples);
        blob b = measure(&STAGE);
        double r = 0.7 * H / 4;
        assert_close(b.x, W / 2 + 0.5 * H / 4, 0.15, "middle x");
        assert_close(b.y, H / 2 + 0.25 * H / 4, 0.15, "middle y");
        assert_close(b.area, PI * r * r, area_tolerance(2 * PI * r, samples), "area");
        assert_close(b.right - b.left, 2 * r, 1.01, "width");
        assert_close(b.bottom - b.top, 2 * r, 1.01, "height");
    }
}

/* A sphere at angle t from the axis is a cone of half angle a, whose section with the picture is
 * an ellipse. */
static void check_cone(double x, double z, double r, int samples)
{
    mo_camera camera = looking_down(false);
    double away = hypot(x, 5 - z), t = atan2(x, 5 - z), a = asin(r / away), f = H / 2 / tan(0.4);
    double half_width = f * (tan(t + a) - tan(t - a)) / 2,
           middle = f * (tan(t + a) + tan(t - a)) / 2;
    double half_height = f * sin(a) / sqrt(cos(t) * cos(t) - sin(a) * sin(a));
    draw_one(x, 0, z, r, NULL, &camera, MO_PARTICLES_SPHERES, samples);
    blob b = measure(&STAGE);
    assert_close(b.x, W / 2 + middle, 0.2, "middle x");
    assert_close(b.y, H / 2, 0.1, "middle y");
    assert_close(b.area, PI * half_width * half_height,
                 area_tolerance(2 * PI * fmax(half_width, half_height), samples), "area");
    assert_close(b.right - b.left, 2 * half_width, 1.01, "width");
    assert_close(b.bottom - b.top, 2 * half_height, 1.01, "height");
}

static void test_sphere_perspective(void **state)
{
    (void)state;
    for (int samples = 1; samples <= 4; samples += 3) {
        check_cone(0, 0, 0.8, samples);
        check_cone(1.2, 0.5, 0.7, samples);
        check_cone(-1.0, 2.0, 0.4, samples);
        check_cone(0, 3.0, 0.5, samples);
    }
}

static void test_sphere_depth(void **state)
{
    (void)state;
    /* two overlapping spheres intersect in the plane between them, in any drawing order */
    double x[] = {-0.3, 0, 0, 0.3, 0, 0};
    float values[] = {0, 1};
    uint8_t map[768] = {0};
    for (int k = 0; k < 256; ++k) {
        map[3 * k] = k < 128 ? 255 : 0;
        map[3 * k + 2] = k < 128 ? 0 : 255;
    }
    mo_picture picture = {.count = 2, .x = x, .typical_radius = 0.6, .values = values};
    mo_look look = plain_look();
    mo_camera camera = looking_down(true);
    look.map = map;
    for (int order = 0; order < 2; ++order) {
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        for (int y = -20; y <= 20; y += 5) {
            assert_true(pixel(&STAGE, W / 2 - 3, H / 2 + y)[0] > 200);
            assert_true(pixel(&STAGE, W / 2 + 2, H / 2 + y)[2] > 200);
        }
        x[0] = 0.3, x[3] = -0.3;
        values[0] = 1, values[1] = 0;
    }
}

static void test_tiny_spheres_stay(void **state)
{
    (void)state;
    mo_camera camera = looking_down(true);
    draw_one(0.003, 0.004, 0, 1e-6, NULL, &camera, MO_PARTICLES_SPHERES, 4);
    assert_true(measure(&STAGE).area > 0.3);
}

static void turn(double *q, mo_vec3 axis, double angle)
{
    mo_quat_store(q, mo_quat_turn(axis, angle));
}

static void test_marks(void **state)
{
    (void)state;
    mo_camera camera = looking_down(true);
    double r = 0.8 * H / 4, q[4];
    turn(q, mo_vec3_make(0, 0, 1), 0);
    draw_one(0, 0, 0, 0.8, q, &camera, MO_PARTICLES_DISCS, 4);
    assert_close(measure(&STAGE).area, PI * r * r, area_tolerance(2 * PI * r, 4), "disc");
    draw_one(0, 0, 0, 0.8, q, &camera, MO_PARTICLES_HEXAGONS, 4);
    blob hexagon = measure(&STAGE);
    assert_close(hexagon.area, 1.5 * sqrt(3) * r * r, area_tolerance(6 * r, 4), "hexagon");
    /* a corner on its own x: wider than high */
    assert_close(hexagon.right - hexagon.left, 2 * r, 2.01, "hexagon's width");
    assert_close(hexagon.bottom - hexagon.top, sqrt(3) * r, 1.01, "hexagon's height");
    /* leaning by 60 degrees it is half as high; on edge it is a line, and the same for the disc */
    for (int style = MO_PARTICLES_DISCS; style <= MO_PARTICLES_HEXAGONS; ++style) {
        double whole = style == MO_PARTICLES_DISCS ? PI * r * r : 1.5 * sqrt(3) * r * r;
        turn(q, mo_vec3_make(1, 0, 0), PI / 3);
        draw_one(0, 0, 0, 0.8, q, &camera, style, 4);
        assert_close(measure(&STAGE).area, whole / 2, area_tolerance(2 * PI * r, 4), "leaning");
        turn(q, mo_vec3_make(1, 0, 0), PI / 2);
        draw_one(0, 0, 0, 0.8, q, &camera, style, 4);
        assert_true(measure(&STAGE).area < 2 * r);
    }
}

static void test_mark_sides(void **state)
{
    (void)state;
    mo_camera camera = looking_down(false);
    double q[4];
    for (int style = MO_PARTICLES_DISCS; style <= MO_PARTICLES_HEXAGONS; ++style) {
        turn(q, mo_vec3_make(0, 1, 0), 0.3);
        draw_one(0, 0, 0, 0.8, q, &camera, style, 4);
        int front = pixel(&STAGE, W / 2, H / 2)[0];
        turn(q, mo_vec3_make(0, 1, 0), PI + 0.3);
        draw_one(0, 0, 0, 0.8, q, &camera, style, 4);
        int back = pixel(&STAGE, W / 2, H / 2)[0];
        assert_true(front > 250);
        assert_in_range(back, 60, 220);
    }
}

static void test_cubes(void **state)
{
    (void)state;
    mo_camera camera = looking_down(true);
    double q[4], edge = 0.8 * cbrt(4 * PI / 3) * H / 4;
    draw_one(0, 0, 0, 0.8, NULL, &camera, MO_PARTICLES_CUBES, 4);
    blob b = measure(&STAGE);
    assert_close(b.area, edge * edge, area_tolerance(4 * edge, 4), "cube");
    assert_close(b.right - b.left, edge, 1.01, "cube's width");
    turn(q, mo_vec3_make(0, 0, 1), PI / 4);
    draw_one(0, 0, 0, 0.8, q, &camera, MO_PARTICLES_CUBES, 4);
    b = measure(&STAGE);
    assert_close(b.area, edge * edge, area_tolerance(4 * edge, 4), "turned cube");
    assert_close(b.right - b.left, sqrt(2) * edge, 2.01, "turned cube's width");
}

static void test_axes(void **state)
{
    (void)state;
    mo_camera camera = looking_down(true);
    double q[4];
    turn(q, mo_vec3_make(0, 0, 1), PI / 2);
    draw_one(0, 0, 0, 1, q, &camera, MO_PARTICLES_AXES, 4);
    /* turned by a quarter: its x is up, its y to the left; its z comes towards the eye */
    const uint8_t *x = pixel(&STAGE, W / 2, H / 2 - 30), *y = pixel(&STAGE, W / 2 - 30, H / 2);
    assert_true(x[0] > 100 && x[0] > 2 * x[1] && x[0] > 2 * x[2]);
    assert_true(y[1] > 100 && y[1] > 2 * y[0] && y[1] > 2 * y[2]);
    assert_int_equal(brightness(pixel(&STAGE, W / 2 + 30, H / 2)), 0);
    assert_int_equal(brightness(pixel(&STAGE, W / 2, H / 2 + 30)), 0);
}

static void test_lines(void **state)
{
    (void)state;
    double x[] = {-1, -0.5, 0, 1, 0.5, 0};
    int32_t pair[] = {0, 1};
    mo_picture picture = {.count = 2, .x = x, .spring_count = 1, .springs = pair};
    mo_look look = plain_look();
    mo_camera camera = looking_down(true);
    look.particles = MO_PARTICLES_NONE;
    double length = hypot(2, 1) * H / 4;
    for (int width = 2; width <= 8; width *= 2) {
        look.line_width = width;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        assert_close(measure(&STAGE).area, width * length, 0.12 * (width * length + 2 * width),
                     "line");
        assert_true(pixel(&STAGE, W / 2, H / 2)[0] > 180);
    }
}

/* A line from before the eye to behind it is drawn as far as it can be seen. */
static void test_line_past_the_eye(void **state)
{
    (void)state;
    double x[] = {-0.4, 0, 0, 0.2, 0, 8};
    int32_t pair[] = {0, 1};
    mo_picture picture = {.count = 2, .x = x, .spring_count = 1, .springs = pair};
    mo_look look = plain_look();
    mo_camera camera = looking_down(false);
    look.particles = MO_PARTICLES_NONE;
    look.line_width = 3;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    /* it passes x = -0.1 at z = 4: a point of the line, well inside the picture */
    double px, py, depth;
    mo_camera_project(&camera, W, H, mo_vec3_make(-0.1, 0, 4), &px, &py, &depth);
    assert_true(pixel(&STAGE, (int)px, (int)py)[0] > 150);
    /* it goes on to the left edge, and not to the other side */
    assert_true(pixel(&STAGE, 2, H / 2)[0] > 150);
    assert_int_equal(pixel(&STAGE, W - 10, H / 2)[0], 0);
}

static void test_box(void **state)
{
    (void)state;
    mo_solid box = {.kind = MO_SOLID_BOX,
                    .center = {0.2, 0, 0},
                    .turn = mo_quat_turn(mo_vec3_make(0, 0, 1), PI / 2),
                    .half = {0.3, 0.9, 0.5}};
    mo_picture picture = {.solid_count = 1, .solids = &box};
    mo_look look = plain_look();
    mo_camera camera = looking_down(true);
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    blob b = measure(&STAGE);
    assert_close(b.right - b.left, 1.8 * H / 4, 1.01, "box's width");
    assert_close(b.bottom - b.top, 0.6 * H / 4, 1.01, "box's height");
    assert_close(b.x, W / 2 + 0.2 * H / 4, 0.2, "box's middle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sphere_parallel),
                                       cmocka_unit_test(test_sphere_perspective),
                                       cmocka_unit_test(test_sphere_depth),
                                       cmocka_unit_test(test_tiny_spheres_stay),
                                       cmocka_unit_test(test_marks),
                                       cmocka_unit_test(test_mark_sides),
                                       cmocka_unit_test(test_cubes),
                                       cmocka_unit_test(test_axes),
                                       cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_line_past_the_eye),
                                       cmocka_unit_test(test_box)};
    STAGE_MAIN(tests);
}
