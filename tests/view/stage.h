/*
 * Fixture of the renderer's tests: a context and a renderer (the test is skipped without OpenGL),
 * access to pixels, and pictures saved under `pictures/` for inspection.
 */
#ifndef TEST_VIEW_STAGE_H
#define TEST_VIEW_STAGE_H

#include "test.h"

#include "draw/png.h"
#include "view/gl/gl_context.h"
#include "view/picture/pick.h"
#include "view/renderer/renderer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SKIPPED = 77 };

static const double PI = 3.14159265358979323846;

typedef struct stage {
    mo_gl_context *context;
    mo_renderer *renderer;
    mo_image image;
} stage;

static stage STAGE;

/* Returns 0, or the exit code of the test. */
static inline int stage_open(stage *s)
{
    mote_error error = {0};
    *s = (stage){0};
    if (mo_gl_context_create(&s->context, &error) != MOTE_OK) {
        printf("skipped: %s\n", error.text);
        return SKIPPED;
    }
    if (mo_renderer_create(&s->renderer, &error) != MOTE_OK) {
        printf("%s\n", error.text);
        return 1;
    }
    return 0;
}

static inline void stage_close(stage *s)
{
    mo_renderer_destroy(s->renderer);
    mo_gl_context_destroy(s->context);
    free(s->image.pixels);
}

static inline void stage_draw(stage *s, const mo_picture *picture, const mo_camera *camera,
                              const mo_look *look, int width, int height)
{
    mote_error error = {0};
    if (s->image.width != width || s->image.height != height) {
        free(s->image.pixels);
        s->image = (mo_image){width, height, malloc(4 * (size_t)width * (size_t)height)};
    }
    if (mo_renderer_draw(s->renderer, picture, camera, look, width, height, &error) != MOTE_OK ||
        mo_renderer_read(s->renderer, &s->image, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static inline const uint8_t *pixel(const stage *s, int x, int y)
{
    assert_true(x >= 0 && y >= 0 && x < s->image.width && y < s->image.height);
    return s->image.pixels + 4 * ((size_t)y * (size_t)s->image.width + (size_t)x);
}

static inline int brightness(const uint8_t *p)
{
    return p[0] + p[1] + p[2];
}

static inline int channel_distance(const uint8_t *a, const uint8_t *b)
{
    int most = 0;
    for (int k = 0; k < 3; ++k) {
        most = abs(a[k] - b[k]) > most ? abs(a[k] - b[k]) : most;
    }
    return most;
}

static inline void assert_color(const stage *s, int x, int y, const float color[3], int tolerance)
{
    uint8_t wanted[3];
    for (int k = 0; k < 3; ++k) {
        wanted[k] = (uint8_t)lrintf(255 * color[k]);
    }
    const uint8_t *p = pixel(s, x, y);
    if (channel_distance(p, wanted) > tolerance) {
        fail_msg("(%d, %d) is %d %d %d, not %d %d %d", x, y, p[0], p[1], p[2], wanted[0], wanted[1],
                 wanted[2]);
    }
}

/* Pixel coverage of an unlit white object on black: sum and centroid. */
typedef struct blob {
    double area, x, y, left, right, top, bottom;
} blob;

static inline double light_of(uint8_t encoded)
{
    double c = encoded / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static inline blob measure(const stage *s)
{
    blob b = {.left = 1e9, .right = -1e9, .top = 1e9, .bottom = -1e9};
    for (int y = 0; y < s->image.height; ++y) {
        for (int x = 0; x < s->image.width; ++x) {
            double light = light_of(pixel(s, x, y)[1]);
            b.area += light;
            b.x += light * (x + 0.5);
            b.y += light * (y + 0.5);
            if (light > 0.5) {
                b.left = fmin(b.left, x);
                b.right = fmax(b.right, x + 1);
                b.top = fmin(b.top, y);
                b.bottom = fmax(b.bottom, y + 1);
            }
        }
    }
    b.x /= b.area;
    b.y /= b.area;
    return b;
}

/* White on black without light, so that pixels count coverage. */
static inline mo_look plain_look(void)
{
    mo_look look = mo_look_default();
    look.lit = false;
    for (int k = 0; k < 3; ++k) {
        look.color[k] = look.triangle_color[k] = look.surface_color[k] = look.solid_color[k] = 1;
        look.spring_color[k] = 1;
        look.background_top[k] = look.background_bottom[k] = 0;
    }
    return look;
}

static inline void assert_close(double a, double b, double tolerance, const char *what)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%s: %.6g is not %.6g (within %g)", what, a, b, tolerance);
    }
}

#define STAGE_MAIN(tests) \
    int stage_status = stage_open(&STAGE); \
    if (stage_status != 0) { \
        return stage_status; \
    } \
    stage_status = cmocka_run_group_tests(tests, NULL, NULL); \
    stage_close(&STAGE); \
    return stage_status

/* Saves the image as pictures/NAME.png. */
static inline void stage_save(const stage *s, const char *name)
{
    char path[256];
    mote_error error = {0};
    mkdir("pictures", 0777);
    snprintf(path, sizeof path, "pictures/%s.png", name);
    if (mo_png_write(path, &s->image, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

#endif
