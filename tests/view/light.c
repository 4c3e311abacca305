/*
 * Lighting: shadows, ambient occlusion, transparency of glass and wires, distant positions.
 */
#include "view/stage.h"

enum { W = 320, H = 240 };

static int light_at(const mo_camera *camera, mo_vec3 position)
{
    double px, py, depth;
    assert_true(mo_camera_project(camera, W, H, position, &px, &py, &depth));
    return brightness(pixel(&STAGE, (int)px, (int)py));
}

/* The shadow caster is at (0, 0, 1); the light comes from a side. */
static void check_shadow(const mo_picture *picture, mo_look look, mo_vec3 light)
{
    mo_camera camera = {.eye = {0.5, -6, 7}, .target = {0, 0, 0.5}, .up = {0, 0, 1}, .angle = 0.7};
    mo_vec3 middle = {0, 0, 1}, foot = mo_add_scaled(middle, -1 / light.z, light);
    mo_vec3 other = {-1.5 * foot.x, -1.5 * foot.y, 0};
    look.light = light;
    look.occlusion = look.grid = look.shadows = false;
    stage_draw(&STAGE, picture, &camera, &look, W, H);
    int bare = light_at(&camera, foot), bare_other = light_at(&camera, other);
    look.shadows = true;
    stage_draw(&STAGE, picture, &camera, &look, W, H);
    int shaded = light_at(&camera, foot), shaded_other = light_at(&camera, other);
    if (shaded > 0.75 * bare || abs(shaded_other - bare_other) > 3) {
        fail_msg("where the shadow is: %d, without shadows %d; elsewhere: %d and %d", shaded, bare,
                 shaded_other, bare_other);
    }
}

static void test_shadow(void **state)
{
    (void)state;
    double x[] = {0, 0, 1, -0.6, -0.6, 1, 0.6, -0.6, 1, 0, 0.8, 1};
    int32_t triangle[] = {1, 2, 3};
    mo_solid solids[] = {{.kind = MO_SOLID_PLANE, .turn = {1, 0, 0, 0}},
                         {.kind = MO_SOLID_SPHERE,
                          .center = {0, 0, 1},
                          .turn = {1, 0, 0, 0},
                          .half = {0.4, 0.4, 0.4}}};
    mo_vec3 lights[] = {{1, 0.3, 1}, {-1, 0.2, 0.9}};
    for (int k = 0; k < 2; ++k) {
        mo_vec3 light = mo_unit(lights[k], mo_vec3_make(0, 0, 1));
        mo_look look = mo_look_default();
        mo_picture picture = {
            .count = 1, .x = x, .typical_radius = 0.4, .solid_count = 1, .solids = solids};
        for (int style = MO_PARTICLES_DISCS; style < MO_PARTICLE_STYLES; ++style) {
            look.particles = style;
            check_shadow(&picture, look, light);
        }
        picture = (mo_picture){.solid_count = 2, .solids = solids};
        check_shadow(&picture, look, light);
        solids[1].kind = MO_SOLID_BOX;
        check_shadow(&picture, look, light);
        solids[1].kind = MO_SOLID_SPHERE;
        picture = (mo_picture){.count = 4,
                               .x = x,
                               .triangle_count = 1,
                               .triangles = triangle,
                               .solid_count = 1,
                               .solids = solids};
        look.particles = MO_PARTICLES_NONE;
        check_shadow(&picture, look, light);
    }
}

/* Lit surfaces have no self-shadowing. */
static void test_no_speckles(void **state)
{
    (void)state;
    double x[] = {0, 0, 0};
    mo_picture picture = {.count = 1, .x = x, .typical_radius = 1};
    mo_camera camera = {.eye = {0, -4, 3}, .up = {0, 0, 1}, .angle = 0.6};
    mo_look look = mo_look_default();
    look.light = mo_vec3_make(0, -0.8, 0.6);
    look.occlusion = look.shadows = false;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    uint8_t *bare = malloc(4 * W * H);
    memcpy(bare, STAGE.image.pixels, 4 * W * H);
    look.shadows = true;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    for (int y = H / 2 - 60; y < H / 2 + 60; ++y) {
        for (int px = W / 2 - 60; px < W / 2 + 60; ++px) {
            assert_true(channel_distance(pixel(&STAGE, px, y), bare + 4 * (y * W + px)) <= 1);
        }
    }
    free(bare);
}

static void test_lit_side(void **state)
{
    (void)state;
    double x[] = {0, 0, 0};
    mo_picture picture = {.count = 1, .x = x, .typical_radius = 1};
    mo_camera camera = {.eye = {0, -5, 0}, .up = {0, 0, 1}, .angle = 0.6};
    mo_look look = mo_look_default();
    for (int side = -1; side <= 1; side += 2) {
        look.light = mo_vec3_make(side, -0.3, 0);
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        int right = brightness(pixel(&STAGE, W / 2 + 40, H / 2)),
            left = brightness(pixel(&STAGE, W / 2 - 40, H / 2));
        assert_true(side > 0 ? right > 1.5 * left : left > 1.5 * right);
    }
}

static void test_occlusion(void **state)
{
    (void)state;
    double x[] = {-0.5, 0, 0.5, 0.5, 0, 0.5};
    mo_solid ground = {.kind = MO_SOLID_PLANE, .turn = {1, 0, 0, 0}};
    mo_picture picture = {
        .count = 2, .x = x, .typical_radius = 0.5, .solid_count = 1, .solids = &ground};
    mo_camera camera = {.eye = {0, -4, 2}, .target = {0, 0, 0.3}, .up = {0, 0, 1}, .angle = 0.6};
    mo_look look = mo_look_default();
    look.grid = look.shadows = false;
    /* on a ball near a contact; on top of one; on the ground, far away and below a ball */
    mo_vec3 positions[] = {
        {-0.06, -0.2375, 0.5}, {-0.5, -0.25, 0.933}, {1.6, -0.6, 0}, {-0.5, -0.45, 0}};
    int bare[4], occluded[4];
    look.occlusion = false;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    for (int k = 0; k < 4; ++k) {
        bare[k] = light_at(&camera, positions[k]);
    }
    look.occlusion = true;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    stage_save(&STAGE, "occlusion");
    for (int k = 0; k < 4; ++k) {
        occluded[k] = light_at(&camera, positions[k]);
    }
    assert_true(occluded[0] < 0.93 * bare[0]);
    assert_true(occluded[1] > 0.97 * bare[1]);
    assert_true(occluded[2] > 0.97 * bare[2]);
    assert_true(occluded[3] < 0.93 * bare[3]);
}

static void test_glass(void **state)
{
    (void)state;
    double x[] = {0, 0, 0};
    mo_solid tank = {.kind = MO_SOLID_BOX, .turn = {1, 0, 0, 0}, .half = {1, 1, 1}, .inside = true};
    mo_picture picture = {
        .count = 1, .x = x, .typical_radius = 0.4, .solid_count = 1, .solids = &tank};
    mo_camera camera = {.eye = {1, -5, 2}, .up = {0, 0, 1}, .angle = 0.6};
    mo_look look = mo_look_default();
    look.shadows = look.occlusion = false;
    memcpy(look.color, (float[]){0.9f, 0.1f, 0.1f}, sizeof look.color);
    for (int kind = MO_SOLID_SPHERE; kind <= MO_SOLID_BOX; ++kind) {
        tank.kind = kind;
        look.solids = false;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        uint8_t bare[3], outside[3];
        memcpy(bare, pixel(&STAGE, W / 2, H / 2), 3);
        memcpy(outside, pixel(&STAGE, W / 2 + 45, H / 2), 3);
        look.solids = true;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        /* the particle is visible through the glass, nearly unchanged, and the glass itself is
         * visible */
        assert_true(channel_distance(pixel(&STAGE, W / 2, H / 2), bare) < 60);
        assert_true(pixel(&STAGE, W / 2, H / 2)[0] > 100 + pixel(&STAGE, W / 2, H / 2)[1] / 2);
        assert_in_range(channel_distance(pixel(&STAGE, W / 2 + 45, H / 2), outside), 2, 80);
    }
    /* not glass: the same box hides the particle */
    tank.inside = false;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    const uint8_t *p = pixel(&STAGE, W / 2, H / 2);
    assert_true(abs(p[0] - p[1]) < 20);
}

static void test_wire(void **state)
{
    (void)state;
    double x[] = {-2, -2, 0, 2, -2, 0, 0, 2, 0};
    int32_t triangle[] = {0, 1, 2};
    mo_picture picture = {.count = 3, .x = x, .triangle_count = 1, .triangles = triangle};
    mo_camera camera = {.eye = {0, 0, 5}, .up = {0, 1, 0}, .height = 6};
    mo_look look = plain_look();
    look.particles = MO_PARTICLES_NONE;
    look.triangles = MO_MESH_WIRE;
    look.line_width = 6;
    for (int samples = 1; samples <= 4; samples += 3) {
        look.samples = samples;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        assert_int_equal(brightness(pixel(&STAGE, W / 2, H / 2 + 20)), 0);
        /* the lower edge is at y = -2: 80 pixels below the middle; the wire is inside of it, half
         * of its width */
        assert_true(pixel(&STAGE, W / 2, H / 2 + 78)[0] > 250);
        assert_int_equal(pixel(&STAGE, W / 2, H / 2 + 74)[0], 0);
        assert_int_equal(pixel(&STAGE, W / 2, H / 2 + 81)[0], 0);
    }
    look.triangles = MO_MESH_FLAT;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_true(pixel(&STAGE, W / 2, H / 2 + 20)[0] > 250);
    look.edges = true;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_true(pixel(&STAGE, W / 2, H / 2 + 20)[0] > 250);
    assert_true(pixel(&STAGE, W / 2, H / 2 + 79)[0] < 150);
}

/* The brightness difference at the ridge of a roof of two faces. */
static int ridge(double height, mo_mesh_style style)
{
    double x[] = {-1, -1, 0, -1, 1, 0, 0, -1, height, 0, 1, height, 1, -1, 0, 1, 1, 0};
    int32_t triangles[] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5};
    mo_picture picture = {.count = 6, .x = x, .triangle_count = 4, .triangles = triangles};
    mo_camera camera = {.eye = {0, 0, 5}, .up = {0, 1, 0}, .height = 3};
    mo_look look = mo_look_default();
    look.particles = MO_PARTICLES_NONE;
    look.shadows = look.occlusion = false;
    look.light = mo_vec3_make(1, 0, 0.5);
    look.triangles = style;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    return brightness(pixel(&STAGE, W / 2 + 3, H / 2)) -
           brightness(pixel(&STAGE, W / 2 - 4, H / 2));
}

/* Flat shading has a discontinuity at the ridge; smooth shading does not, unless the dihedral
 * angle makes it an edge. */
static void test_flat_and_smooth(void **state)
{
    (void)state;
    assert_true(ridge(0.28, MO_MESH_FLAT) > 50);
    assert_in_range(ridge(0.28, MO_MESH_SMOOTH), 0, 20);
    assert_true(ridge(0.8, MO_MESH_FLAT) > 100);
    assert_true(ridge(0.8, MO_MESH_SMOOTH) > 100);
}

/* The top of a block, seen from the front: at its rear edge smooth normals point away from the
 * eye, which must not darken it. */
static void test_smooth_rim(void **state)
{
    (void)state;
    double x[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 1, 1, -4, -1, 1, -4};
    int32_t triangles[] = {0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5};
    mo_picture picture = {.count = 6, .x = x, .triangle_count = 4, .triangles = triangles};
    mo_camera camera = {.eye = {0, -5, 1.5}, .up = {0, 0, 1}, .height = 3};
    mo_look look = mo_look_default();
    look.particles = MO_PARTICLES_NONE;
    look.shadows = look.occlusion = false;
    look.triangles = MO_MESH_SMOOTH;
    look.light = mo_vec3_make(0, 0, 1);
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    int front = light_at(&camera, mo_vec3_make(0.4, -0.9, 0)),
        rim = light_at(&camera, mo_vec3_make(0.4, 0.9, 0));
    if (rim < 0.7 * front || rim > front) {
        fail_msg("the rim at the back is %d bright, the front %d", rim, front);
    }
}

static void draw_shifted(mo_vec3 shift, uint8_t *pixels)
{
    double x[] = {-0.5, 0, 0.5, 0.5, 0, 0.5, 0, 0.4, 1.2, -1, -1, 0.1, 1, -1, 0.1, 0, -1.5, 0.6};
    int32_t triangle[] = {3, 4, 5}, spring[] = {0, 5};
    mo_solid solids[] = {{.kind = MO_SOLID_PLANE, .turn = {1, 0, 0, 0}},
                         {.kind = MO_SOLID_BOX,
                          .center = {1.5, 1, 0.5},
                          .turn = {1, 0, 0, 0},
                          .half = {0.3, 0.3, 0.5}}};
    float vertices[] = {-1.5f, 1, 0.2f, -0.5f, 1.2f, 0.2f, -1, 1, 1.2f};
    int32_t surface[] = {0, 1, 2};
    for (int k = 0; k < 6; ++k) {
        mo_vec3_store(x + 3 * k, mo_add(mo_vec3_load(x + 3 * k), shift));
    }
    for (int k = 0; k < 2; ++k) {
        solids[k].center = mo_add(solids[k].center, shift);
    }
    mo_picture picture = {.count = 6,
                          .x = x,
                          .typical_radius = 0.3,
                          .triangle_count = 1,
                          .triangles = triangle,
                          .spring_count = 1,
                          .springs = spring,
                          .solid_count = 2,
                          .solids = solids,
                          .surface = {3, 1, shift, vertices, NULL, NULL, NULL, surface}};
    mo_camera camera = {.eye = {1, -5, 3}, .target = {0, 0, 0.5}, .up = {0, 0, 1}, .angle = 0.7};
    camera.eye = mo_add(camera.eye, shift);
    camera.target = mo_add(camera.target, shift);
    mo_look look = mo_look_default();
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    memcpy(pixels, STAGE.image.pixels, 4 * W * H);
}

static void test_far_away(void **state)
{
    (void)state;
    uint8_t *here = malloc(4 * W * H), *there = malloc(4 * W * H);
    draw_shifted(mo_vec3_make(0, 0, 0), here);
    /* a multiple of the grid's distance; 1e7 is exact to 2e-9 m in doubles and to 1 m in floats */
    draw_shifted(mo_vec3_make(1e7, -1e7, 1e7), there);
    int different = 0;
    for (int k = 0; k < W * H; ++k) {
        different += channel_distance(here + 4 * k, there + 4 * k) > 2;
    }
    /* silhouettes may differ by a sample */
    assert_in_range(different, 0, W * H / 1000);
    free(here);
    free(there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shadow),          cmocka_unit_test(test_no_speckles),
        cmocka_unit_test(test_lit_side),        cmocka_unit_test(test_occlusion),
        cmocka_unit_test(test_glass),           cmocka_unit_test(test_wire),
        cmocka_unit_test(test_flat_and_smooth), cmocka_unit_test(test_smooth_rim),
        cmocka_unit_test(test_far_away)};
    STAGE_MAIN(tests);
}
