/*
 * Rendering errors are reported, and the renderer stays usable.
 */
#include "view/stage.h"

static const mo_camera CAMERA = {.eye = {0, 0, 5}, .up = {0, 1, 0}, .height = 2};

static void expect(mote_status status, mote_status wanted, const mote_error *error,
                   const char *text)
{
    assert_int_equal(status, wanted);
    if (!strstr(error->text, text)) {
        fail_msg("'%s' does not say '%s'", error->text, text);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    mo_picture empty = {0};
    mo_look look = plain_look();
    mote_error error = {0};
    int largest = mo_renderer_largest(STAGE.renderer);
    char allowed[64];
    snprintf(allowed, sizeof allowed, "allowed: 1 to %d", largest);
    const int sizes[][2] = {{largest + 1, 10}, {10, largest + 1}, {0, 10}, {10, -1}};
    for (int k = 0; k < 4; ++k) {
        mote_status status = mo_renderer_draw(STAGE.renderer, &empty, &CAMERA, &look, sizes[k][0],
                                              sizes[k][1], &error);
        expect(status, MOTE_ERROR_INPUT, &error, allowed);
    }
    /* one size after another */
    for (int size = 1; size < 300; size = 2 * size + 1) {
        stage_draw(&STAGE, &empty, &CAMERA, &look, size, 2 * size);
        assert_int_equal(pixel(&STAGE, 0, 0)[3], 255);
    }
    mo_image wrong = {3, 3, STAGE.image.pixels};
    expect(mo_renderer_read(STAGE.renderer, &wrong, &error), MOTE_ERROR_USAGE, &error,
           "the image is 3 x 3");
}

static void test_indices(void **state)
{
    (void)state;
    double x[9] = {0};
    int32_t rows[] = {0, 1, 3};
    float vertices[9] = {0};
    mo_look look = plain_look();
    mote_error error = {0};
    mo_picture picture = {
        .count = 3, .x = x, .typical_radius = 1, .triangle_count = 1, .triangles = rows};
    expect(mo_renderer_draw(STAGE.renderer, &picture, &CAMERA, &look, 20, 20, &error),
           MOTE_ERROR_INPUT, &error, "triangles: row 3 does not exist; allowed: 0 to 2");
    picture = (mo_picture){
        .count = 3, .x = x, .typical_radius = 1, .spring_count = 1, .springs = rows + 1};
    expect(mo_renderer_draw(STAGE.renderer, &picture, &CAMERA, &look, 20, 20, &error),
           MOTE_ERROR_INPUT, &error, "springs: row 3 does not exist");
    rows[2] = -1;
    picture = (mo_picture){
        .surface = {
            .vertex_count = 3, .triangle_count = 1, .vertices = vertices, .triangles = rows}};
    expect(mo_renderer_draw(STAGE.renderer, &picture, &CAMERA, &look, 20, 20, &error),
           MOTE_ERROR_INPUT, &error, "triangles of the surface: row -1 does not exist");
    /* then a valid one */
    rows[2] = 2;
    stage_draw(&STAGE, &picture, &CAMERA, &look, 20, 20);
}

static void test_no_context(void **state)
{
    (void)state;
    mo_renderer *renderer;
    mote_error error = {0};
    mo_renderer_destroy(NULL);
    mo_gl_context_destroy(NULL);
    stage_close(&STAGE);
    STAGE = (stage){0};
    expect(mo_renderer_create(&renderer, &error), MOTE_ERROR_USAGE, &error,
           "no EGL context is current");
    assert_null(renderer);
    /* a second context after the first one was closed */
    assert_int_equal(stage_open(&STAGE), 0);
    char text[256];
    mo_gl_describe(text, sizeof text);
    assert_non_null(strstr(text, "OpenGL ES 3"));
}

/* Closing one context does not affect another. */
static void test_two_contexts(void **state)
{
    (void)state;
    mo_gl_context *second;
    mote_error error = {0};
    mo_picture empty = {0};
    mo_look look = plain_look();
    assert_int_equal(mo_gl_context_create(&second, &error), MOTE_OK);
    mo_gl_context_destroy(second);
    mo_gl_context_use(STAGE.context);
    stage_draw(&STAGE, &empty, &CAMERA, &look, 30, 20);
    assert_int_equal(pixel(&STAGE, 3, 3)[3], 255);
}

static void test_styles_by_name(void **state)
{
    (void)state;
    mo_particle_style style = MO_PARTICLES_AXES;
    mo_mesh_style mesh = MO_MESH_FLAT;
    for (int k = 0; k < MO_PARTICLE_STYLES; ++k) {
        assert_true(mo_particle_style_find(mo_particle_style_name(k), &style));
        assert_int_equal(style, k);
    }
    for (int k = 0; k < MO_MESH_STYLES; ++k) {
        assert_true(mo_mesh_style_find(mo_mesh_style_name(k), &mesh));
        assert_int_equal(mesh, k);
    }
    assert_false(mo_particle_style_find("blobs", &style));
    assert_false(mo_mesh_style_find("", &mesh));
    assert_int_equal(style, MO_PARTICLE_STYLES - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_indices),
                                       cmocka_unit_test(test_no_context),
                                       cmocka_unit_test(test_two_contexts),
                                       cmocka_unit_test(test_styles_by_name)};
    STAGE_MAIN(tests);
}
