/*
 * `mote_view_bench`: time per image. A separate program, so that `mote` and its benchmarks do not
 * depend on graphics.
 *
 * Each row is the best of several images of 1280 x 720, drawn and read back, upload included. With
 * a software renderer, CPU time is the better measure on a busy machine.
 */
#include "base/timer.h"
#include "view/gl/gl_context.h"
#include "view/renderer/renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 1280, HEIGHT = 720, REPEATS = 5, EDGE = 224 };

typedef struct bench {
    mo_renderer *renderer;
    mo_image image;
    mote_error error;
} bench;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Particles in a block twice as wide as high, on a ground. */
static double *make_block(int64_t count)
{
    double *x = malloc(3 * (size_t)count * sizeof *x);
    uint64_t state = 1;
    for (int64_t i = 0; x && i < count; ++i) {
        x[3 * i] = 2 * uniform(&state) - 1;
        x[3 * i + 1] = 2 * uniform(&state) - 1;
        x[3 * i + 2] = uniform(&state);
    }
    return x;
}

static double *make_sheet(void)
{
    double *x = malloc(3 * EDGE * EDGE * sizeof *x);
    for (int i = 0; x && i < EDGE * EDGE; ++i) {
        double u = (i % EDGE) / (EDGE - 1.0) * 2 - 1, v = i / EDGE / (EDGE - 1.0) * 2 - 1;
        x[3 * i] = u;
        x[3 * i + 1] = v;
        x[3 * i + 2] = 0.5 + 0.2 * sin(5 * u) * cos(4 * v);
    }
    return x;
}

static int32_t *make_triangles(void)
{
    int32_t *triangles = malloc(6 * (EDGE - 1) * (EDGE - 1) * sizeof *triangles), *t = triangles;
    for (int32_t j = 0; triangles && j + 1 < EDGE; ++j) {
        for (int32_t i = 0; i + 1 < EDGE; ++i) {
            int32_t a = j * EDGE + i;
            *t++ = a, *t++ = a + 1, *t++ = a + EDGE + 1;
            *t++ = a, *t++ = a + EDGE + 1, *t++ = a + EDGE;
        }
    }
    return triangles;
}

static mote_status run(bench *b, const char *name, const mo_picture *picture, const mo_look *look)
{
    mo_camera camera = mo_camera_default();
    mo_vec3 low = {-1, -1, 0}, high = {1, 1, 1};
    double best = 1e300, least = 1e300;
    mo_camera_orbit(&camera, 0.4, 0);
    mo_camera_frame(&camera, low, high, (double)WIDTH / HEIGHT, 0.05);
    for (int k = 0; k < REPEATS; ++k) {
        double start = mo_clock();
        clock_t worked = clock();
        MO_TRY(mo_renderer_draw(b->renderer, picture, &camera, look, WIDTH, HEIGHT, &b->error));
        MO_TRY(mo_renderer_read(b->renderer, &b->image, &b->error));
        double seconds = mo_clock() - start;
        double work = (double)(clock() - worked) / CLOCKS_PER_SEC;
        best = seconds < best ? seconds : best;
        least = work < least ? work : least;
    }
    printf("%-44s %8.1f ms %8.1f ms of processor time\n", name, 1e3 * best, 1e3 * least);
    fflush(stdout);
    return MOTE_OK;
}

static mote_status run_spheres(bench *b, mo_picture picture)
{
    mo_look look = mo_look_default();
    picture.count = 100000;
    picture.typical_radius = 0.012;
    MO_TRY(run(b, "100,000 spheres, shadows and occlusion", &picture, &look));
    look.occlusion = false;
    MO_TRY(run(b, "100,000 spheres, shadows", &picture, &look));
    look.shadows = false;
    MO_TRY(run(b, "100,000 spheres, lit", &picture, &look));
    look.samples = 1;
    MO_TRY(run(b, "100,000 spheres, lit, rough outlines", &picture, &look));
    look = mo_look_default();
    look.particles = MO_PARTICLES_CUBES;
    MO_TRY(run(b, "100,000 cubes, shadows and occlusion", &picture, &look));
    picture.count = 2000;
    picture.typical_radius = 0.05;
    look.particles = MO_PARTICLES_SPHERES;
    return run(b, "2,000 spheres, shadows and occlusion", &picture, &look);
}

static mote_status run_all(bench *b, const double *block, const double *sheet,
                           const int32_t *triangles)
{
    mo_solid ground = {.kind = MO_SOLID_PLANE, .turn = {1, 0, 0, 0}};
    mo_picture picture = {.x = block, .solid_count = 1, .solids = &ground};
    mo_look look = mo_look_default();
    MO_TRY(run(b, "the ground alone", &picture, &look));
    look.particles = MO_PARTICLES_POINTS;
    look.glow = 0.02;
    picture.count = 1000000;
    picture.typical_radius = 0.001;
    MO_TRY(run(b, "1,000,000 points of light", &picture, &look));
    MO_TRY(run_spheres(b, picture));
    look = mo_look_default();
    look.particles = MO_PARTICLES_NONE;
    picture.count = EDGE * EDGE;
    picture.x = sheet;
    picture.triangles = triangles;
    picture.triangle_count = 2 * (EDGE - 1) * (EDGE - 1);
    return run(b, "100,000 triangles, shadows and occlusion", &picture, &look);
}

int main(void)
{
    bench b = {.image = {WIDTH, HEIGHT, malloc(4 * WIDTH * HEIGHT)}};
    mo_gl_context *context = NULL;
    double *block = make_block(1000000), *sheet = make_sheet();
    int32_t *triangles = make_triangles();
    mote_status status = mo_fail(&b.error, MOTE_ERROR_MEMORY, "out of memory");
    if (block && sheet && triangles && b.image.pixels) {
        status = mo_gl_context_create(&context, &b.error);
    }
    if (status == MOTE_OK) {
        char driver[256];
        mo_gl_describe(driver, sizeof driver);
        printf("%s\n", driver);
        status = mo_renderer_create(&b.renderer, &b.error);
    }
    if (status == MOTE_OK) {
        status = run_all(&b, block, sheet, triangles);
    }
    if (status != MOTE_OK) {
        fprintf(stderr, "%s\n", b.error.text);
    }
    mo_renderer_destroy(b.renderer);
    mo_gl_context_destroy(context);
    free(block);
    free(sheet);
    free(triangles);
    free(b.image.pixels);
    return status == MOTE_OK ? 0 : 1;
}
