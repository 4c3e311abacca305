/*
 * Files that are either whole or not there: written under a temporary name beside the final one, synced,
 * renamed.
 */
#ifndef MO_BASE_FILE_H
#define MO_BASE_FILE_H

#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>

typedef struct mo_file {
    FILE *stream;
    char path[4096];      /* the final name */
    char temporary[4112]; /* where it is written until then */
} mo_file;

mote_status mo_file_create(const char *path, mo_file *file, mote_error *error);

/* Writes at a place, past the stream's buffer (use the one or the other), and lets the disk begin with it. */
mote_status mo_file_write_at(mo_file *file, uint64_t offset, const void *data, size_t bytes,
                             mote_error *error);

/* Finishes the file under its final name; on any write error so far it removes it and says why. */
mote_status mo_file_commit(mo_file *file, mote_error *error);

/* Throws away what was written. Harmless after a commit. */
void mo_file_abandon(mo_file *file);

/* The whole of a file that is there, with a zero byte behind it. The block belongs to the caller. */
mote_status mo_file_read(const char *path, mo_memory *memory, char **data, size_t *size, mote_error *error);

/* Makes a directory and its parents; one that exists is fine. */
mote_status mo_directory_create(const char *path, mote_error *error);

/* Claims a directory that is there: two that write files of the same names would spoil each other's. The claim ends with
   mo_directory_leave or the process, however that ends. One that was just killed may take a moment to be gone, so a claim of
   somebody else's is waited for, not long. Where the file system has no locks (*claim is -1) it is not refused. */
mote_status mo_directory_claim(const char *path, int *claim, mote_error *error);
void mo_directory_leave(int claim); /* -1 does nothing */

#endif
