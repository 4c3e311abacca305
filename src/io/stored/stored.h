/*
 * A frame of one system, read back from a file: its columns, edges and triangles. It reads the
 * output of mote (VTP with appended or text data, PLY in both forms) and rejects other files with a
 * reason. Files are not trusted: counts are checked against the file size before allocation, rows
 * against the number of rows.
 */
#ifndef MO_IO_STORED_STORED_H
#define MO_IO_STORED_STORED_H

#include "base/memory.h"
#include "mote/world.h"

enum { MO_STORED_COLUMNS = 96 };

typedef struct mo_stored {
    mo_memory memory;
    mo_arena arena; /* everything below */
    double time;    /* NaN: unknown */
    int64_t rows;
    int column_count;
    /* the first is "x", always as doubles; units are "" if unknown */
    mote_column columns[MO_STORED_COLUMNS];
    int64_t edge_count, triangle_count;
    int32_t *edges, *triangles;
} mo_stored;

/* Reads a .vtp or .ply. On failure no memory is allocated. */
mote_status mo_stored_read(const char *path, mo_stored *stored, mote_error *error);
void mo_stored_release(mo_stored *stored);

/* The column of that name; NULL if there is none. */
const mote_column *mo_stored_find(const mo_stored *stored, const char *name);

/* The time alone, from the beginning of the file; NaN if unknown. */
double mo_stored_time(const char *path);

/* ---- for the readers of the formats */

/* A file in memory, followed by a zero byte. */
typedef struct mo_bytes {
    const char *path;
    char *data;
    size_t size;
} mo_bytes;

/* Parses the contents of a file in memory; the extension of its path selects the format. */
mote_status mo_stored_parse(const mo_bytes *file, mo_stored *stored, mote_error *error);

mote_status mo_stored_fail(const mo_bytes *file, mote_error *error, const char *what);
/* Allocates a new column of `count` values of a type; the name is copied. */
mote_status mo_stored_add(mo_stored *stored, const char *name, const char *unit, mote_type type,
                          int components, void **data, mote_error *error);
/* A zeroed array of int32_t. */
mote_status mo_stored_rows(mo_stored *stored, int64_t count, int32_t **rows, mote_error *error);
/* False if a row index is out of range. */
bool mo_stored_rows_good(const mo_stored *stored, const int32_t *rows, int64_t count);

mote_status mo_stored_read_vtp(const mo_bytes *file, mo_stored *stored, mote_error *error);
mote_status mo_stored_read_ply(const mo_bytes *file, mo_stored *stored, mote_error *error);

#endif
