/*
 * Threads pinned to cores that work simultaneously, for measuring peak performance. The engine's
 * pool is not used: it assigns blocks dynamically, and a limit must be measured with each core on
 * its own memory.
 */
#ifndef MOTE_CLI_TEAM_H
#define MOTE_CLI_TEAM_H

#include "mote/base.h"

/* The number of cores available to this process. */
int team_cores(void);

typedef void team_fn(void *context, int member);

typedef struct team_job {
    /* once per thread, untimed: first touch of its memory */
    team_fn *prepare;
    team_fn *work; /* timed; `member` counts from 0 */
    void *context;
} team_job;

/* The minimum time, over `repeats` rounds, from the start to the end of all members. */
mote_status team_best_seconds(int members, int repeats, const team_job *job, double *seconds,
                              mote_error *error);

#endif
