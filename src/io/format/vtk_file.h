/*
 * Common parts of VTK's XML files: appended arrays and the index of a series (.pvd). Kitware, "The
 * VTK User's Guide", "VTK File Formats"; the binary part is described in Kitware's wiki, "VTK XML
 * Formats".
 *
 * The data follow the XML as raw bytes, each array divided into separately compressed blocks. The
 * XML has the offset of each array, and a table before an array the sizes of its compressed blocks.
 * Neither is known in advance, so both are written twice, with space for the largest number: a
 * frame is never copied in memory.
 */
#ifndef MO_IO_FORMAT_VTK_FILE_H
#define MO_IO_FORMAT_VTK_FILE_H

#include "io/format/format.h"

/* An array of the file, generated block by block. */
typedef struct mo_vtk_array {
    const char *name, *type;
    int components;
    size_t size;   /* bytes per value */
    int64_t count; /* numbers */
    void (*fill)(const struct mo_vtk_array *array, int64_t first, int64_t last, void *out);
    const void *source;  /* for copies */
    int64_t start, step; /* for progressions */
    int64_t offset;      /* offset from the beginning of the data */
} mo_vtk_array;

/* A column, optionally in single precision; rows; and the progression start, start + step, ... */
mo_vtk_array mo_vtk_column(const mote_column *column, bool single);
mo_vtk_array mo_vtk_rows(const char *name, const int32_t *rows, int64_t count);
mo_vtk_array mo_vtk_progression(const char *name, int64_t start, int64_t step, int64_t count);

/* Text with XML escapes; a time with full precision; the element of an array. */
void mo_vtk_text(FILE *stream, const char *text);
void mo_vtk_time(FILE *stream, double time);
void mo_vtk_tag(FILE *stream, const mo_vtk_array *array);

/* A document: `head` writes the XML that precedes the data; it is called twice. */
typedef struct mo_vtk_document {
    int array_count, compression;
    mo_vtk_array *arrays;
    void (*head)(const struct mo_vtk_document *document, FILE *stream);
    void *context;
} mo_vtk_document;
mote_status mo_vtk_write(mo_vtk_document *document, mo_memory *memory, FILE *stream,
                         mote_error *error);

mote_status mo_vtk_write_index(const mo_series_entry *entries, int64_t count, mo_memory *memory,
                               FILE *stream, mote_error *error);

#endif
