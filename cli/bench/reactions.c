/*
 * Cost of reactions on colliders: steps with and without them, of a fluid in one tank and with a
 * thousand small spheres in it, and of particles that fall through a thousand spheres. Steps of one
 * run alternate in the order with, without, without, with: reactions do not change the state, so
 * both kinds do the same work.
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

/* 27,000 particles that fall through a lattice of a thousand spheres. */
static char *write_rain(int spheres)
{
    size_t size = 1500 + 160 * (size_t)spheres;
    char *text = malloc(size), *end = text;
    if (!text) {
        return NULL;
    }
    end += snprintf(
        end, size,
        "{\"time\": {\"end\": 9, \"step\": 0.0005}, \"integrator\": \"velocity_verlet\","
        " \"bodies\": [{\"radius\": 0.01, \"mass\": 27, \"velocity\": [0.5, 0.3, -2], \"mesh\":"
        " {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 30, \"ny\": 30, \"nz\": 30,"
        " \"spacing\": 0.0317, \"origin\": [0.03, 0.02, 0.04]}}], \"colliders\": [");
    for (int k = 0; k < spheres; ++k) {
        end += sprintf(end,
                       "%s{\"restitution\": 0.5, \"friction\": 0.2, \"shape\": {\"type\":"
                       " \"sphere\", \"radius\": 0.03, \"center\": [%g, %g, %g]}}",
                       k ? ", " : "", 0.05 + 0.1 * (k % SIDE), 0.05 + 0.1 * (k / SIDE % SIDE),
                       0.05 + 0.1 * (k / (SIDE * SIDE)));
    }
    sprintf(end, "]}");
    return text;
}

static mote_status run_steps(mote_world *world, bool fluid, int steps, double seconds[2],
                             mote_error *error)
{
    mo_fluid *f = fluid ? &((mo_fluid_system *)world->systems[0].state)->fluid : NULL;
    MO_TRY(f ? mo_fluid_want_reactions(f, error) : MOTE_OK);
    for (int k = -4; k < steps; ++k) { /* the first ones allocate memory */
        bool with = k % 4 == 0 || k % 4 == 3 || k % 4 == -1;
        double begin = mo_clock();
        if (f) {
            f->reacts = with;
        } else {
            world->host.wants_reactions = with;
        }
        MO_TRY(mote_world_step(world, NULL, error));
        seconds[with] += k < 0 ? 0 : mo_clock() - begin;
    }
    return MOTE_OK;
}

/* fluid: with its tank, which is one more collider. */
static mote_status run_world(const bench *b, const char *name, bool fluid, int spheres, int threads,
                             mote_error *error)
{
    char *text = fluid ? write_scene(spheres) : write_rain(spheres);
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
    status = run_steps(world, fluid, steps, seconds, error);
    if (status == MOTE_OK) {
        double rows = (double)mote_world_rows(world, 0), half = 0.5 * steps;
        bench_row row = {.name = name,
                         .threads = threads,
                         .seconds = seconds[1] / half,
                         .rate = rows * half / seconds[1],
                         .unit = "particle-steps/s",
                         .baseline = rows * half / seconds[0]};
        snprintf(row.note, sizeof row.note,
                 "%d colliders, %.0f particles; baseline: the same without reactions",
                 fluid ? spheres + 1 : spheres, rows);
        bench_report(b, &row);
    }
    mote_world_destroy(world);
    return status;
}

static mote_status run_threads(const bench *b, const char *name, bool fluid, int spheres,
                               mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        MO_TRY(run_world(b, name, fluid, spheres, threads[k], error));
    }
    return MOTE_OK;
}

static mote_status run_tank(void *context, mote_error *error)
{
    return run_threads(context, "reactions/tank", true, 0, error);
}

static mote_status run_spheres(void *context, mote_error *error)
{
    return run_threads(context, "reactions/spheres", true, SIDE * SIDE * SIDE, error);
}

static mote_status run_rain(void *context, mote_error *error)
{
    return run_threads(context, "reactions/rain", false, SIDE * SIDE * SIDE, error);
}

static const suite_case CASES[] = {
    {"reactions/tank", "A dam break of 46,656 particles in one tank.", run_tank},
    {"reactions/spheres", "The same with a thousand small spheres in it.", run_spheres},
    {"reactions/rain", "27,000 particles that fall through a thousand spheres.", run_rain},
    {0}};

const suite_group bench_reactions = {"reactions", "Reactions of fluids and contacts on colliders.",
                                     CASES};
