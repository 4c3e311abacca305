/*
 * Cost of rigid bodies in a fluid: steps of a pool of 200,000 particles with a thousand floating
 * boxes, and without them, alternately in one run.
 */
#include "base/error.h"
#include "base/timer.h"
#include "bench/bench.h"
#include "bench/case_world.h"
#include "mote/mote.h"

#include <stdio.h>

enum { STEPS = 10, QUICK_STEPS = 2, WARM_UP = 5, QUICK_WARM_UP = 1 };

/* Boxes of two and a half spacings, half of it below the surface. */
static const char POOL[] =
    "{\"time\": {\"end\": 9, \"step\": 0.002}, \"fluid\": {\"spacing\": 0.02, \"phases\": [{\"fill\":"
    " [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [%g, %g, 0.4]}]}]},"
    " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0],"
    " \"max\": [%g, %g, 1]}}]%s}";

static const char BOXES[] =
    ", \"bodies\": [{\"model\": \"rigid\", \"density\": 500, \"copies\": [{\"count\": %d, \"step\":"
    " [0.0625, 0, 0]}, {\"count\": %d, \"step\": [0, 0.0625, 0]}], \"shape\": {\"type\": \"box\","
    " \"min\": [0.01, 0.01, 0.375], \"max\": [0.06, 0.06, 0.425]}}]";

static mote_status create(int side, bool boxes, int threads, mote_world **world, mote_error *error)
{
    char text[sizeof POOL + sizeof BOXES + 200], bodies[sizeof BOXES + 40] = "";
    double width = 0.0625 * side;
    if (boxes) {
        snprintf(bodies, sizeof bodies, BOXES, side, side);
    }
    snprintf(text, sizeof text, POOL, width, width, width, width, bodies);
    return case_world_create(text, NULL, threads, world, error);
}

/* Seconds of one step. */
static mote_status step(mote_world *world, double *seconds, double *iterations, mote_error *error)
{
    mote_step_report report;
    double begin = mo_clock();
    MO_TRY(mote_world_step(world, &report, error));
    *seconds += mo_clock() - begin;
    *iterations += report.iterations + report.divergence_iterations;
    return MOTE_OK;
}

static mote_status run_pair(const bench *b, mote_world *const worlds[2], int side, int threads,
                            mote_error *error)
{
    int steps = b->quick ? QUICK_STEPS : STEPS, warm_up = b->quick ? QUICK_WARM_UP : WARM_UP;
    double seconds[2] = {0}, iterations[2] = {0};
    for (int k = 0; k < warm_up + steps; ++k) {
        if (k == warm_up) {
            seconds[0] = seconds[1] = iterations[0] = iterations[1] = 0;
        }
        MO_TRY(step(worlds[k % 2], &seconds[k % 2], &iterations[k % 2], error));
        MO_TRY(step(worlds[1 - k % 2], &seconds[1 - k % 2], &iterations[1 - k % 2], error));
    }
    double rows = (double)mote_world_rows(worlds[1], 0);
    bench_row row = {.name = "coupled/boxes",
                     .threads = threads,
                     .seconds = seconds[1] / steps,
                     .rate = rows * steps / seconds[1],
                     .unit = "particle-steps/s",
                     .baseline = (double)mote_world_rows(worlds[0], 0) * steps / seconds[0]};
    snprintf(row.note, sizeof row.note,
             "%d boxes, %.0f particles, %.1f iterations; baseline: without boxes, %.1f iterations",
             side * side, rows, iterations[1] / steps, iterations[0] / steps);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_boxes(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    int side = b->quick ? 8 : 32;
    mote_status status = MOTE_OK;
    for (int k = 0; k < count && status == MOTE_OK; ++k) {
        mote_world *worlds[2] = {NULL, NULL};
        status = create(side, false, threads[k], &worlds[0], error);
        status = status == MOTE_OK ? create(side, true, threads[k], &worlds[1], error) : status;
        status = status == MOTE_OK ? run_pair(b, worlds, side, threads[k], error) : status;
        for (int w = 0; w < 2; ++w) {
            mote_world_destroy(worlds[w]);
        }
    }
    return status;
}

static const suite_case CASES[] = {
    {"coupled/boxes", "A thousand boxes on a pool of 200,000 particles.", run_boxes}, {0}};

const suite_group bench_coupled = {"coupled", "Rigid bodies in a fluid.", CASES};
