/*
 * What VTK's XML files have in common: arrays of numbers behind the XML, and the index of a series
 * (.pvd). Kitware, "The VTK User's Guide", "VTK File Formats"; the binary part is described in
 * Kitware's wiki, "VTK XML Formats".
 *
 * The numbers follow the XML as raw bytes, each array cut into blocks of which each is compressed
 * by itself. The XML in front of them says where an array begins, and a table in front of an array
 * says how large its compressed blocks are. Neither is known before the bytes are written. So both
 * are written twice, with room for the largest number: a frame is never held in memory a second
 * time.
 */
#ifndef MO_IO_FORMAT_VTK_FILE_H
#define MO_IO_FORMAT_VTK_FILE_H

#include "io/format/format.h"

/* An array of the file. Its numbers are made a block at a time. */
typedef struct mo_vtk_array {
    const char *name, *type;
    int components;
    size_t size;   /* bytes of a number */
    int64_t count; /* numbers */
    void (*fill)(const struct mo_vtk_array *array, int64_t first, int64_t last, void *out);
    const void *source;  /* for copies */
    int64_t start, step; /* for progressions */
    int64_t offset;      /* where it begins, from the beginning of the numbers */
} mo_vtk_array;

/* A column, in single precision if wanted; rows; and start, start + step, ... */
mo_vtk_array mo_vtk_column(const mote_column *column, bool single);
mo_vtk_array mo_vtk_rows(const char *name, const int32_t *rows, int64_t count);
mo_vtk_array mo_vtk_progression(const char *name, int64_t start, int64_t step, int64_t count);

/* Text with what XML minds written out; a time with all its digits; the element of an array. */
void mo_vtk_text(FILE *stream, const char *text);
void mo_vtk_time(FILE *stream, double time);
void mo_vtk_tag(FILE *stream, const mo_vtk_array *array);

/* A document: `head` writes the XML in front of the numbers, twice. */
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
