/*
 * A checkpoint file: a snapshot, and the state of the run, if any.
 *
 * Its members are
 *     system/column.npy                 each state column of a system
 *     couplings/coupling/column.npy     of a coupling
 *     run/table.npy                     the table of the run so far
 *     scene.json                        the scene
 *     header.json                       the rest
 * The header lists every column with its type, size and CRC; the reader checks all of them against
 * the archive before it allocates memory.
 */
#ifndef MO_IO_CHECKPOINT_CHECKPOINT_H
#define MO_IO_CHECKPOINT_CHECKPOINT_H

#include "io/checkpoint/archive.h"
#include "world/snapshot.h"

#include <jansson.h>

enum { MO_CHECKPOINT_FORMAT = 2 };

/* ---- header.json (header.c) ---- */

/* The header of a snapshot: a new reference; NULL if memory is insufficient. `crc32c` has the
 * CRCs of the columns of all systems, followed by those of all couplings; NULL: they are
 * computed. */
json_t *mo_checkpoint_header(const mote_snapshot *snapshot, const uint32_t *crc32c);

/* Fills an empty snapshot except its columns and the state of its run. */
mote_status mo_checkpoint_read_header(json_t *header, mote_snapshot *snapshot, mote_error *error);

/* Column k of a system or a coupling in a header. */
typedef struct mo_header_column {
    const char *name;
    mote_type type;
    int components;
    uint32_t crc;
} mo_header_column;
mote_status mo_checkpoint_read_column(json_t *owner, size_t k, mo_header_column *column,
                                      mote_error *error);

/* ---- the whole file (checkpoint.c) ---- */

/* From memory, as mote_snapshot_read does from a file. `allocator` may be NULL. */
mote_status mo_checkpoint_parse(const void *data, size_t bytes, const mote_allocator *allocator,
                                mote_snapshot **snapshot, mote_error *error);

/* The name of a column's member; the folder is that of a system or a coupling. */
void mo_checkpoint_member(const char *folder, const char *column, char name[160]);

#endif
