/*
 * The family of result formats: writers of one frame of one system.
 */
#ifndef MO_IO_FORMAT_H
#define MO_IO_FORMAT_H

#include "base/memory.h"
#include "base/param.h"
#include "mote/world.h"

#include <stdio.h>

/* One system of one frame. Everything is borrowed. */
typedef struct mo_frame {
    double time;
    int64_t rows;
    const double *x; /* positions, three components per row */
    int field_count;
    const mote_column *fields; /* columns written in addition to x */
    int64_t edge_count, triangle_count;
    /* pairs and triples of rows; edges that are not sides of triangles */
    const int32_t *edges, *triangles;
    mote_cells cells; /* elements; only for formats that need them */
} mo_frame;

/* A file of a series, for the formats that have an index of the whole run. */
typedef struct mo_series_entry {
    double time;
    const char *file; /* relative to the index */
    const char *system;
} mo_series_entry;

typedef struct mo_format_type {
    mo_descriptor base;
    const char *extension; /* "vtp" */
    bool cells;            /* requires elements */
    /* `memory` is for temporary allocations. */
    mote_status (*write)(const void *params, const mo_frame *frame, mo_memory *memory, FILE *stream,
                         mote_error *error);
    /* Writes the index of all frames so far; NULL if the format has none. Its extension: "pvd". */
    const char *index_extension;
    mote_status (*write_index)(const mo_series_entry *entries, int64_t count, mo_memory *memory,
                               FILE *stream, mote_error *error);
} mo_format_type;

extern const mo_family mo_formats;

/* Checks that no finite value of a column overflows in single precision; the error names the first
 * that does. */
mote_status mo_format_check_single(const char *name, const double *values, int64_t count,
                                   int components, mote_error *error);

#endif
