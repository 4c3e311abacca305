/*
 * Cost per pair of the passes of fluid solvers, compared with the memory bandwidth: per pair, its
 * index and kernel gradient factor are read from memory, 8 bytes; positions, velocities and
 * accelerations of neighbours are reused from the caches. The limit is 8 bytes over the triad's
 * bandwidth in main memory; the lists of the smaller scene fit into a large third-level cache and
 * may exceed it.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/calibrate.h"
#include "bench/case_world.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <stdio.h>

static const char SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.0005},"
    " \"fluid\": {\"spacing\": 0.05, \"pressure\": {\"type\": \"dfsph\", \"max_iterations\": 3},"
    "  \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1.6, 2, 2]}]}]}}";

enum { LIST_BYTES = 8, AFTER = 5 };

typedef struct timed {
    mo_fluid *fluid;
    const float *k;
} timed;

static void push(void *context)
{
    timed *t = context;
    mo_fluid_accelerate(t->fluid, t->k);
}

static void rates(void *context)
{
    timed *t = context;
    mo_fluid_rates(t->fluid, t->fluid->acceleration, false, t->fluid->rate);
}

static void refresh(void *context)
{
    timed *t = context;
    mo_fluid_refresh(t->fluid);
}

static double pairs_of(const mo_fluid *f)
{
    double pairs = 0;
    for (int64_t row = 0; row < f->rows; ++row) {
        pairs += f->lists->count[row];
    }
    return pairs;
}

static void report(const bench *b, const char *scene, const char *pass, int threads, double seconds,
                   double pairs, double bandwidth)
{
    char name[64];
    snprintf(name, sizeof name, "passes/%s/%s", scene, pass);
    bench_row row = {.name = name,
                     .threads = threads,
                     .seconds = seconds,
                     .rate = pairs / seconds,
                     .unit = "pairs/s",
                     .baseline = bandwidth / LIST_BYTES};
    snprintf(row.note, sizeof row.note, "%.2f ns a pair; by memory %.2f", 1e9 * seconds / pairs,
             1e9 * LIST_BYTES / bandwidth);
    bench_report(b, &row);
}

static mote_status run_scene(const bench *b, const char *name, const char *corner, int threads,
                             mote_error *error)
{
    static const struct {
        const char *name;
        void (*pass)(void *timed);
    } PASSES[] = {{"refresh", refresh}, {"push", push}, {"rates", rates}};
    const case_change changes[] = {{"fluid.phases[0].fill[0].max", corner}, {0}};
    mote_world *world;
    double bandwidth = calibrate_memory_bandwidth(threads);
    MO_TRY(case_world_create(SCENE, changes, threads, &world, error));
    case_stepping stepping = {world, AFTER, MOTE_OK, {0}};
    case_take_steps(&stepping);
    if (stepping.status != MOTE_OK) {
        mote_world_destroy(world);
        return mo_fail(error, stepping.status, "%s", stepping.error.text);
    }
    mo_fluid *f = &((mo_fluid_system *)world->systems[0].state)->fluid;
    timed t = {f, f->density}; /* arbitrary values as pressures */
    double pairs = pairs_of(f);
    mo_fluid_repack(f);
    for (size_t k = 0; k < sizeof PASSES / sizeof *PASSES; ++k) {
        report(b, name, PASSES[k].name, threads, bench_best_seconds(b, PASSES[k].pass, &t), pairs,
               bandwidth);
    }
    mote_world_destroy(world);
    return MOTE_OK;
}

static mote_status run(const bench *b, const char *name, const char *corner, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        MO_TRY(run_scene(b, name, corner, threads[k], error));
    }
    return MOTE_OK;
}

static mote_status run_50k(void *context, mote_error *error)
{
    return run(context, "50k", "[1.6, 2, 2]", error);
}

static mote_status run_1m(void *context, mote_error *error)
{
    return run(context, "1M", "[5, 5, 5]", error);
}

static const suite_case CASES[] = {
    {"passes/50k/", "51,200 particles: refresh, push, rates.", run_50k},
    {"passes/1M/", "A million.", run_1m},
    {0}};

const suite_group bench_passes = {"passes", "Cost per fluid particle pair in each pass.", CASES};
