/*
 * Files that are either whole or not there: written under a temporary name beside the final one,
 * then renamed.
 *
 * A rename replaces a name in one step, and the system shows every process the bytes that were
 * handed over before it. So whenever a process is killed, a final name leads to the old file or to
 * the whole new one, without a sync. Only when the machine itself stops may the rename have reached
 * the disk before the bytes: then a file that was not synced can be missing, empty or old. What
 * must survive that is committed synced (checkpoints), or is followed by mo_directory_sync (frames
 * and tables: before a checkpoint gets its name, and at the end of a run). A sync for each frame
 * would cost more than the frame.
 *
 * Temporary names are new ones with random digits, created exclusively: a link that lies in wait is
 * not followed, two writers of the same file do not meet, and a file that a killed process left is
 * in nobody's way. mo_file_sweep removes such files.
 */
#ifndef MO_BASE_FILE_H
#define MO_BASE_FILE_H

#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>

typedef struct mo_file {
    FILE *stream;
    char path[4096];      /* the final name */
    char temporary[4112]; /* where it is written until then: path.xxxxxxxx.tmp */
} mo_file;

mote_status mo_file_create(const char *path, mo_file *file, mote_error *error);

/* Writes at a place, past the stream's buffer (use the one or the other), and lets the disk begin
 * with it. */
mote_status mo_file_write_at(mo_file *file, uint64_t offset, const void *data, size_t bytes,
                             mote_error *error);

/* Finishes the file under its final name; on any write error so far it removes it and says why. */
mote_status mo_file_commit(mo_file *file, mote_error *error);

/* The same, and it is on the disk, as its name is, when this returns. */
mote_status mo_file_commit_synced(mo_file *file, mote_error *error);

/* Throws away what was written. Harmless after a commit. */
void mo_file_abandon(mo_file *file);

/* An empty temporary file for another program to write, its name ending with `ending` (".mp4"), to
   be renamed to `path` by the caller. The descriptor `lock` marks it as being written until it is
   closed. */
mote_status mo_file_reserve(const char *path, const char *ending, char *temporary, size_t size,
                            int *lock, mote_error *error);

/* Removes temporary files that killed processes left, of all files whose paths begin with `prefix`
   ("out/scene."). Those that are still being written stay. */
void mo_file_sweep(const char *prefix);

/* The whole of a file that is there, with a zero byte behind it. The block belongs to the
 * caller. */
mote_status mo_file_read(const char *path, mo_memory *memory, char **data, size_t *size,
                         mote_error *error);

/* Whether mo_directory_create could make it and files could be written in it; nothing is made. */
mote_status mo_directory_check(const char *path, mote_error *error);

/* Makes a directory and its parents; one that exists is fine. */
mote_status mo_directory_create(const char *path, mote_error *error);

/* Puts everything onto the disk that was written to the file system of a directory that is there:
   bytes and names. One call for thousands of files, where a sync of each would wait for the disk
   thousands of times. */
mote_status mo_directory_sync(const char *path, mote_error *error);

/* Claims a directory that is there: two that write files of the same names would spoil each
 * other's. The claim ends with mo_directory_leave or the process, however that ends. One that was
 * just killed may take a moment to be gone, so a claim of somebody else's is waited for, not long.
 * Where the file system has no locks (*claim is -1) it is not refused. */
mote_status mo_directory_claim(const char *path, int *claim, mote_error *error);
void mo_directory_leave(int claim); /* -1 does nothing */

#endif
