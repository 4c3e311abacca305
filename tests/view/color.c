/*
 * Colours: exact without lighting, the ends of the map, unknown values, the background, overlays.
 */
#include "view/stage.h"

enum { W = 200, H = 100 };

static mo_camera make_camera(void)
{
    return (mo_camera){.eye = {0, 0, 5}, .up = {0, 1, 0}, .height = 2};
}

static void fill_map(uint8_t *map)
{
    for (int k = 0; k < 256; ++k) {
        map[3 * k] = (uint8_t)k;
        map[3 * k + 1] = (uint8_t)(255 - k / 2);
        map[3 * k + 2] = (uint8_t)(k / 4 + 90);
    }
}

static void assert_entry(int x, int y, const uint8_t *map, double entry)
{
    int low = (int)floor(entry), high = (int)ceil(entry);
    float color[3];
    for (int c = 0; c < 3; ++c) {
        color[c] = (float)(map[3 * low + c] + map[3 * high + c]) / 510;
    }
    assert_color(&STAGE, x, y, color, 1);
}

static const float VALUES[] = {-3, 2, 5, 8, 99, NAN};
static const double ENTRIES[] = {0, 0, 127.5, 255, 255, -1};

static void test_map_on_particles(void **state)
{
    (void)state;
    uint8_t map[768];
    fill_map(map);
    double x[18] = {0};
    for (int k = 0; k < 6; ++k) {
        x[3 * k] = -1.5 + 0.6 * k;
    }
    mo_picture picture = {.count = 6, .x = x, .values = VALUES, .typical_radius = 0.2};
    mo_look look = plain_look();
    mo_camera camera = make_camera();
    look.map = map;
    look.map_min = 2;
    look.map_max = 8;
    look.unknown_color[0] = 0.3f;
    for (int style = MO_PARTICLES_DISCS; style < MO_PARTICLE_STYLES; ++style) {
        look.particles = style;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        for (int k = 0; k < 6; ++k) {
            int px = 100 + (int)lrint(50 * x[3 * k]);
            if (ENTRIES[k] >= 0) {
                assert_entry(px, H / 2, map, ENTRIES[k]);
            } else {
                assert_color(&STAGE, px, H / 2, look.unknown_color, 1);
            }
        }
    }
    /* no range: the middle; a reversed range: the other end; no map: greys */
    look.map_max = 2;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_entry(100 - 75, H / 2, map, 127.5);
    look.map_min = 8;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_entry(100 - 45, H / 2, map, 255);
    look.map = NULL;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_color(&STAGE, 100 - 45, H / 2, (float[]){1, 1, 1}, 0);
}

/* Every entry of the map has its own value, without interpolation. */
static void test_map_entries(void **state)
{
    (void)state;
    uint8_t map[768] = {0};
    double x[] = {-1, 0, 0, 0, 0, 0, 1, 0, 0};
    float values[] = {0, 1, 2};
    mo_picture picture = {.count = 3, .x = x, .values = values, .typical_radius = 0.4};
    mo_look look = plain_look();
    mo_camera camera = make_camera();
    look.map = map;
    look.map_max = 255;
    for (int entry = 1; entry <= 254; entry += 23) {
        memset(map, 0, sizeof map);
        memset(map + 3 * entry, 255, 3);
        for (int k = 0; k < 3; ++k) {
            values[k] = (float)(entry + k - 1);
        }
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        assert_color(&STAGE, 50, 50, (float[]){0, 0, 0}, 2);
        assert_color(&STAGE, 100, 50, (float[]){1, 1, 1}, 2);
        assert_color(&STAGE, 150, 50, (float[]){0, 0, 0}, 2);
    }
}

static void test_map_on_triangles(void **state)
{
    (void)state;
    uint8_t map[768];
    fill_map(map);
    double x[] = {-1.8, -0.9, 0, 1.8, -0.9, 0, 1.8, 0.9, 0, -1.8, 0.9, 0};
    float vertices[12], values[] = {0, 1, 1, 0};
    int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    mo_look look = plain_look();
    mo_camera camera = make_camera();
    look.map = map;
    look.particles = MO_PARTICLES_NONE;
    for (int k = 0; k < 12; ++k) {
        vertices[k] = (float)x[k];
    }
    for (int surface = 0; surface < 2; ++surface) {
        mo_picture picture = {
            .count = 4, .x = x, .values = values, .triangle_count = 2, .triangles = triangles};
        if (surface) {
            picture = (mo_picture){.surface = {.vertex_count = 4,
                                               .triangle_count = 2,
                                               .vertices = vertices,
                                               .values = values,
                                               .triangles = triangles}};
        }
        values[0] = 0;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        for (int px = 12; px < 190; px += 8) {
            double t = ((px + 0.5 - 100) / 50 + 1.8) / 3.6;
            float color[3];
            for (int c = 0; c < 3; ++c) {
                double position = 255 * t;
                int k = (int)position;
                color[c] = (float)((map[3 * k + c] * (k + 1 - position) +
                                    map[3 * k + 3 + c] * (position - k)) /
                                   255);
            }
            assert_color(&STAGE, px, H / 2, color, 2);
        }
        values[0] = NAN;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        assert_color(&STAGE, 30, H - 20, look.unknown_color, 1);
    }
}

static void test_plain_colors(void **state)
{
    (void)state;
    double x[] = {0, 0, 0};
    mo_solid ball = {
        .kind = MO_SOLID_SPHERE, .center = {1, 0, 0}, .turn = {1, 0, 0, 0}, .half = {0.4, 0, 0}};
    mo_picture picture = {
        .count = 1, .x = x, .typical_radius = 0.4, .solid_count = 1, .solids = &ball};
    mo_look look = plain_look();
    mo_camera camera = make_camera();
    memcpy(look.color, (float[]){0.8f, 0.4f, 0.1f}, sizeof look.color);
    memcpy(look.solid_color, (float[]){0.02f, 0.5f, 0.9f}, sizeof look.solid_color);
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_color(&STAGE, 100, 50, look.color, 1);
    assert_color(&STAGE, 150, 50, look.solid_color, 1);
    assert_int_equal(pixel(&STAGE, 100, 50)[3], 255);
    assert_int_equal(pixel(&STAGE, 2, 2)[3], 255);
}

static void assert_background(const mo_look *look)
{
    for (int y = 0; y < H; y += 9) {
        float color[3], t = 1 - ((float)y + 0.5f) / H;
        for (int c = 0; c < 3; ++c) {
            color[c] = look->background_bottom[c] +
                       t * (look->background_top[c] - look->background_bottom[c]);
        }
        for (int x = 0; x < W; x += 19) {
            assert_color(&STAGE, x, y, color, 1);
        }
    }
}

static void test_background(void **state)
{
    (void)state;
    mo_picture empty = {0};
    mo_camera camera = make_camera();
    mo_look look = mo_look_default();
    memcpy(look.background_top, (float[]){0.9f, 0.2f, 0.01f}, sizeof look.background_top);
    memcpy(look.background_bottom, (float[]){0.1f, 0.6f, 0.03f}, sizeof look.background_bottom);
    for (int samples = 1; samples <= 4; samples += 3) {
        look.samples = samples;
        stage_draw(&STAGE, &empty, &camera, &look, W, H);
        assert_background(&look);
    }
    /* rows that are not finite are not drawn in any style */
    double x[] = {NAN, 0, 0, 0, INFINITY, 0};
    mo_picture broken = {.count = 2, .x = x, .typical_radius = 1};
    for (int style = 0; style < MO_PARTICLE_STYLES; ++style) {
        look.particles = style;
        stage_draw(&STAGE, &broken, &camera, &look, W, H);
        assert_background(&look);
    }
}

static void test_overlay(void **state)
{
    (void)state;
    uint8_t pixels[4 * 12];
    mo_image laid = {4, 3, pixels};
    mo_picture empty = {0};
    mo_camera camera = make_camera();
    mo_look look = plain_look();
    mote_error error = {0};
    for (int k = 0; k < 12; ++k) {
        memcpy(pixels + 4 * k, (uint8_t[]){200, (uint8_t)(20 * k), 40, k == 5 ? 0 : 255}, 4);
    }
    look.background_top[2] = look.background_bottom[2] = 1;
    stage_draw(&STAGE, &empty, &camera, &look, W, H);
    assert_int_equal(mo_renderer_overlay(STAGE.renderer, &laid, 10, 20, &error), MOTE_OK);
    assert_int_equal(mo_renderer_read(STAGE.renderer, &STAGE.image, &error), MOTE_OK);
    for (int k = 0; k < 12; ++k) {
        const uint8_t *p = pixel(&STAGE, 10 + k % 4, 20 + k / 4), blue[] = {0, 0, 255};
        assert_true(channel_distance(p, k == 5 ? blue : pixels + 4 * k) <= 1);
    }
    assert_color(&STAGE, 9, 20, look.background_top, 1);
    assert_color(&STAGE, 14, 20, look.background_top, 1);
    assert_color(&STAGE, 10, 19, look.background_top, 1);
    assert_color(&STAGE, 10, 23, look.background_top, 1);
    laid.width = 0;
    assert_int_equal(mo_renderer_overlay(STAGE.renderer, &laid, 0, 0, &error), MOTE_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_on_particles), cmocka_unit_test(test_map_entries),
        cmocka_unit_test(test_map_on_triangles), cmocka_unit_test(test_plain_colors),
        cmocka_unit_test(test_background),       cmocka_unit_test(test_overlay)};
    STAGE_MAIN(tests);
}
