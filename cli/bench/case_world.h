/* Worlds of cases: made of a scene's text, with some parameters set, and stepped with a clock
 * beside them. */
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

/* The numbers of a column of the first system; NULL: there is none of that name. */
void *case_column(const mote_world *world, const char *name);

/* Steps as a function to measure: bench_best_seconds(b, case_take_steps, &stepping). */
typedef struct case_stepping {
    mote_world *world;
    int steps;
    mote_status status; /* of the first step that failed; no more are taken then */
    mote_error error;
} case_stepping;

void case_take_steps(void *stepping);

#endif
