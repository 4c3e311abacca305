/*
 * Archives of named members in one file: an uncompressed zip, readable by common tools.
 *
 * They are written here without copying (libzip copies every byte several times and uses zlib's
 * CRC, which is slower than the disk), and read by libzip.
 *
 * Files are not trusted: a member must be stored uncompressed (so that its size is bounded by the
 * file), and have the expected size and CRC.
 */
#ifndef MO_IO_CHECKPOINT_ARCHIVE_H
#define MO_IO_CHECKPOINT_ARCHIVE_H

#include "base/error.h"

#include <stdint.h>

/* A member to be written: head and data, one after the other. The CRC-32C of the data is returned
 * in `crc32c`: every byte is read once for both sums and the disk. */
typedef struct mo_member mo_member;
struct mo_member {
    char name[160];
    const void *head, *data;
    size_t head_bytes, data_bytes;
    uint32_t crc32c;
    /* NULL, or fills head and data when all members before it are written */
    mote_status (*make)(mo_member *self, void *context, mote_error *error);
    void *context;
};

/* Atomic (base/file.h). Uses the heap, so it may be called from any thread. */
mote_status mo_archive_write(const char *path, mo_member *members, int count, mote_error *error);

typedef struct mo_archive mo_archive;

mote_status mo_archive_open(const char *path, mo_archive **archive, mote_error *error);
mote_status mo_archive_open_memory(const void *data, size_t bytes, mo_archive **archive,
                                   mote_error *error);
void mo_archive_close(mo_archive *archive);

/* A member's size; MOTE_ERROR_INPUT if it is missing or compressed. */
mote_status mo_archive_size(mo_archive *archive, const char *name, size_t *bytes,
                            mote_error *error);

/* Reads a member, which must have head_bytes + data_bytes. */
mote_status mo_archive_read(mo_archive *archive, const char *name, void *head, size_t head_bytes,
                            void *data, size_t data_bytes, mote_error *error);

bool mo_archive_has(mo_archive *archive, const char *name);

#endif
