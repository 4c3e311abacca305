/*
 * Archives of named members in one file: an uncompressed zip, so that everybody can look into it.
 *
 * They are written here, straight from where the members lie (libzip copies every byte several
 * times and sums with zlib's CRC, which takes longer than the disk), and read by libzip.
 *
 * Nothing is believed before it is checked: a member must be stored as it is (so that its size is
 * no larger than the file, and a forged size cannot ask for memory), have the size that is asked
 * for and the right CRC.
 */
#ifndef MO_IO_CHECKPOINT_ARCHIVE_H
#define MO_IO_CHECKPOINT_ARCHIVE_H

#include "base/error.h"

#include <stdint.h>

/* A member to be written: head and data, one after the other. The CRC-32C of the data is left in
 * `crc32c`: every byte is fetched from memory once for both sums and for the disk. */
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

/* The file is whole under its name or not there (io/file.h). Uses the heap, so any thread may call
   it. */
mote_status mo_archive_write(const char *path, mo_member *members, int count, mote_error *error);

typedef struct mo_archive mo_archive;

mote_status mo_archive_open(const char *path, mo_archive **archive, mote_error *error);
mote_status mo_archive_open_memory(const void *data, size_t bytes, mo_archive **archive,
                                   mote_error *error);
void mo_archive_close(mo_archive *archive);

/* A member's size; MOTE_ERROR_INPUT if it is missing or not stored as it is. */
mote_status mo_archive_size(mo_archive *archive, const char *name, size_t *bytes,
                            mote_error *error);

/* The whole member, which must have head_bytes + data_bytes. */
mote_status mo_archive_read(mo_archive *archive, const char *name, void *head, size_t head_bytes,
                            void *data, size_t data_bytes, mote_error *error);

bool mo_archive_has(mo_archive *archive, const char *name);

#endif
