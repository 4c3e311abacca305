/*
 * Cost of pressure solvers per simulated second of a tank, and conservation of volume.
 *
 * 12^3 particles in a half-empty tank for five seconds, with each solver at three step sizes. The
 * volume is that below the surface, proportional to the height of the centre of mass above the
 * lowest particles; reported is the relative difference of its mean over the last half second from
 * that over the second one. Times are CPU times of all threads.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/case_world.h"

#include <math.h>
#include <time.h>

static const char TANK[] =
    "{\"time\": {\"end\": 10, \"step\": %g},"
    " \"fluid\": {\"spacing\": 0.05, \"relax\": true, \"pressure\": \"%s\","
    "   \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.01},"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0.025, 0.025, 0.025], "
    "\"max\": [0.625, 0.625, 0.625]}]}]},"
    " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, "
    "0, 0], \"max\": [0.65, 0.65, "
    "1.25]}}]}";

static const double SPACING = 0.05, END = 5;

/* Sums over a run. */
typedef struct tally {
    int64_t steps;
    double iterations, error, height[2], seconds[2]; /* of the two intervals of the run */
} tally;

/* Of the centre of mass, above the lower sides of the lowest particles. */
static double height_of(const mote_world *world)
{
    mote_column x;
    double sum = 0;
    if (!mote_world_column_find(world, 0, "x", &x)) {
        return NAN;
    }
    for (int64_t row = 0; row < x.rows; ++row) {
        sum += ((const double *)x.data)[3 * row + 2] / (double)x.rows;
    }
    return sum - 0.5 * SPACING;
}

static mote_status run_tank(mote_world *world, double end, tally *t, mote_error *error)
{
    while (mote_world_time(world) < end) {
        mote_step_report report;
        MO_TRY(mote_world_step(world, &report, error));
        int part = report.time > 0.9 * end ? 1 : 0;
        t->steps++;
        t->iterations += report.iterations + report.divergence_iterations;
        t->error += report.density_error;
        if (part == 1 || (report.time > 0.1 * end && report.time < 0.2 * end)) {
            t->height[part] += report.dt * height_of(world);
            t->seconds[part] += report.dt;
        }
    }
    return MOTE_OK;
}

static mote_status run_step(const bench *b, const char *solver, double step, mote_error *error)
{
    char text[sizeof TANK + 60], name[80];
    mote_world *world;
    tally t = {0};
    double end = b->quick ? 0.1 : END;
    int threads = b->threads > 0 ? b->threads : 1;
    snprintf(text, sizeof text, TANK, step, solver);
    snprintf(name, sizeof name, "pressure/%s/%gms", solver, 1e3 * step);
    MO_TRY(case_world_create(text, NULL, threads, &world, error));
    clock_t begin = clock();
    mote_status status = run_tank(world, end, &t, error);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC / end, steps = (double)t.steps;
    mote_world_destroy(world);
    MO_TRY(status);
    bench_row row = {.name = name,
                     .threads = threads,
                     .seconds = seconds,
                     .rate = 1 / seconds,
                     .unit = "simulated s/s",
                     .baseline = NAN};
    snprintf(
        row.note, sizeof row.note,
        "%.2f s for a simulated second, %.1f iterations a step, density error %.3f %%, volume %+.2f %%",
        seconds, t.iterations / steps, 100 * t.error / steps,
        100 * (t.height[1] / t.seconds[1] / (t.height[0] / t.seconds[0]) - 1));
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_implicit(const bench *b, const char *solver, mote_error *error)
{
    static const double STEPS[] = {1e-3, 2e-3, 4e-3, 8e-3};
    for (int k = 0; k < 4; ++k) {
        MO_TRY(run_step(b, solver, STEPS[k], error));
    }
    return MOTE_OK;
}

static mote_status run_dfsph(void *context, mote_error *error)
{
    return run_implicit(context, "dfsph", error);
}

static mote_status run_iisph(void *context, mote_error *error)
{
    return run_implicit(context, "iisph", error);
}

static mote_status run_pbf(void *context, mote_error *error)
{
    return run_implicit(context, "pbf", error);
}

/* Sound crosses a spacing in 1.6 ms. */
static mote_status run_wcsph(void *context, mote_error *error)
{
    static const double STEPS[] = {1.5e-4, 3e-4, 6e-4};
    for (int k = 0; k < 3; ++k) {
        MO_TRY(run_step(context, "wcsph", STEPS[k], error));
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"pressure/dfsph", "A tank with dfsph, steps of 1 to 8 ms.", run_dfsph},
    {"pressure/iisph", "The same with iisph.", run_iisph},
    {"pressure/pbf", "The same with pbf.", run_pbf},
    {"pressure/wcsph", "The same with wcsph, steps of 0.15 to 0.6 ms.", run_wcsph},
    {0}};

const suite_group bench_pressure = {"pressure", "Pressure solvers and the sizes of their steps.",
                                    CASES};
