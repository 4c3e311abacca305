/* A monotonic clock, and the stage timers of a run's report. */
#ifndef MO_BASE_TIMER_H
#define MO_BASE_TIMER_H

#include "base/error.h"

#include <string.h>
#include <time.h>

static inline double mo_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { MO_STAGES_MAX = 16 };

typedef struct mo_stages {
    int count;
    const char *name[MO_STAGES_MAX];
    double seconds[MO_STAGES_MAX];
    double mark; /* start of the current stage */
} mo_stages;

/* The index of a stage, unique per name; initially zero seconds. */
static inline int mo_stage_add(mo_stages *stages, const char *name)
{
    for (int k = 0; k < stages->count; ++k) {
        if (strcmp(stages->name[k], name) == 0) {
            return k;
        }
    }
    MOTE_ASSERT(stages->count < MO_STAGES_MAX);
    stages->name[stages->count] = name;
    stages->seconds[stages->count] = 0;
    return stages->count++;
}

/* Starts the clock. */
static inline void mo_stage_begin(mo_stages *stages)
{
    stages->mark = mo_clock();
}

/* Adds the time since the last mark to `stage`: one clock reading per stage. */
static inline void mo_stage_end(mo_stages *stages, int stage)
{
    double now = mo_clock();
    stages->seconds[stage] += now - stages->mark;
    stages->mark = now;
}

#endif
