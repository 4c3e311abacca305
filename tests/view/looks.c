/*
 * Looks: colours of bodies, phases and colliders, sorted transparent surfaces, water in a glass,
 * edges of coarse meshes, and the legend beside the scene.
 */
#include "view/stage.h"

#include "scene/scene.h"
#include "view/opened.h"

/* Draws the scene's first picture without lighting, so that colours are exact. */
static void draw_scene(mo_studio *s, bool lit, int width, int height)
{
    mo_studio_survey(s);
    mo_studio_aim(s, width, height);
    s->look.lit = lit;
    s->look.map = s->table;
    stage_draw(&STAGE, &s->maker.picture, &s->camera, &s->look, width, height);
}

/* A body, a collider and a phase have the colours of the scene. */
static void test_colors_of_materials(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text("{" TIME ", \"gravity\": [0, 0, 0], \"bodies\": ["
              "{\"mesh\": {\"type\": \"points\", \"positions\": [[-2, 0, 0]]}, \"radius\": 0.5,"
              " \"look\": {\"color\": [0.9, 0.1, 0.2]}},"
              "{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}, \"radius\": 0.5,"
              " \"look\": {\"color\": [0.1, 0.8, 0.3], \"material\": \"metal\"}},"
              "{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1.5]]}, \"radius\": 0.5,"
              " \"look\": {\"visible\": false}}],"
              "\"colliders\": [{\"shape\": {\"type\": \"sphere\", \"center\": [2, 0, 0],"
              " \"radius\": 0.5}, \"look\": {\"color\": [0.2, 0.3, 0.9]}}],"
              "\"view\": {\"camera\": {\"projection\": \"orthographic\", \"eye\": [0, -10, 0],"
              " \"target\": [0, 0, 0]}}}",
              &s, &scene);
    draw_scene(&s, false, 300, 200);
    double height = mo_camera_height(&s.camera);
    int aside = (int)lrint(2 * 200 / height);
    const float red[3] = {0.9f, 0.1f, 0.2f}, green[3] = {0.1f, 0.8f, 0.3f},
                blue[3] = {0.2f, 0.3f, 0.9f};
    assert_color(&STAGE, 150 - aside, 100, red, 2);
    assert_color(&STAGE, 150, 100, green, 2);
    assert_color(&STAGE, 150 + aside, 100, blue, 2);
    int above = 100 - (int)lrint(1.5 * 200 / height); /* hidden: the background is visible */
    assert_color(&STAGE, 150, above, s.look.background_top, 60);
    assert_true(pixel(&STAGE, 150, above)[1] < 120);
    close_all(&s, scene);
}

/* Several bodies without looks have different colours; a chosen field takes precedence. */
static void test_default_colors(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text("{" TIME ", \"bodies\": ["
              "{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}},"
              "{\"mesh\": {\"type\": \"points\", \"positions\": [[1, 0, 0]]}}]}",
              &s, &scene);
    const mo_picture *p = &s.maker.picture;
    assert_non_null(p->paint);
    assert_null(p->values);
    const float *a = p->paints[p->paint[0] - 1].color, *b = p->paints[p->paint[1] - 1].color;
    assert_true(fabsf(a[0] - b[0]) + fabsf(a[1] - b[1]) + fabsf(a[2] - b[2]) > 0.5f);
    s.wish.field = "mass";
    assert_int_equal(mo_studio_picture(&s, NULL), MOTE_OK);
    assert_null(p->paint);
    assert_non_null(p->values);
    close_all(&s, scene);
}

/* Two panes of water: the nearer one dominates, in any order of the list. */
static void test_transparent_order(void **state)
{
    (void)state;
    mo_paint paints[2] = {{{1, 0, 0}, MO_WATER, 0}, {{0, 0, 1}, MO_WATER, 0}};
    mo_solid panes[2] = {{.kind = MO_SOLID_BOX,
                          .center = {0, 0, 1},
                          .turn = {1, 0, 0, 0},
                          .half = {1, 1, 0.1},
                          .paint = 1},
                         {.kind = MO_SOLID_BOX,
                          .center = {0, 0, -1},
                          .turn = {1, 0, 0, 0},
                          .half = {1, 1, 0.1},
                          .paint = 2}};
    mo_camera camera = mo_camera_default();
    camera.eye = mo_vec3_make(0, 0, 10);
    camera.target = mo_vec3_make(0, 0, 0);
    camera.up = mo_vec3_make(0, 1, 0);
    mo_look look = plain_look();
    uint8_t seen[2][3];
    for (int swap = 0; swap < 2; ++swap) {
        mo_picture picture = {.solid_count = 2,
                              .solids = panes,
                              .paints = paints,
                              .paint_count = 2,
                              .typical_radius = 0.1};
        stage_draw(&STAGE, &picture, &camera, &look, 100, 100);
        memcpy(seen[swap], pixel(&STAGE, 50, 50), 3);
        mo_solid kept = panes[0];
        panes[0] = panes[1];
        panes[1] = kept;
    }
    assert_memory_equal(seen[0], seen[1], 3);
    assert_true(2 * seen[0][0] > 3 * seen[0][2]); /* the red pane is nearer */
    assert_true(seen[0][2] > 20);                 /* and the blue one is visible through it */
}

/* A glass (difference of cylinders) with water: by default the water is visible through the
 * wall, and so is the glass. */
static void test_water_in_glass(void **state)
{
    (void)state;
    static const char SCENE[] =
        "{" TIME ", \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"name\": \"water\", \"fill\": "
        "[{\"type\": \"cylinder\", \"start\": [0, 0, %g], \"end\": [0, 0, %g], \"radius\": 0.38}]}]},"
        "\"colliders\": [{\"name\": \"glass\", \"shape\": {\"type\": \"difference\", \"shape\": "
        "{\"type\": \"cylinder\", \"start\": [0, 0, 0], \"end\": [0, 0, 1], \"radius\": 0.5},"
        "\"subtract\": [{\"type\": \"cylinder\", \"start\": [0, 0, 0.1], \"end\": [0, 0, 2],"
        " \"radius\": 0.42}]}%s}],"
        "\"view\": {\"surface\": \"metaball\", \"camera\": {\"eye\": [0, -4, 0.5], \"target\": "
        "[0, 0, 0.5]}, \"background\": [0.5, 0.5, 0.5]}}";
    static const char *const LOOKS[2] = {"", ", \"look\": {\"material\": \"matte\"}"};
    int blue[2][2]; /* at the water and above it, for each look */
    for (int k = 0; k < 2; ++k) {
        char text[1600];
        mote_scene *scene;
        mo_studio s;
        snprintf(text, sizeof text, SCENE, 0.15, 0.5, LOOKS[k]);
        open_text(text, &s, &scene);
        draw_scene(&s, true, 200, 200);
        assert_true((s.maker.picture.hulls[MO_HULL_GLASS].triangle_count > 0) == (k == 0));
        for (int where = 0; where < 2; ++where) {
            double px, py, depth;
            mo_vec3 at = mo_vec3_make(0, -0.4, where ? 0.85 : 0.3);
            assert_true(mo_camera_project(&s.camera, 200, 200, at, &px, &py, &depth));
            const uint8_t *p = pixel(&STAGE, (int)px, (int)py);
            blue[k][where] = p[2] - p[0];
        }
        if (k == 0) {
            stage_save(&STAGE, "water_in_glass");
            /* the wall differs from the background */
            double px, py, depth;
            mo_camera_project(&s.camera, 200, 200, mo_vec3_make(-0.49, 0, 0.85), &px, &py, &depth);
            assert_true(channel_distance(pixel(&STAGE, (int)px, (int)py), pixel(&STAGE, 5, 100)) >
                        8);
        }
        close_all(&s, scene);
    }
    assert_true(blue[0][0] > blue[0][1] + 40);
    assert_true(abs(blue[1][0] - blue[1][1]) < 15); /* a matte one hides it */
}

/* Smooth triangles of a cube of eight vertices: every face has uniform brightness. */
static void test_creases(void **state)
{
    (void)state;
    double x[24];
    for (int k = 0; k < 8; ++k) {
        x[3 * k] = k & 1;
        x[3 * k + 1] = k >> 1 & 1;
        x[3 * k + 2] = k >> 2;
    }
    static const int32_t TRIANGLES[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double radius[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    mo_picture picture = {.count = 8,
                          .x = x,
                          .radius = radius,
                          .typical_radius = 0.01,
                          .triangle_count = 12,
                          .triangles = TRIANGLES};
    mo_look look = mo_look_default();
    look.shadows = look.occlusion = false;
    look.light = mo_vec3_make(0.3, -1, 0.5);
    mo_camera camera = mo_camera_default();
    camera.eye = mo_vec3_make(0.5, -6, 0.5);
    camera.target = mo_vec3_make(0.5, 0.5, 0.5);
    camera.angle = 0;
    camera.height = 1.2;
    stage_draw(&STAGE, &picture, &camera, &look, 120, 120);
    int middle = brightness(pixel(&STAGE, 60, 60));
    for (int k = 0; k < 4; ++k) {
        int px = k & 1 ? 107 : 13, py = k & 2 ? 107 : 13; /* near the corners of the face */
        assert_true(abs(brightness(pixel(&STAGE, px, py)) - middle) < 12);
    }
}

/* All annotations are within the reserved strip. */
static void test_legend_beside_scene(void **state)
{
    (void)state;
    mo_field field = {.label = "speed", .unit = "m/s"};
    mo_annotation a = {.field = &field, .map = "viridis", .low = 0, .high = 12.5, .time = 1.25};
    static const int SIZES[3][2] = {{960, 540}, {320, 240}, {1920, 1080}};
    for (int k = 0; k < 3; ++k) {
        mo_image image;
        int width = SIZES[k][0], height = SIZES[k][1];
        assert_int_equal(mo_annotation_margin(&a, width, height, &a.margin, NULL), MOTE_OK);
        assert_in_range(a.margin, 20, width / 2);
        assert_int_equal(mo_image_create(width, height, &image, NULL), MOTE_OK);
        assert_int_equal(mo_annotate(&image, &a, NULL), MOTE_OK);
        int written = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                bool here = mo_image_color(&image, x, y).a > 0;
                assert_true(!here || x >= width - a.margin);
                written += here;
            }
        }
        assert_true(written > 500);
        mo_image_destroy(&image);
    }
    a.field = NULL;
    assert_int_equal(mo_annotation_margin(&a, 960, 540, &a.margin, NULL), MOTE_OK);
    assert_int_equal(a.margin, 0);
}

/* A path passes through its keyframes, is constant beyond its ends, and a named camera replaces
 * the default. */
static void test_camera_path(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text("{" TIME ", \"view\": {\"camera\": {\"target\": [0, 0, 1], \"keyframes\": ["
              "{\"time\": 0, \"eye\": [4, 0, 1]}, {\"time\": 1, \"eye\": [0, 4, 1]},"
              "{\"time\": 3, \"eye\": [-4, 0, 1], \"target\": [0, 0, 2], \"field_of_view\": 50}]},"
              "\"cameras\": [{\"name\": \"top\", \"eye\": [0, 0, 9], \"target\": [0, 0, 0]}]}}",
              &s, &scene);
    const mo_scene_def *def = mo_show_def(s.show);
    static const double TIMES[5] = {-1, 0, 1, 3, 8};
    static const double EYES[5][2] = {{4, 0}, {4, 0}, {0, 4}, {-4, 0}, {-4, 0}};
    for (int k = 0; k < 5; ++k) {
        mo_camera c = mo_scene_camera(def, &s.extent, 1.5, TIMES[k]);
        assert_close(c.eye.x, EYES[k][0], 1e-12, "eye.x");
        assert_close(c.eye.y, EYES[k][1], 1e-12, "eye.y");
        assert_close(c.target.z, TIMES[k] >= 3 ? 2 : 1, 1e-12, "target.z");
    }
    mo_camera between = mo_scene_camera(def, &s.extent, 1.5, 0.5);
    assert_true(between.eye.x > 1 && between.eye.x < 3 && between.eye.y > 1);
    close_all(&s, scene);
    open_text("{" TIME ", \"view\": {\"use_camera\": \"top\", \"camera\": {\"eye\": [4, 0, 1]},"
              "\"cameras\": [{\"name\": \"top\", \"eye\": [0, 0, 9], \"target\": [0, 0, 0]}]}}",
              &s, &scene);
    mo_camera top = mo_scene_camera(mo_show_def(s.show), &s.extent, 1.5, 0);
    assert_close(top.eye.z, 9, 1e-12, "the named camera");
    close_all(&s, scene);
}

/* Fog attenuates distant objects towards the background; a second light brightens its side. */
static void test_fog_and_lights(void **state)
{
    (void)state;
    double x[6] = {-1, 0, 0, 1, 8, 0}, radius[2] = {0.8, 0.8};
    mo_picture picture = {.count = 2, .x = x, .radius = radius, .typical_radius = 0.8};
    mo_camera camera = mo_camera_default();
    camera.eye = mo_vec3_make(0, -12, 0);
    camera.target = mo_vec3_make(0, 0, 0);
    camera.angle = 0;
    camera.height = 4;
    mo_look look = plain_look();
    look.lit = true;
    look.shadows = look.occlusion = false;
    look.light = mo_vec3_make(0, -1, 0);
    int level[2][2];
    for (int fog = 0; fog < 2; ++fog) {
        look.fog = fog ? 3 : 0;
        stage_draw(&STAGE, &picture, &camera, &look, 200, 100);
        level[fog][0] = brightness(pixel(&STAGE, 75, 50));
        level[fog][1] = brightness(pixel(&STAGE, 125, 50));
    }
    assert_true(level[1][1] < level[1][0] - 60);
    assert_true(level[1][1] < level[0][1] - 100);
    look.fog = 0;
    int dim = brightness(pixel(&STAGE, 75, 50));
    look.light = mo_vec3_make(0, 1, 0); /* from behind */
    stage_draw(&STAGE, &picture, &camera, &look, 200, 100);
    dim = brightness(pixel(&STAGE, 75, 50));
    look.light_count = 1;
    look.lights[0].direction = mo_vec3_make(0, -1, 0);
    look.lights[0].color[0] = 1;
    stage_draw(&STAGE, &picture, &camera, &look, 200, 100);
    const uint8_t *p = pixel(&STAGE, 75, 50);
    assert_true(brightness(p) > dim + 30 && p[0] > p[2] + 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors_of_materials),
        cmocka_unit_test(test_default_colors),
        cmocka_unit_test(test_transparent_order),
        cmocka_unit_test(test_water_in_glass),
        cmocka_unit_test(test_creases),
        cmocka_unit_test(test_legend_beside_scene),
        cmocka_unit_test(test_camera_path),
        cmocka_unit_test(test_fog_and_lights),
    };
    STAGE_MAIN(tests);
}
