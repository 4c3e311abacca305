/*
 * Scheduling and background writing of a run's checkpoints.
 *
 * The state is copied between two steps, which costs the time of a memory copy; a background thread
 * then hashes, writes and syncs the copy. One is written at a time: a checkpoint that becomes due
 * meanwhile is taken at the first step afterwards. An older file is removed only when a newer one
 * is complete. Wall time is monotonic.
 */
#ifndef MO_RUN_CHECKPOINTS_H
#define MO_RUN_CHECKPOINTS_H

#include "io/checkpoint/run_state.h"

typedef struct mo_checkpoints mo_checkpoints;

typedef struct mo_checkpoint_plan {
    const char *directory, *name;
    double every, wall; /* intervals of simulated and wall time [s]; 0: disabled */
    int keep;
    bool resumed; /* earlier files of this name belong to this run */
} mo_checkpoint_plan;

mote_status mo_checkpoints_create(mo_memory *memory, const mo_checkpoint_plan *plan, double time,
                                  mo_checkpoints **checkpoints, mote_error *error);

/* Waits for the background write. */
void mo_checkpoints_destroy(mo_checkpoints *checkpoints);

/* Between two steps. */
bool mo_checkpoints_due(const mo_checkpoints *checkpoints, double time);

/* Copies the state and starts writing it, if the last write is done. Fails if the last one failed.
   `run` is NULL before the first frame, `table` in runs without frames. */
mote_status mo_checkpoints_take(mo_checkpoints *checkpoints, const mote_world *world,
                                const mo_run_state *run, const mo_run_table *table,
                                mote_error *error);

/* Writes the current state, unless it is already written, and waits until it is on disk. */
mote_status mo_checkpoints_finish(mo_checkpoints *checkpoints, const mote_world *world,
                                  const mo_run_state *run, const mo_run_table *table,
                                  mote_error *error);

/* Waits and disables further checkpoints. */
mote_status mo_checkpoints_wait(mo_checkpoints *checkpoints, mote_error *error);

int mo_checkpoints_written(const mo_checkpoints *checkpoints);
const char *mo_checkpoints_last_file(const mo_checkpoints *checkpoints); /* "" if there is none */

/* Wall time spent on copying and waiting [s]. */
double mo_checkpoints_seconds(const mo_checkpoints *checkpoints);

/* CPU seconds: of the stepping thread, for copying, and of the writing thread, for completed
 * writes. */
void mo_checkpoints_cpu(const mo_checkpoints *checkpoints, double *copying, double *writing);

#endif
