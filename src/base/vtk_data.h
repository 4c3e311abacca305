/*
 * Data arrays of VTK's XML files: ASCII, base64 in the tag, or appended to the XML as raw bytes or
 * base64, optionally compressed by zlib, in either byte order.
 *
 * A reader iterates over the tags (xml.h), passes the tag VTKFile to mo_vtk_read_head and a tag
 * DataArray to mo_vtk_read_tag, and reads the values when their count is known. Files are not
 * trusted: mo_vtk_check_size compares a count with the file size before memory is allocated.
 */
#ifndef MO_BASE_VTK_DATA_H
#define MO_BASE_VTK_DATA_H

#include "base/memory.h"
#include "base/xml.h"

typedef enum mo_vtk_type {
    MO_VTK_I8,
    MO_VTK_U8,
    MO_VTK_I16,
    MO_VTK_U16,
    MO_VTK_I32,
    MO_VTK_U32,
    MO_VTK_I64,
    MO_VTK_U64,
    MO_VTK_F32,
    MO_VTK_F64,
    MO_VTK_TYPES
} mo_vtk_type;

size_t mo_vtk_bytes(mo_vtk_type type);

/* A file in memory and its header. */
typedef struct mo_vtk_file {
    const char *path, *data, *end; /* ends with a zero byte */
    mo_memory *memory;
    mote_error *error;
    const char *numbers; /* appended data; NULL if none */
    /* base64; zlib; 64-bit table entries; opposite byte order */
    bool encoded, compressed, wide, swapped;
} mo_vtk_file;

/* Finds the appended data at the end of the XML. */
void mo_vtk_open(mo_vtk_file *file);
const char *mo_vtk_xml_end(const mo_vtk_file *file);

/* The tag VTKFile, which must have this type. */
mote_status mo_vtk_read_head(mo_vtk_file *file, const mo_xml_tag *tag, const char *type);

/* Attributes of an array. */
typedef struct mo_vtk_array {
    char name[128], format[16];
    mo_vtk_type type;
    int components;
    uint64_t offset;
    const char *text; /* the text after the tag */
} mo_vtk_array;

mote_status mo_vtk_read_tag(const mo_vtk_file *file, const mo_xml_tag *tag, mo_vtk_array *array);

/* Fails if the file is too small for `count` numbers. */
mote_status mo_vtk_check_size(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count);

/* `count` numbers as stored; as doubles; as integers (real types are rejected). */
mote_status mo_vtk_read(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count,
                        void *out);
mote_status mo_vtk_read_reals(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count,
                              double *out);
mote_status mo_vtk_read_integers(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count,
                                 int64_t *out);

/* An integer in an attribute, 0 to `most`. */
bool mo_vtk_integer(const mo_xml_tag *tag, const char *name, int64_t most, int64_t *out);

mote_status mo_vtk_fail(const mo_vtk_file *file, const char *what);
mote_status mo_vtk_fail_array(const mo_vtk_file *file, const mo_vtk_array *array, const char *what);

#endif
