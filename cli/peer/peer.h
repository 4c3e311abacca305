/*
 * External programs for comparison: `mote bench` and `mote validate` run them on the same problem
 * in the same run.
 *
 * A program runs in a temporary directory below $TMPDIR, with its input; the directory is removed
 * afterwards. A command is split at spaces and run without a shell; file names are relative to the
 * directory, and `env` as the first word sets variables. The output is passed on line by line.
 * Callers first check that the program is installed, and report if it is not.
 */
#ifndef MOTE_CLI_PEER_H
#define MOTE_CLI_PEER_H

#include "mote/base.h"

#include <stdio.h>

typedef struct peer_folder {
    char path[1024];
} peer_folder;

/* Whether the program is in the PATH. */
bool peer_is_installed(const char *program);

mote_status peer_folder_make(peer_folder *folder, mote_error *error);

/* Including its contents. */
void peer_folder_remove(const peer_folder *folder);

/* A new file in the folder; NULL after a failure. */
FILE *peer_file_create(const peer_folder *folder, const char *name, mote_error *error);

/* Closes it; fails if any part could not be written. */
mote_status peer_file_close(FILE *file, const char *name, mote_error *error);

/* A line of output, of either stream, without its end. */
typedef void peer_reader(void *context, const char *line);

/* Runs the command in the directory and waits for it. An exit code other than 0 is an error,
 * with the last line of output. */
mote_status peer_run(const peer_folder *folder, const char *command, peer_reader *read,
                     void *context, mote_error *error);

#endif
