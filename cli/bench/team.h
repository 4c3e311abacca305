/*
 * Threads pinned to cores that do the same thing at the same time, for measuring what the machine
 * can do. The engine's own pool is not used: it hands blocks to whichever worker is free, and a
 * limit must be measured with each core on its own memory.
 */
#ifndef MOTE_CLI_TEAM_H
#define MOTE_CLI_TEAM_H

#include "mote/base.h"

/* How many cores this process may use. */
int team_cores(void);

typedef void team_fn(void *context, int member);

typedef struct team_job {
    /* once on each thread, untimed: memory is first touched by whom it belongs to */
    team_fn *prepare;
    team_fn *work; /* what is timed; `member` counts from 0 */
    void *context;
} team_job;

/* The least seconds, over `repeats` rounds, from the moment all members start to the moment all are
 * done. */
mote_status team_best_seconds(int members, int repeats, const team_job *job, double *seconds,
                              mote_error *error);

#endif
