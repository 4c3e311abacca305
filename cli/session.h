/* A run with its progress on the terminal: what `mote run` and `mote resume` have in common. */
#ifndef MOTE_CLI_SESSION_H
#define MOTE_CLI_SESSION_H

#include "options.h"

/* Runs, from `resume` if it is not NULL, says how it went, and returns the exit code. */
int run_scene(const mote_scene *scene, const options *o, const char *directory, const mote_snapshot *resume);

#endif
