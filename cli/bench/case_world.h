/*
 * Worlds of cases: created from a scene text with parameters set, and timed.
 */
#ifndef MOTE_CLI_CASE_WORLD_H
#define MOTE_CLI_CASE_WORLD_H

#include "mote/mote.h"

/* As --set path=value. */
typedef struct case_change {
    const char *path, *value;
} case_change;

/* `changes` end with one without a path; NULL: none. `threads` as in a mote_config. */
mote_status case_world_create(const char *text, const case_change *changes, int threads,
                              mote_world **world, mote_error *error);

/* The data of a column of the first system; NULL: there is no such column. */
void *case_column(const mote_world *world, const char *name);

/* Steps as a function to be timed: bench_best_seconds(b, case_take_steps, &stepping). */
typedef struct case_stepping {
    mote_world *world;
    int steps;
    mote_status status; /* of the first step that failed, which is the last */
    mote_error error;
} case_stepping;

void case_take_steps(void *stepping);

#endif
