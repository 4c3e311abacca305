/*
 * Checkpoints of a million particles.
 *
 * checkpoint/write: time from the world to a synced file (copy, hash, CRCs, zip, sync, rename). The
 * baseline is the disk: the same number of bytes by write and fsync to a file in the same
 * directory, before and after, the best of all.
 *
 * checkpoint/run: steps per second with a checkpoint every second of wall time in the background,
 * and without; segments of both kinds alternate, and the baseline is the rate without. CPU time is
 * reported separately for copying, which delays the run, and for writing, which does so only if no
 * core is free.
 */
#include "base/file.h"
#include "base/timer.h"
#include "bench/bench.h"
#include "bench/case_world.h"
#include "run/checkpoints.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char BLOCK[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-4}, \"integrator\": \"velocity_verlet\","
    " \"bodies\": [{\"mesh\": {\"type\": \"block\", \"nx\": 100, \"ny\": 100, \"nz\": 100, \"shear\": false},"
    "              \"mass\": 970, \"model\": {\"type\": \"spring\", \"k\": 10}}]}";

static const char DIRECTORY[] = "out/bench", PLAIN[] = "out/bench/plain.bin",
                  FILE_NAME[] = "out/bench/checkpoint.npz";

/* Bandwidth of a synced plain file in bytes per second. */
static double plain_speed(size_t bytes)
{
    enum { PIECE = 1 << 20 };
    char *piece = malloc(PIECE);
    int file = open(PLAIN, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = piece && file >= 0;
    double start = mo_clock();
    for (size_t done = 0; good && done < bytes; done += PIECE) {
        memset(piece, (int)(done / PIECE), PIECE);
        good = write(file, piece, PIECE) == PIECE;
    }
    good = good && fsync(file) == 0;
    double seconds = mo_clock() - start;
    if (file >= 0) {
        close(file);
    }
    unlink(PLAIN);
    free(piece);
    return good ? (double)bytes / seconds : 0;
}

typedef struct writing {
    mote_world *world;
    mote_snapshot *snapshot;
    mote_status status;
    mote_error error;
} writing;

static void write_checkpoint(void *context)
{
    writing *w = context;
    if (w->status == MOTE_OK) {
        w->status = mote_world_save(w->world, &w->snapshot, &w->error);
    }
    if (w->status == MOTE_OK) {
        w->status = mote_snapshot_write(w->snapshot, FILE_NAME, &w->error);
    }
}

static mote_status time_writing(const bench *b, mote_world *world, mote_error *error)
{
    bench_row row = {
        .name = "checkpoint/write", .threads = mote_world_threads(world), .unit = "bytes/s"};
    writing w = {.world = world};
    struct stat info = {0};
    double disk = 0;
    write_checkpoint(&w); /* memory is allocated, and the size is known */
    stat(FILE_NAME, &info);
    /* alternating, so that other disk traffic affects both */
    for (int k = 0; k < b->repeats; ++k) {
        bench once = *b;
        once.repeats = 1;
        disk = fmax(disk, plain_speed((size_t)info.st_size));
        double seconds = bench_best_seconds(&once, write_checkpoint, &w);
        row.seconds = k == 0 || seconds < row.seconds ? seconds : row.seconds;
    }
    row.rate = (double)info.st_size / row.seconds;
    row.baseline = disk;
    snprintf(row.note, sizeof row.note, "%.1f MB; plain disk writes reach %.3g MB/s",
             1e-6 * (double)info.st_size, 1e-6 * disk);
    bench_report(b, &row);
    mote_snapshot_destroy(w.snapshot);
    unlink(FILE_NAME);
    return w.status == MOTE_OK ? MOTE_OK : mo_fail(error, w.status, "%s", w.error.text);
}

/* Steps for `seconds`, with optional checkpoints; returns steps per second. */
static mote_status step_for(mote_world *world, double seconds, mo_checkpoints *checkpoints,
                            double *rate, mote_error *error)
{
    double start = mo_clock(), now = start;
    int64_t steps = 0;
    mo_run_state run = {.until = NAN, .frames = -1, .keep = 1};
    while (now - start < seconds) {
        MO_TRY(mote_world_step(world, NULL, error));
        if (checkpoints && mo_checkpoints_due(checkpoints, mote_world_time(world))) {
            MO_TRY(mo_checkpoints_take(checkpoints, world, &run, NULL, error));
        }
        steps++;
        now = mo_clock();
    }
    *rate = (double)steps / (now - start);
    return MOTE_OK;
}

static mote_status alternate(const bench *b, mote_world *world, mo_checkpoints *checkpoints,
                             bench_row *row, mote_error *error)
{
    double piece = b->quick ? 3 : 8, with, without, sum_with = 0, sum_without = 0;
    MO_TRY(step_for(world, 1.5, checkpoints, &with, error)); /* the first one allocates memory */
    for (int k = 0; k < b->repeats; ++k) {
        MO_TRY(mo_checkpoints_wait(checkpoints, error));
        MO_TRY(step_for(world, piece, NULL, &without, error));
        MO_TRY(step_for(world, piece, checkpoints, &with, error));
        sum_with += with;
        sum_without += without;
        row->rate = fmax(row->rate, with);
        row->baseline = fmax(row->baseline, without);
    }
    row->seconds = 1 / row->rate;
    MO_TRY(mo_checkpoints_wait(checkpoints, error));
    double copied, written, each = 1e3 / fmax(1, mo_checkpoints_written(checkpoints));
    mo_checkpoints_cpu(checkpoints, &copied, &written);
    snprintf(
        row->note, sizeof row->note,
        "every second; %.1f %% slower, on average %.1f %%; CPU of each: %.0f ms copying, %.0f ms writing",
        100 * (row->baseline / row->rate - 1), 100 * (sum_without / sum_with - 1), each * copied,
        each * written);
    return MOTE_OK;
}

static mote_status time_run(const bench *b, mote_world *world, mote_error *error)
{
    bench_row row = {
        .name = "checkpoint/run", .threads = mote_world_threads(world), .unit = "steps/s"};
    mo_memory memory;
    mo_checkpoints *checkpoints = NULL;
    mo_checkpoint_plan plan = {DIRECTORY, "bench", 0, 1, 1, false};
    mo_memory_init(&memory, NULL);
    MO_TRY(mo_checkpoints_create(&memory, &plan, 0, &checkpoints, error));
    mote_status status = alternate(b, world, checkpoints, &row, error);
    unlink(mo_checkpoints_last_file(checkpoints));
    mo_checkpoints_destroy(checkpoints);
    if (status == MOTE_OK) {
        bench_report(b, &row);
    }
    return status;
}

static mote_status with_world(const bench *b, int threads,
                              mote_status (*time)(const bench *, mote_world *, mote_error *),
                              mote_error *error)
{
    mote_world *world;
    MO_TRY(mo_directory_create(DIRECTORY, error));
    MO_TRY(case_world_create(BLOCK, NULL, threads, &world, error));
    mote_status status = time(b, world, error);
    mote_world_destroy(world);
    return status;
}

static mote_status run_writing(void *context, mote_error *error)
{
    return with_world(context, 1, time_writing, error);
}

static mote_status run_stepping(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    for (int k = 0; k < count; ++k) {
        MO_TRY(with_world(b, threads[k], time_run, error));
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"checkpoint/write", "A checkpoint of a million particles, compared with plain disk writes.",
     run_writing},
    {"checkpoint/run", "A run with a checkpoint every second, compared with one without.",
     run_stepping},
    {0}};

const suite_group bench_checkpoint = {"checkpoint", "Checkpoints of a million particles.", CASES};
