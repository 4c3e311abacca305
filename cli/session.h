/*
 * A run with its progress on the terminal, for `mote run` and `mote resume`.
 */
#ifndef MOTE_CLI_SESSION_H
#define MOTE_CLI_SESSION_H

#include "options.h"

/* Common flags. */
#define SESSION_FLAGS \
    OPTIONS_SET, OPTIONS_THREADS, OPTIONS_UNTIL, OPTIONS_FRAMES, \
        {"--checkpoint-every", "T", FLAG_REAL, offsetof(options, checkpoint_every), \
         .doc = "a checkpoint every T simulated seconds"}, \
        {"--checkpoint-wall", "S", FLAG_REAL, offsetof(options, checkpoint_wall), \
         .doc = "a checkpoint every S seconds of wall-clock time"}, \
        {"--keep", "K", \
         FLAG_INT, offsetof(options, keep), \
         .low = 1, .doc = "number of checkpoints to keep (2)"}, \
        {"--report", "FILE", FLAG_TEXT, offsetof(options, report), .doc = "path of report.json"}, \
        OPTIONS_QUIET, OPTIONS_JSON

/* Runs, from `resume` if it is not NULL, reports the result, and returns the exit code. */
int run_scene(const mote_scene *scene, const options *o, const char *directory,
              const mote_snapshot *resume);

#endif
