/*
 * Other programs to compare with: `mote bench` and `mote validate` run them on the same problem in
 * the same run.
 *
 * A peer works in a folder of its own, below $TMPDIR or where the system keeps such files; its
 * input is written there, it runs there, and the folder goes with all that it left in it. A command
 * is words between spaces, with no shell to read anything else into it; names of files are those in
 * the folder, and `env` as the first word sets variables. What the peer prints is handed on line by
 * line. Whoever compares asks first whether the peer is installed, and says so if it is not, rather
 * than printing a figure from another day.
 */
#ifndef MOTE_CLI_PEER_H
#define MOTE_CLI_PEER_H

#include "mote/base.h"

#include <stdio.h>

typedef struct peer_folder {
    char path[1024];
} peer_folder;

/* Whether there is such a program on the PATH. */
bool peer_is_installed(const char *program);

mote_status peer_folder_make(peer_folder *folder, mote_error *error);

/* With everything in it. */
void peer_folder_remove(const peer_folder *folder);

/* A new file in the folder; NULL after a failure. */
FILE *peer_file_create(const peer_folder *folder, const char *name, mote_error *error);

/* Closes it, and fails if any of it could not be written. */
mote_status peer_file_close(FILE *file, const char *name, mote_error *error);

/* A line of what the program prints, on either stream, without its end. */
typedef void peer_reader(void *context, const char *line);

/* Runs the command in the folder and waits for its end. Any end but with exit code 0 is a failure,
 * whose text has the last line that was printed. */
mote_status peer_run(const peer_folder *folder, const char *command, peer_reader *read,
                     void *context, mote_error *error);

#endif
