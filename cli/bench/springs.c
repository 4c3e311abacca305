/*
 * Steps of spring networks: a million particles, limited by memory, and two, which show the
 * overhead of a step.
 *
 * springs/1000000 is a block of 100^3 nodes connected along the axes (2.97 million springs),
 * advanced by symplectic_euler without damping and gravity. The minimum traffic of a step in bytes:
 *
 *   per spring     16   two rows and the inverse rest length; springs between two blocks of rows
 *                       are stored and computed twice, which is not counted
 *   per particle   56   forces: reads x (24) and inverse mass (8), writes a (24)
 *                 120   update: reads a (24), reads and writes v (48) and x (48)
 *                  32   check: reads v (24) and the inverse diameter (8)
 *
 * The baseline is the rate at the bandwidth of the triad in main memory, measured in the same run.
 * A third-level cache that contains much of the 0.3 GB may exceed it.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/calibrate.h"
#include "bench/case_world.h"

#include <math.h>

enum { BYTES_SPRING = 16, BYTES_PARTICLE = 56 + 120 + 32 };

/* The lightest nodes of the surface have an eighth of 1 g, the springs 990 N/m: omega h is below
 * 0.6. */
static const char BLOCK[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-4}, \"integrator\": \"symplectic_euler\","
    " \"bodies\": [{\"mesh\": {\"type\": \"block\", \"nx\": 100, \"ny\": 100, \"nz\": 100, \"shear\": false},"
    "              \"mass\": 970, \"model\": {\"type\": \"spring\", \"k\": 10}}]}";

static const char PAIR[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-4}, \"integrator\": \"symplectic_euler\","
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0]],"
    "                          \"edges\": [0, 1]},"
    "              \"mass\": 2, \"model\": {\"type\": \"spring\", \"k\": 100}}]}";

/* A world and the number of steps timed together. */
/* Small velocities that differ between rows, so that every spring is deformed. */
static void stir(mote_world *world)
{
    mote_column v;
    if (!mote_world_column_find(world, 0, "v", &v)) {
        return;
    }
    for (int64_t k = 0; k < 3 * v.rows; ++k) {
        ((double *)v.data)[k] = 1e-3 * (double)(k * 7919 % 1000 - 500) / 500;
    }
    mote_world_invalidate(world, 0);
}

/* Best seconds of one step, after as many untimed steps. */
static mote_status time_step(const bench *b, mote_world *world, int steps, double *seconds,
                             mote_error *error)
{
    case_stepping s = {.world = world, .steps = steps};
    case_take_steps(&s);
    *seconds = bench_best_seconds(b, case_take_steps, &s) / steps;
    return s.status == MOTE_OK ? MOTE_OK : mo_fail(error, s.status, "%s", s.error.text);
}

static double least_bytes(const mote_world *world)
{
    const int32_t *rows;
    double springs = (double)mote_world_edges(world, 0, &rows);
    return BYTES_SPRING * springs + BYTES_PARTICLE * (double)mote_world_rows(world, 0);
}

static mote_status time_block(const bench *b, mote_world *world, int threads, mote_error *error)
{
    bench_row row = {
        .name = "springs/1000000", .threads = threads, .unit = "particle-steps/s", .baseline = NAN};
    double particles = (double)mote_world_rows(world, 0);
    double bandwidth = calibrate_memory_bandwidth(threads);
    stir(world);
    MO_TRY(time_step(b, world, b->quick ? 2 : 5, &row.seconds, error));
    row.rate = particles / row.seconds;
    /* measured before and after, so that temporary load does not lower the limit */
    bandwidth = fmax(bandwidth, calibrate_memory_bandwidth(threads));
    double limit = least_bytes(world) / bandwidth;
    row.baseline = bandwidth > 0 ? particles / limit : NAN;
    snprintf(
        row.note, sizeof row.note,
        "%d bytes a spring, %d a particle; %.4g s at the memory's %.3g GB/s: %.2f times the limit",
        BYTES_SPRING, BYTES_PARTICLE, limit, 1e-9 * bandwidth, row.seconds / limit);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_block(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        mote_world *world;
        MO_TRY(case_world_create(BLOCK, NULL, threads[k], &world, error));
        mote_status status = time_block(b, world, threads[k], error);
        mote_world_destroy(world);
        MO_TRY(status);
    }
    return MOTE_OK;
}

static mote_status time_pair(const bench *b, mote_world *world, mote_error *error)
{
    bench_row row = {.name = "springs/2", .threads = 1, .unit = "steps/s", .baseline = NAN};
    stir(world);
    MO_TRY(time_step(b, world, b->quick ? 20000 : 200000, &row.seconds, error));
    row.rate = 1 / row.seconds;
    snprintf(row.note, sizeof row.note, "%.1f ns a step", 1e9 * row.seconds);
    bench_report(b, &row);
    return MOTE_OK;
}

/* On one thread: two particles are one block of work. */
static mote_status run_pair(void *context, mote_error *error)
{
    mote_world *world;
    MO_TRY(case_world_create(PAIR, NULL, 1, &world, error));
    mote_status status = time_pair(context, world, error);
    mote_world_destroy(world);
    return status;
}

static const suite_case CASES[] = {
    {"springs/1000000", "A block of a million particles, beside the memory's limit.", run_block},
    {"springs/2", "Two particles: what a step costs beside its work.", run_pair},
    {0}};

const suite_group bench_springs = {"springs", "Steps of spring networks.", CASES};
