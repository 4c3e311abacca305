/*
 * Dam breaks with every pressure solver at four sizes, in the scene used for SPlisHSPlasH.
 *
 * Spacing D = 0.05 m, support 2 D, cubic spline, mass 0.8 D^3 rho0, explicit viscosity 0.01 m^2/s,
 * no wall friction; the fluid on the lattice points (i, j, k) D, one layer of boundary particles on
 * the lattice points of the closed box.
 *
 * SPlisHSPlasH 2.16 (AVX, OpenMP) was measured on two cores of an EPYC (Zen 3: 100 GFLOP/s and 25
 * GB/s per core by `mote bench calibrate`). Its figures are in the notes, without a ratio, since
 * the contribution of the machine is unknown. Runs are long and their steps differ, so each is
 * timed once, from its start.
 */
#include "base/error.h"
#include "base/timer.h"
#include "bench/bench.h"
#include "fluid/pressure/pressure.h"
#include "mote/mote.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

typedef struct dam {
    const char *name;
    const char *solver;    /* as JSON */
    int column[3];         /* particles */
    double box[3];         /* m */
    const char *step;      /* as JSON */
    int steps;             /* of the window; 0: until `until` */
    double until;          /* s */
    const char *elsewhere; /* time of SPlisHSPlasH on the machine above; NULL: not measured */
    bool by_iteration;     /* the figure is per iteration of the solver */
} dam;

#define ELSEWHERE "SPlisHSPlasH 2.16 on an EPYC (Zen 3, 100 GFLOP/s, 25 GB/s a core): "
#define DFSPH "{\"type\": \"dfsph\", \"tolerance\": 1e-4, \"divergence_tolerance\": 1e-3}"
#define CFL "{\"type\": \"cfl\", \"factor\": 0.2, \"min\": 1e-4, \"max\": 5e-3}"
#define COLUMN_50K \
    { \
        40, 40, 32 \
    }
#define BOX_50K \
    { \
        4.0, 3.0, 1.65 \
    }

static const dam DAMS[] = {
    {"dam/50k/dt1ms", DFSPH, COLUMN_50K, BOX_50K, "0.001", 282, 0,
     "125 and 75 ms/step on 1 and 2 cores, 2.7 + 1 iterations", false},
    {"dam/50k/cfl", DFSPH, COLUMN_50K, BOX_50K, CFL, 0, 1,
     "271 (early part) and 139 ms/step on 1 and 2 cores, 760 steps, 8.8 + 1.6 iterations", false},
    {"dam/200k/cfl",
     DFSPH,
     {64, 64, 49},
     {6.4, 4.8, 2.5},
     CFL,
     0,
     0.23,
     "771 and 502 ms/step on 1 and 2 cores, 63 steps, 5.1 + 5.6 iterations",
     false},
    {"dam/1M/cfl",
     DFSPH,
     {100, 100, 100},
     {10, 7.5, 5.05},
     CFL,
     10,
     0,
     "3119 and 1797 ms/step on 1 and 2 cores, 2 + 1 iterations, 1083 MB",
     false},
    {.name = "dam/50k/iisph",
     .solver = "{\"type\": \"iisph\", \"tolerance\": 1e-3}",
     .column = COLUMN_50K,
     .box = BOX_50K,
     .step = "0.001",
     .steps = 282,
     .elsewhere = "88 ms an iteration on 1 core",
     .by_iteration = true},
    {.name = "dam/50k/pbf",
     .solver = "{\"type\": \"pbf\", \"tolerance\": 1e-3}",
     .column = COLUMN_50K,
     .box = BOX_50K,
     .step = "0.001",
     .steps = 282,
     .elsewhere = "78 ms an iteration on 1 core",
     .by_iteration = true},
    {.name = "dam/50k/wcsph",
     .solver = "\"wcsph\"",
     .column = COLUMN_50K,
     .box = BOX_50K,
     .step = CFL,
     .steps = 282,
     .elsewhere = "117 to 156 ms/step on 1 core"},
    {.name = "dam/50k/mueller2003",
     .solver = "\"mueller2003\"",
     .column = COLUMN_50K,
     .box = BOX_50K,
     .step = CFL,
     .steps = 282},
};

static void write_scene(const dam *d, char *text, size_t size)
{
    const double D = 0.05, half = 0.5 * D;
    snprintf(
        text, size,
        "{\"up\": \"y\", \"time\": {\"end\": 10, \"step\": %s},"
        " \"fluid\": {\"spacing\": %g, \"mass_scale\": 0.8, \"pressure\": %s,"
        "  \"boundary\": {\"type\": \"samples\", \"depth\": 0}, \"artificial_viscosity\": 0,"
        "  \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.01, \"wall\": 0},"
        "  \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [%g, %g, %g], \"max\": [%.17g, %.17g, "
        "%.17g]}]}]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0],"
        "  \"max\": [%g, %g, %g]}}]}",
        d->step, D, d->solver, half, half, half, half + d->column[0] * D, half + d->column[1] * D,
        half + d->column[2] * D, d->box[0], d->box[1], d->box[2]);
}

/* Sums over a run. */
typedef struct tally {
    int64_t steps;
    double seconds, iterations, divergence_iterations, error, error_max;
} tally;

static mote_status run_window(const dam *d, mote_world *world, tally *t, mote_error *error)
{
    const mo_fluid_report *fluid =
        &((const mo_fluid_system *)world->systems[0].state)->fluid.report;
    double begin = mo_clock();
    while (d->steps > 0 ? t->steps < d->steps : mote_world_time(world) < d->until) {
        MO_TRY(mote_world_step(world, NULL, error));
        t->steps++;
        t->iterations += fluid->iterations;
        t->divergence_iterations += fluid->divergence_iterations;
        t->error = fmax(t->error, fluid->density_error);
        t->error_max = fmax(t->error_max, fluid->density_error_max);
    }
    t->seconds = mo_clock() - begin;
    return MOTE_OK;
}

/* Seconds of the pressure stage: iterations, setup and update. */
static double pressure_seconds(const mote_world *world)
{
    double seconds = 0;
    for (int k = 0; k < mote_world_stage_count(world); ++k) {
        mote_stage stage = mote_world_stage(world, k);
        seconds += strcmp(stage.name, "pressure") == 0 ? stage.seconds : 0;
    }
    return seconds;
}

/* Per step, or per iteration of the solver. */
static bench_row measured(const dam *d, const mote_world *world, int threads, const tally *t)
{
    double steps = (double)t->steps, particles = (double)mote_world_rows(world, 0);
    bench_row row = {.name = d->name,
                     .threads = threads,
                     .seconds = t->seconds / steps,
                     .rate = particles * steps / t->seconds,
                     .unit = "particle-steps/s",
                     .baseline = NAN};
    if (d->by_iteration && t->iterations > 0) {
        row.seconds = pressure_seconds(world) / t->iterations;
        row.rate = particles / row.seconds;
        row.unit = "particle-iterations/s";
    }
    return row;
}

static void report(const bench *b, const dam *d, const mote_world *world, int threads,
                   const tally *t)
{
    double steps = (double)t->steps;
    bench_row row = measured(d, world, threads, t);
    snprintf(
        row.note, sizeof row.note,
        "%.1f ms/step, %lld steps, %.1f + %.1f iterations, density error at most %.4f %% (one particle "
        "%.2f %%), "
        "%.0f MB%s%s",
        1e3 * t->seconds / steps, (long long)t->steps, t->iterations / steps,
        t->divergence_iterations / steps, 100 * t->error, 100 * t->error_max,
        1e-6 * (double)mote_world_memory(world), d->elsewhere ? "; " ELSEWHERE : "",
        d->elsewhere ? d->elsewhere : "");
    bench_report(b, &row);
}

static mote_status run_dam(const bench *b, const dam *d, int threads, mote_error *error)
{
    char text[2048];
    mote_scene *scene;
    mote_world *world;
    mote_config config = mote_config_default();
    tally t = {0};
    write_scene(d, text, sizeof text);
    config.threads = threads;
    MO_TRY(mote_scene_parse(text, &scene, error));
    mote_status status = mote_world_create(scene, &config, &world, error);
    mote_scene_destroy(scene);
    MO_TRY(status);
    status = run_window(d, world, &t, error);
    if (status == MOTE_OK) {
        report(b, d, world, threads, &t);
    }
    mote_world_destroy(world);
    return status;
}

/* A case by its index in DAMS, for the requested numbers of threads. */
static mote_status run_case(const bench *b, int index, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    dam d = DAMS[index];
    if (b->quick) {
        d.steps = 5;
        d.elsewhere = NULL; /* measured with other steps */
    }
    for (int k = 0; k < count; ++k) {
        MO_TRY(run_dam(b, &d, threads[k], error));
    }
    return MOTE_OK;
}

static mote_status run_50k_fixed(void *context, mote_error *error)
{
    return run_case(context, 0, error);
}

static mote_status run_50k(void *context, mote_error *error)
{
    return run_case(context, 1, error);
}

static mote_status run_200k(void *context, mote_error *error)
{
    return run_case(context, 2, error);
}

static mote_status run_1m(void *context, mote_error *error)
{
    return run_case(context, 3, error);
}

static mote_status run_iisph(void *context, mote_error *error)
{
    return run_case(context, 4, error);
}

static mote_status run_pbf(void *context, mote_error *error)
{
    return run_case(context, 5, error);
}

static mote_status run_wcsph(void *context, mote_error *error)
{
    return run_case(context, 6, error);
}

static mote_status run_mueller2003(void *context, mote_error *error)
{
    return run_case(context, 7, error);
}

static const suite_case CASES[] = {
    {"dam/50k/dt1ms", "51,200 particles, steps of 1 ms, the first 282.", run_50k_fixed},
    {"dam/50k/cfl", "The same with steps by the Courant condition, 1 s.", run_50k},
    {"dam/200k/cfl", "200,704 particles, 0.23 s.", run_200k},
    {"dam/1M/cfl", "A million particles, the first 10 steps.", run_1m},
    {"dam/50k/iisph", "An iteration of iisph, 282 steps of 1 ms.", run_iisph},
    {"dam/50k/pbf", "An iteration of pbf, 282 steps of 1 ms.", run_pbf},
    {"dam/50k/wcsph", "wcsph with steps at its acoustic limit, the first 282.", run_wcsph},
    {"dam/50k/mueller2003", "The same with mueller2003.", run_mueller2003},
    {0}};

const suite_group bench_dam = {
    "dam", "Dam breaks, with the figures of SPlisHSPlasH on another machine.", CASES};
