/*
 * Cost of boundary reactions of a fluid: steps with and without them, for one tank and for a
 * thousand small spheres in it. Steps of one run alternate in the order with, without, without,
 * with: reactions do not change the state, so both kinds do the same work.
 */
#include "base/error.h"
#include "base/timer.h"
#include "bench/bench.h"
#include "fluid/sph/reaction.h"
#include "mote/mote.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 10, STEPS = 80, QUICK_STEPS = 8 };

#define SPACING 0.025

/* A dam of 36 x 36 x 36 particles, with wall viscosity; spheres below its surface. */
static char *write_scene(int spheres)
{
    size_t size = 1500 + 120 * (size_t)spheres;
    char *text = malloc(size), *end = text;
    if (!text) {
        return NULL;
    }
    end += snprintf(
        end, size,
        "{\"time\": {\"end\": 9, \"step\": 0.0005}, \"fluid\": {\"spacing\": %g,"
        " \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.001}, \"phases\": [{\"fill\": "
        "[{\"type\":"
        " \"box\", \"min\": [0.0125, 0.0125, 0.0125], \"max\": [0.9125, 0.9125, 0.9125]}]}]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0],"
        " \"max\": [1.8, 0.925, 1.8]}}",
        SPACING);
    for (int k = 0; k < spheres; ++k) {
        end += sprintf(
            end,
            ", {\"shape\": {\"type\": \"sphere\", \"radius\": 0.01, \"center\": [%g, %g, %g]}}",
            0.05 + 0.09 * (k % SIDE), 0.05 + 0.09 * (k / SIDE % SIDE),
            0.05 + 0.09 * (k / (SIDE * SIDE)));
    }
    sprintf(end, "]}");
    return text;
}

static mote_status run_steps(mote_world *world, int steps, double seconds[2], mote_error *error)
{
    mo_fluid *f = &((mo_fluid_system *)world->systems[0].state)->fluid;
    MO_TRY(mo_fluid_want_reactions(f, error));
    for (int k = -4; k < steps; ++k) { /* the first ones allocate memory */
        bool with = k % 4 == 0 || k % 4 == 3 || k % 4 == -1;
        double begin = mo_clock();
        f->reacts = with;
        MO_TRY(mote_world_step(world, NULL, error));
        seconds[with] += k < 0 ? 0 : mo_clock() - begin;
    }
    return MOTE_OK;
}

static mote_status run_world(const bench *b, const char *name, int spheres, int threads,
                             mote_error *error)
{
    char *text = write_scene(spheres);
    mote_scene *scene;
    mote_world *world;
    mote_config config = mote_config_default();
    double seconds[2] = {0};
    int steps = b->quick ? QUICK_STEPS : STEPS;
    if (!text) {
        return mo_fail_memory(error, 0);
    }
    config.threads = threads;
    mote_status status = mote_scene_parse(text, &scene, error);
    free(text);
    MO_TRY(status);
    status = mote_world_create(scene, &config, &world, error);
    mote_scene_destroy(scene);
    MO_TRY(status);
    status = run_steps(world, steps, seconds, error);
    if (status == MOTE_OK) {
        double rows = (double)mote_world_rows(world, 0), half = 0.5 * steps;
        bench_row row = {.name = name,
                         .threads = threads,
                         .seconds = seconds[1] / half,
                         .rate = rows * half / seconds[1],
                         .unit = "particle-steps/s",
                         .baseline = rows * half / seconds[0]};
        snprintf(row.note, sizeof row.note,
                 "%d colliders, %.0f particles; baseline: the same without reactions", spheres + 1,
                 rows);
        bench_report(b, &row);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status run_threads(const bench *b, const char *name, int spheres, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        MO_TRY(run_world(b, name, spheres, threads[k], error));
    }
    return MOTE_OK;
}

static mote_status run_tank(void *context, mote_error *error)
{
    return run_threads(context, "reactions/tank", 0, error);
}

static mote_status run_spheres(void *context, mote_error *error)
{
    return run_threads(context, "reactions/spheres", SIDE * SIDE * SIDE, error);
}

static const suite_case CASES[] = {
    {"reactions/tank", "A dam break of 46,656 particles in one tank.", run_tank},
    {"reactions/spheres", "The same with a thousand small spheres in it.", run_spheres},
    {0}};

const suite_group bench_reactions = {"reactions", "Reactions of the boundary of a fluid.", CASES};
