#include "run/checkpoints.h"

#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096 };

struct mo_checkpoints {
    mo_memory *memory;
    mo_checkpoint_plan plan;
    char prefix[300]; /* "name.checkpoint." */
    double next_time, last_wall, seconds, copying, writing;
    int64_t last_steps;  /* of the last one taken; -1: none */
    int64_t first_steps; /* of the first of this run; older files belong to another run */
    mote_snapshot *snapshot;
    /* shared with the thread, which runs from pthread_create until `done` */
    pthread_t thread;
    bool running;
    atomic_bool done;
    char path[PATH_LENGTH];
    mote_status status;
    mote_error error;
    int written;
    char last[PATH_LENGTH];
};

static void schedule(mo_checkpoints *c, double time)
{
    c->last_wall = mo_clock();
    c->next_time =
        c->plan.every > 0 ? (floor(time / c->plan.every * (1 + 1e-12)) + 1) * c->plan.every : 0;
}

mote_status mo_checkpoints_create(mo_memory *memory, const mo_checkpoint_plan *plan, double time,
                                  mo_checkpoints **out, mote_error *error)
{
    mo_checkpoints *c = mo_allocate(memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    c->memory = memory;
    c->plan = *plan;
    c->last_steps = -1;
    c->first_steps = plan->resumed ? 0 : -1;
    snprintf(c->prefix, sizeof c->prefix, "%.255s.checkpoint.", plan->name);
    schedule(c, time);
    *out = c;
    return MOTE_OK;
}

bool mo_checkpoints_due(const mo_checkpoints *c, double time)
{
    bool by_time = c->plan.every > 0 && time >= c->next_time * (1 - 1e-12);
    return by_time || (c->plan.wall > 0 && mo_clock() - c->last_wall >= c->plan.wall);
}

static double thread_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- in the thread: uses the C library's memory only, not the world ---- */

/* The number in "prefix000000120.npz"; -1 for other names. */
static int64_t number_of(const mo_checkpoints *c, const char *file)
{
    size_t length = strlen(c->prefix);
    char *end;
    if (strncmp(file, c->prefix, length) != 0 || file[length] < '0' || file[length] > '9') {
        return -1;
    }
    int64_t number = strtoll(file + length, &end, 10);
    return strcmp(end, ".npz") == 0 ? number : -1;
}

static int compare_down(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p < q) - (p > q);
}

static size_t list_numbers(const mo_checkpoints *c, DIR *directory, int64_t **numbers)
{
    size_t count = 0, capacity = 0;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        int64_t number = number_of(c, entry->d_name);
        if (number < 0) {
            continue;
        }
        if (count == capacity) {
            capacity = 2 * capacity + 16;
            int64_t *larger = mo_heap_resize(*numbers, capacity * sizeof **numbers);
            if (!larger) {
                break; /* the others are removed next time */
            }
            *numbers = larger;
        }
        (*numbers)[count++] = number;
    }
    return count;
}

static void path_of(const mo_checkpoints *c, int64_t steps, char *path)
{
    snprintf(path, PATH_LENGTH, "%.3500s/%s%09" PRId64 ".npz", c->plan.directory, c->prefix, steps);
}

/* Keeps the newest `keep`; removes those of other runs. */
static void remove_older(const mo_checkpoints *c)
{
    DIR *directory = opendir(c->plan.directory);
    int64_t *numbers = NULL;
    if (!directory) {
        return;
    }
    size_t count = list_numbers(c, directory, &numbers);
    closedir(directory);
    if (count > 1) {
        qsort(numbers, count, sizeof *numbers, compare_down);
    }
    int kept = 0;
    for (size_t k = 0; k < count; ++k) {
        bool own = numbers[k] <= c->last_steps && numbers[k] >= c->first_steps;
        if (own && kept < c->plan.keep) {
            kept++;
        } else {
            char path[PATH_LENGTH];
            path_of(c, numbers[k], path);
            unlink(path);
        }
    }
    mo_heap_release(numbers);
}

static void write_snapshot(mo_checkpoints *c)
{
    double start = thread_clock();
    /* syncs all earlier frames to disk before the checkpoint */
    c->status = mo_directory_sync(c->plan.directory, &c->error);
    if (c->status == MOTE_OK) {
        c->status = mote_snapshot_write(c->snapshot, c->path, &c->error);
    }
    if (c->status == MOTE_OK) {
        remove_older(c);
    }
    c->writing += thread_clock() - start;
    atomic_store(&c->done, true);
}

/* The run has priority if all cores are busy: on Linux, priorities are per thread. */
static void *write_in_background(void *context)
{
    enum { STEP_BACK = 10 };
    id_t self = (id_t)syscall(SYS_gettid);
    (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + STEP_BACK);
    write_snapshot(context);
    return NULL;
}

/* ---- in the run ---- */

/* The result of the background write. */
static mote_status collect(mo_checkpoints *c, mote_error *error)
{
    if (!c->running) {
        return MOTE_OK;
    }
    pthread_join(c->thread, NULL);
    c->running = false;
    if (c->status != MOTE_OK) {
        return mo_fail(error, c->status, "%s", c->error.text);
    }
    c->written++;
    memcpy(c->last, c->path, sizeof c->last);
    return MOTE_OK;
}

static mote_status copy_state(mo_checkpoints *c, const mote_world *world, const mo_run_state *run,
                              const mo_run_table *table, mote_error *error)
{
    double *numbers = NULL;
    MO_TRY(mote_world_save(world, &c->snapshot, error));
    if (!run) {
        return MOTE_OK;
    }
    MO_TRY(mo_run_state_attach(c->snapshot, run, &numbers, error));
    if (table) {
        mo_run_table_export(table, run->written, numbers);
    }
    return MOTE_OK;
}

static mote_status begin(mo_checkpoints *c, const mote_world *world, const mo_run_state *run,
                         const mo_run_table *table, mote_error *error)
{
    MO_TRY(copy_state(c, world, run, table, error));
    schedule(c, mote_world_time(world));
    c->last_steps = mote_world_steps(world);
    c->first_steps = c->first_steps < 0 ? c->last_steps : c->first_steps;
    path_of(c, c->last_steps, c->path);
    atomic_store(&c->done, false);
    c->running = true;
    if (pthread_create(&c->thread, NULL, write_in_background, c) != 0) {
        c->running = false; /* thread creation failed: write synchronously */
        write_snapshot(c);
        MO_TRY(c->status == MOTE_OK ? MOTE_OK : mo_fail(error, c->status, "%s", c->error.text));
        c->written++;
        memcpy(c->last, c->path, sizeof c->last);
    }
    return MOTE_OK;
}

mote_status mo_checkpoints_take(mo_checkpoints *c, const mote_world *world, const mo_run_state *run,
                                const mo_run_table *table, mote_error *error)
{
    if (c->running && !atomic_load(&c->done)) {
        return MOTE_OK;
    }
    double start = mo_clock(), cpu = thread_clock();
    mote_status status = collect(c, error);
    status = status == MOTE_OK ? begin(c, world, run, table, error) : status;
    c->seconds += mo_clock() - start;
    c->copying += thread_clock() - cpu;
    return status;
}

mote_status mo_checkpoints_wait(mo_checkpoints *c, mote_error *error)
{
    double start = mo_clock();
    mote_status status = collect(c, error);
    c->seconds += mo_clock() - start;
    return status;
}

mote_status mo_checkpoints_finish(mo_checkpoints *c, const mote_world *world,
                                  const mo_run_state *run, const mo_run_table *table,
                                  mote_error *error)
{
    MO_TRY(mo_checkpoints_wait(c, error));
    if (c->last_steps == mote_world_steps(world)) {
        return MOTE_OK;
    }
    MO_TRY(begin(c, world, run, table, error));
    return mo_checkpoints_wait(c, error);
}

void mo_checkpoints_destroy(mo_checkpoints *c)
{
    if (c) {
        (void)collect(c, NULL);
        mote_snapshot_destroy(c->snapshot);
        mo_release(c->memory, c);
    }
}

int mo_checkpoints_written(const mo_checkpoints *c)
{
    return c->written;
}

const char *mo_checkpoints_last_file(const mo_checkpoints *c)
{
    return c->last;
}

double mo_checkpoints_seconds(const mo_checkpoints *c)
{
    return c->seconds;
}

void mo_checkpoints_cpu(const mo_checkpoints *c, double *copying, double *writing)
{
    *copying = c->copying;
    *writing = c->writing;
}
