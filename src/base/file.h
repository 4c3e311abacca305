/*
 * Atomic file writes: to a temporary name in the same directory, then renamed.
 *
 * A rename is atomic, so that after a killed process the final name refers to the old or to the
 * complete new file, without a sync. After a power failure a file that was not synced can be
 * missing, empty or old. Data that must survive this is committed with sync (checkpoints), or
 * followed by mo_directory_sync (frames and tables: before a checkpoint is renamed, and at the end
 * of a run). A sync per frame would cost more than the frame.
 *
 * Temporary names have random digits and are created exclusively: links are not followed, two
 * writers of the same file do not collide, and files of killed processes do no harm. mo_file_sweep
 * removes such files.
 */
#ifndef MO_BASE_FILE_H
#define MO_BASE_FILE_H

#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>

typedef struct mo_file {
    FILE *stream;
    char path[4096];      /* the final name */
    char temporary[4112]; /* until it is committed: path.xxxxxxxx.tmp */
} mo_file;

mote_status mo_file_create(const char *path, mo_file *file, mote_error *error);

/* Writes at an offset, bypassing the stream's buffer (use one or the other), and starts
 * write-back. */
mote_status mo_file_write_at(mo_file *file, uint64_t offset, const void *data, size_t bytes,
                             mote_error *error);

/* Renames the file to its final name; after any write error it removes it and reports the error. */
mote_status mo_file_commit(mo_file *file, mote_error *error);

/* The same, with the file and its name synced to disk. */
mote_status mo_file_commit_synced(mo_file *file, mote_error *error);

/* Discards the file. No effect after a commit. */
void mo_file_abandon(mo_file *file);

/* An empty temporary file for another program to write, its name ending with `ending` (".mp4"),
 * to be renamed to `path` by the caller. The descriptor `lock` marks it as in use until it is
 * closed. */
mote_status mo_file_reserve(const char *path, const char *ending, char *temporary, size_t size,
                            int *lock, mote_error *error);

/* Removes temporary files of killed processes whose paths begin with `prefix` ("out/scene.").
 * Files in use are kept. */
void mo_file_sweep(const char *prefix);

/* The contents of a file, followed by a zero byte. The caller owns the block. */
mote_status mo_file_read(const char *path, mo_memory *memory, char **data, size_t *size,
                         mote_error *error);

/* Whether mo_directory_create would succeed and the directory be writable; creates nothing. */
mote_status mo_directory_check(const char *path, mote_error *error);

/* Creates a directory and its parents; an existing one is accepted. */
mote_status mo_directory_create(const char *path, mote_error *error);

/* Syncs the file system of an existing directory, data and names: one call instead of a sync of
 * each of thousands of files. */
mote_status mo_directory_sync(const char *path, mote_error *error);

/* Locks an existing directory against concurrent runs. The lock ends with mo_directory_leave or
 * with the process. A killed process may hold its lock for a moment, so a short wait is made.
 * Without file locks (*claim is -1) it succeeds. */
mote_status mo_directory_claim(const char *path, int *claim, mote_error *error);
void mo_directory_leave(int claim); /* -1: no effect */

#endif
