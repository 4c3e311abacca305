/*
 * Brush strokes, spheres shaded by the gradient of the density, solid textures, and liquids: the
 * absorption of light by thickness, milk, and glass behind water.
 */
#include "view/stage.h"

enum { W = 120, H = 90 };

static const mo_camera ABOVE = {.eye = {0, 0, 10}, .up = {0, 1, 0}, .height = 3};

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance)) {
        fail_msg("%g, not %g within %g", found, wanted, tolerance);
    }
}

/* A stroke of a particle that faces the eye is horizontal, of three times its height. */
static void test_stroke(void **state)
{
    (void)state;
    double x[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
    mo_picture picture = {.count = 1, .x = x, .q = q, .typical_radius = 0.3};
    mo_look look = plain_look();
    look.particles = MO_PARTICLES_STROKES;
    stage_draw(&STAGE, &picture, &ABOVE, &look, W, H);
    stage_save(&STAGE, "stroke");
    blob b = measure(&STAGE);
    double pixel_size = 3.0 / H, width = (b.right - b.left) * pixel_size;
    assert_true(width > 2 * 0.8 * 0.3 * 1.2 && width < 2 * 2.4 * 0.3 * 1.31);
    assert_true(b.right - b.left > 1.5 * (b.bottom - b.top));
    assert_near(b.x, W / 2.0, 6);
    assert_near(b.y, H / 2.0, 4);
    uint8_t first[4 * W * H];
    memcpy(first, STAGE.image.pixels, sizeof first);
    stage_draw(&STAGE, &picture, &ABOVE, &look, W, H);
    assert_memory_equal(first, STAGE.image.pixels, sizeof first);
}

/* The largest difference of brightness within the middle of the picture. */
static int unevenness(const mo_picture *picture, mo_particle_style style)
{
    mo_look look = mo_look_default();
    look.particles = style;
    look.shadows = look.occlusion = false;
    stage_draw(&STAGE, picture, &ABOVE, &look, W, H);
    int low = 765, high = 0;
    for (int y = 30; y < 60; ++y) {
        for (int x = 45; x < 75; ++x) {
            int light = brightness(pixel(&STAGE, x, y));
            low = light < low ? light : low;
            high = light > high ? light : high;
        }
    }
    return high - low;
}

/* A flat layer of overlapping spheres looks flat. */
static void test_smooth_spheres(void **state)
{
    (void)state;
    enum { SIDE = 24, COUNT = SIDE * SIDE };
    static double x[3 * COUNT];
    for (int k = 0; k < COUNT; ++k) {
        x[3 * k] = 0.15 * (k % SIDE - 11.5);
        x[3 * k + 1] = 0.15 * (k / SIDE - 11.5);
    }
    mo_picture picture = {.count = COUNT, .x = x, .typical_radius = 0.12};
    int smooth = unevenness(&picture, MO_PARTICLES_SMOOTH_SPHERES);
    stage_save(&STAGE, "smooth_spheres");
    int plain = unevenness(&picture, MO_PARTICLES_SPHERES);
    if (!(plain > 100 && 4 * smooth < plain)) {
        fail_msg("brightness varies by %d (spheres: %d)", smooth, plain);
    }
}

/* ---- textures ---- */

/* A square at z = 0 with a texture; its pixels. */
static void draw_square(mo_look *look, double time, double shift, uint8_t *pixels)
{
    static const float corners[] = {-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    mo_picture picture = {.time = time, .typical_radius = 0.05};
    picture.surface = (mo_surface_view){
        .vertex_count = 4, .triangle_count = 2, .vertices = corners, .triangles = triangles};
    mo_camera camera = ABOVE;
    camera.eye.x = camera.target.x = shift;
    look->lit = false;
    stage_draw(&STAGE, &picture, &camera, look, W, H);
    memcpy(pixels, STAGE.image.pixels, 4 * W * H);
}

static double difference(const uint8_t *a, const uint8_t *b)
{
    double sum = 0;
    for (int k = 0; k < W * H; ++k) {
        sum += abs(a[4 * k] - b[4 * k]) / 255.0;
    }
    return sum / (W * H);
}

static void test_texture(void **state)
{
    (void)state;
    static uint8_t a[4 * W * H], b[4 * W * H];
    for (mo_texture_kind kind = MO_TEXTURE_CLOUDS; kind < MO_TEXTURES; ++kind) {
        mo_look look = mo_look_default(), bare = mo_look_default();
        look.texture.kind = kind;
        draw_square(&bare, 0, 0, a);
        draw_square(&look, 0, 0, b);
        char name[32];
        snprintf(name, sizeof name, "texture_%d", (int)kind);
        stage_save(&STAGE, name);
        assert_true(difference(a, b) > 0.02);
        draw_square(&look, 5, 0, a); /* without a speed it does not change */
        assert_true(difference(a, b) == 0);
        look.texture.speed = 0.1;
        draw_square(&look, 5, 0, a);
        assert_true(difference(a, b) > 0.01);
        look.texture.speed = 0;
        draw_square(&look, 0, 0.5, a); /* fixed in space: the camera moves by 15 pixels */
        for (int x = 20; x < 100; ++x) {
            assert_true(abs(pixel(&STAGE, x - 15, 40)[0] - b[4 * (40 * W + x)]) <= 6);
        }
        look.texture.contrast = 0;
        draw_square(&look, 0, 0, b);
        draw_square(&bare, 0, 0, a);
        assert_true(difference(a, b) == 0);
    }
}

/* ---- liquids ---- */

/* A slab of a liquid of paint 1 and of `thick` on the z axis; its front face is at z = 0. */
static const float SLAB_CORNERS[] = {-1, -1, 0,  1, -1, 0,  1, 1, 0,  -1, 1, 0,
                                     -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1};
static const int32_t SLAB[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                               1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};

static const uint8_t *draw_slab(double thick, mo_material material, double depth, mo_solid *behind)
{
    static float corners[24];
    static const uint8_t paint[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const mo_paint paints[2] = {{{0.8f, 0.5f, 0.5f}, material, depth}, {{1, 0, 0}, MO_GLASS, 0}};
    for (int k = 0; k < 24; ++k) {
        corners[k] = k % 3 == 2 ? (float)thick * SLAB_CORNERS[k] : SLAB_CORNERS[k];
    }
    mo_picture picture = {.paints = paints, .paint_count = 2, .typical_radius = 0.1};
    picture.surface = (mo_surface_view){.vertex_count = 8,
                                        .triangle_count = 12,
                                        .vertices = corners,
                                        .triangles = SLAB,
                                        .paint = paint};
    picture.solids = behind;
    picture.solid_count = behind ? 1 : 0;
    mo_look look = mo_look_default();
    look.ambient = 0;
    for (int k = 0; k < 3; ++k) {
        look.background_top[k] = look.background_bottom[k] = 1;
        look.light_color[k] = 0;
    }
    stage_draw(&STAGE, &picture, &ABOVE, &look, W, H);
    return pixel(&STAGE, W / 2, H / 2);
}

/* Without any light but the background's, exp(-thickness) of it arrives, less the reflected 2 % and
 * what the turbidity of water takes. */
static void test_absorption(void **state)
{
    (void)state;
    double tint[2] = {light_of(204), light_of(128)};
    for (double thick = 0.25; thick < 2.1; thick *= 2) {
        const uint8_t *p = draw_slab(thick, MO_WATER, 0.5, NULL);
        for (int k = 0; k < 2; ++k) {
            double passed = pow(tint[k], thick / 0.5) * exp(-0.04 * thick / 0.5) * 0.98;
            assert_near(light_of(p[k]), passed, 0.012);
        }
    }
    assert_true(light_of(draw_slab(0.5, MO_MILK, 0.5, NULL)[1]) < 0.01);
    assert_true(light_of(draw_slab(0.01, MO_MILK, 0.5, NULL)[1]) > 0.5);
    assert_true(light_of(draw_slab(0.5, MO_HONEY, 0.5, NULL)[0]) <
                light_of(draw_slab(0.5, MO_WATER, 0.5, NULL)[0]));
}

/* A glass ball behind the slab is visible through it; one in front of it once, not twice. */
static void test_glass_and_water(void **state)
{
    (void)state;
    mo_solid ball = {.kind = MO_SOLID_SPHERE,
                     .center = {0, 0, -2},
                     .turn = {1, 0, 0, 0},
                     .half = {0.5, 0.5, 0.5},
                     .paint = 2};
    double alone = light_of(draw_slab(0.5, MO_WATER, 2, NULL)[1]);
    double behind = light_of(draw_slab(0.5, MO_WATER, 2, &ball)[1]);
    assert_true(behind < 0.95 * alone);
    ball.center.z = 2;
    double before = light_of(draw_slab(0.5, MO_WATER, 2, &ball)[1]);
    assert_near(before, behind, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stroke),          cmocka_unit_test(test_smooth_spheres),
        cmocka_unit_test(test_texture),         cmocka_unit_test(test_absorption),
        cmocka_unit_test(test_glass_and_water),
    };
    STAGE_MAIN(tests);
}
