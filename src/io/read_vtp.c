/* Reading VTP back: the XML in front by its tags, then each array from where its tag says it begins. */
#include "io/stored.h"

#include "io/xml.h"
#include "store/store.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* What the head says of the whole file. */
typedef struct vtp {
    const mo_bytes *file;
    mo_stored *out;
    mote_error *error;
    const char *numbers, *end; /* the appended bytes; NULL if there are none */
    bool compressed, wide;     /* zlib blocks; table entries of 64 bits */
    int64_t lines, polys;
} vtp;

/* What a tag says of an array. */
typedef struct data_array {
    char name[128], format[16];
    mote_type type;
    int components;
    uint64_t offset;
    const char *text; /* of plain numbers */
} data_array;

static mote_status fail(const vtp *v, const char *what)
{
    return mo_stored_fail(v->file, v->error, what);
}

static mote_status fail_array(const vtp *v, const data_array *array, const char *what)
{
    return mo_fail(v->error, MOTE_ERROR_INPUT, "%.900s: the array \"%s\" %s", v->file->path, array->name,
                   what);
}

static bool whole_number(const mo_xml_tag *tag, const char *name, int64_t most, int64_t *out)
{
    char text[32], *end;
    if (!mo_xml_attribute(tag, name, text, sizeof text)) {
        return false;
    }
    errno = 0;
    long long value = strtoll(text, &end, 10);
    *out = value;
    return end != text && *end == '\0' && errno == 0 && value >= 0 && value <= most;
}

static bool find_type(const char *name, mote_type *type)
{
    static const struct {
        const char *name;
        mote_type type;
    } TYPES[] = {{"Float64", MOTE_F64},
                 {"Float32", MOTE_F32},
                 {"Int64", MOTE_I64},
                 {"Int32", MOTE_I32},
                 {"UInt8", MOTE_U8}};
    for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; ++k) {
        if (strcmp(name, TYPES[k].name) == 0) {
            *type = TYPES[k].type;
            return true;
        }
    }
    return false;
}

static mote_status read_tag(const vtp *v, const mo_xml_tag *tag, data_array *array)
{
    char type[16];
    int64_t number;
    *array = (data_array){.components = 1, .text = tag->after};
    mo_xml_attribute(tag, "Name", array->name, sizeof array->name);
    mo_xml_attribute(tag, "type", type, sizeof type);
    mo_xml_attribute(tag, "format", array->format, sizeof array->format);
    if (!find_type(type, &array->type)) {
        return fail_array(v, array, "has a type that mote does not write");
    }
    if (whole_number(tag, "NumberOfComponents", 64, &number) && number > 0) {
        array->components = (int)number;
    }
    if (strcmp(array->format, "ascii") == 0) {
        return MOTE_OK;
    }
    if (strcmp(array->format, "appended") != 0) {
        return fail_array(v, array, "is encoded in a way that mote does not write; allowed: appended, ascii");
    }
    if (!v->numbers || !whole_number(tag, "offset", INT64_MAX, &number) || number > v->end - v->numbers) {
        return fail_array(v, array, "begins beyond the end of the file: it is cut short");
    }
    array->offset = (uint64_t)number;
    return MOTE_OK;
}

/* One entry of a table in front of an array. */
static bool entry(const vtp *v, const char **at, uint64_t *value)
{
    size_t size = v->wide ? 8 : 4;
    if ((size_t)(v->end - *at) < size) {
        return false;
    }
    uint32_t narrow;
    memcpy(v->wide ? (void *)value : (void *)&narrow, *at, size);
    *value = v->wide ? *value : narrow;
    *at += size;
    return true;
}

static mote_status inflate_blocks(const vtp *v, const data_array *array, const char *table, const char *at,
                                  uint64_t blocks, const uint64_t size[2], char *out)
{
    for (uint64_t k = 0; k < blocks; ++k) {
        uint64_t packed = 0;
        uLongf plain = k + 1 == blocks && size[1] ? size[1] : size[0];
        uLongf wanted = plain;
        if (!entry(v, &table, &packed) || packed > (uint64_t)(v->end - at)) {
            return fail_array(v, array, "is cut short: the file ends before it");
        }
        if (uncompress((Bytef *)out, &plain, (const Bytef *)at, packed) != Z_OK || plain != wanted) {
            return fail_array(v, array, "is damaged: its compressed bytes make no sense");
        }
        at += packed;
        out += plain;
    }
    return MOTE_OK;
}

/* The table: blocks, bytes of a block, bytes of the last one or 0, the packed size of each; then the blocks. */
static mote_status read_packed(const vtp *v, const data_array *array, uint64_t bytes, char *out)
{
    const char *at = v->numbers + array->offset;
    uint64_t blocks, size[2], room;
    if (!entry(v, &at, &blocks) || (blocks && (!entry(v, &at, &size[0]) || !entry(v, &at, &size[1])))) {
        return fail_array(v, array, "is cut short: the file ends before it");
    }
    room = (uint64_t)(v->end - at) / (v->wide ? 8 : 4);
    if (blocks > room) {
        return fail_array(v, array, "is cut short: the file ends before it");
    }
    bool fits = blocks == 0 ? bytes == 0
                            : size[0] > 0 && size[1] < size[0] && blocks <= bytes / size[0] + 1 &&
                                  (blocks - (size[1] > 0)) * size[0] + size[1] == bytes;
    if (!fits) {
        return fail_array(v, array, "has another size than the head of the file says");
    }
    return inflate_blocks(v, array, at, at + blocks * (v->wide ? 8 : 4), blocks, size, out);
}

static mote_status read_raw(const vtp *v, const data_array *array, uint64_t bytes, char *out)
{
    const char *at = v->numbers + array->offset;
    uint64_t size;
    if (!entry(v, &at, &size) || size > (uint64_t)(v->end - at)) {
        return fail_array(v, array, "is cut short: the file ends before it");
    }
    if (size != bytes) {
        return fail_array(v, array, "has another size than the head of the file says");
    }
    memcpy(out, at, bytes);
    return MOTE_OK;
}

static void put_number(mote_type type, void *out, int64_t k, const char *text, char **end)
{
    switch (type) {
    case MOTE_F64:
        ((double *)out)[k] = strtod(text, end);
        break;
    case MOTE_F32:
        ((float *)out)[k] = strtof(text, end);
        break;
    case MOTE_I64:
        ((int64_t *)out)[k] = strtoll(text, end, 10);
        break;
    case MOTE_I32:
        ((int32_t *)out)[k] = (int32_t)strtol(text, end, 10);
        break;
    case MOTE_U8:
        ((uint8_t *)out)[k] = (uint8_t)strtol(text, end, 10);
        break;
    }
}

static mote_status read_text(const vtp *v, const data_array *array, int64_t count, void *out)
{
    const char *at = array->text;
    for (int64_t k = 0; k < count; ++k) {
        char *end;
        put_number(array->type, out, k, at, &end);
        if (end == at) {
            return fail_array(v, array, "has fewer numbers than the head of the file says");
        }
        at = end;
    }
    return MOTE_OK;
}

static mote_status read_numbers(const vtp *v, const data_array *array, int64_t count, void *out)
{
    if (strcmp(array->format, "ascii") == 0) {
        return read_text(v, array, count, out);
    }
    uint64_t bytes = (uint64_t)count * mo_type_bytes(array->type);
    return v->compressed ? read_packed(v, array, bytes, out) : read_raw(v, array, bytes, out);
}

/* What the file can hold: two characters a plain number, the bytes themselves, or a thousand times that by zlib. So a head
   that lies cannot ask for much memory. */
static bool believable(const vtp *v, const data_array *array, int64_t count)
{
    bool plain = strcmp(array->format, "ascii") == 0;
    double bytes = (double)count * (plain ? 2 : (double)mo_type_bytes(array->type));
    double most = (double)v->file->size;
    return bytes <= (v->compressed && !plain ? 1100 * most : most + 1);
}

/* The places become doubles, whatever they were stored as. */
static mote_status read_places(vtp *v, const data_array *array)
{
    void *stored, *x;
    int64_t count = 3 * v->out->rows;
    if (mo_stored_find(v->out, "x")) {
        return fail(v, "has its points twice");
    }
    if (array->components != 3 || (array->type != MOTE_F32 && array->type != MOTE_F64)) {
        return fail(v, "its points are not three real numbers each");
    }
    MO_TRY(mo_stored_add(v->out, "x", "m", MOTE_F64, 3, &x, v->error));
    if (array->type == MOTE_F64) {
        return read_numbers(v, array, count, x);
    }
    stored = mo_allocate(&v->out->memory, (size_t)count * sizeof(float));
    if (!stored) {
        return mo_fail_memory(v->error, (size_t)count * sizeof(float));
    }
    mote_status status = read_numbers(v, array, count, stored);
    for (int64_t k = 0; k < count; ++k) {
        ((double *)x)[k] = (double)((float *)stored)[k];
    }
    mo_release(&v->out->memory, stored);
    return status;
}

static mote_status read_field(vtp *v, const data_array *array)
{
    void *data;
    if (strcmp(array->name, "x") == 0 || mo_stored_find(v->out, array->name)) {
        return fail_array(v, array, "is there twice");
    }
    MO_TRY(mo_stored_add(v->out, array->name, "", array->type, array->components, &data, v->error));
    return read_numbers(v, array, v->out->rows * array->components, data);
}

static mote_status read_cells(vtp *v, const data_array *array, int corners, int64_t cells, int32_t **rows)
{
    if (array->type != MOTE_I32) {
        return fail_array(v, array, "of the cells is not of 32-bit numbers");
    }
    if (*rows) {
        return fail_array(v, array, "is there twice");
    }
    MO_TRY(mo_stored_rows(v->out, corners * cells, rows, v->error));
    MO_TRY(read_numbers(v, array, corners * cells, *rows));
    if (!mo_stored_rows_good(v->out, *rows, corners * cells)) {
        return fail_array(v, array, "names points that are not there");
    }
    return MOTE_OK;
}

/* Where each cell ends: that says whether all are lines of two or triangles. */
static mote_status check_offsets(vtp *v, const data_array *array, int corners, int64_t cells)
{
    bool wide = array->type == MOTE_I64;
    if (!wide && array->type != MOTE_I32) {
        return fail_array(v, array, "of the cells is not of whole numbers");
    }
    void *ends = mo_allocate(&v->out->memory, (size_t)cells * mo_type_bytes(array->type));
    if (!ends) {
        return mo_fail_memory(v->error, (size_t)cells * mo_type_bytes(array->type));
    }
    mote_status status = read_numbers(v, array, cells, ends);
    for (int64_t k = 0; k < cells && status == MOTE_OK; ++k) {
        int64_t end = wide ? ((int64_t *)ends)[k] : ((int32_t *)ends)[k];
        if (end != corners * (k + 1)) {
            status = fail_array(v, array, "says that not all cells are points, lines of two or triangles");
        }
    }
    mo_release(&v->out->memory, ends);
    return status;
}

/* Which array it is follows from the element around it. */
static mote_status read_array(vtp *v, const mo_xml_tag *tag, const char *around)
{
    data_array array;
    MO_TRY(read_tag(v, tag, &array));
    bool lines = strcmp(around, "Lines") == 0, polys = strcmp(around, "Polys") == 0;
    int corners = lines ? 2 : 3;
    int64_t cells = lines ? v->lines : v->polys;
    int64_t count = lines || polys ? corners * cells : v->out->rows * array.components;
    if (!believable(v, &array, count)) {
        return fail_array(v, &array, "is cut short: the file is far too small for it");
    }
    if (strcmp(around, "FieldData") == 0 && strcmp(array.name, "TimeValue") == 0) {
        return array.type == MOTE_F64 ? read_numbers(v, &array, 1, &v->out->time) : MOTE_OK;
    }
    if (strcmp(around, "PointData") == 0) {
        return read_field(v, &array);
    }
    if (strcmp(around, "Points") == 0) {
        return read_places(v, &array);
    }
    if ((lines || polys) && strcmp(array.name, "connectivity") == 0) {
        return read_cells(v, &array, corners, cells, lines ? &v->out->edges : &v->out->triangles);
    }
    return (lines || polys) && strcmp(array.name, "offsets") == 0 ? check_offsets(v, &array, corners, cells)
                                                                  : MOTE_OK;
}

static mote_status read_file_tag(vtp *v, const mo_xml_tag *tag)
{
    char text[64];
    mo_xml_attribute(tag, "type", text, sizeof text);
    if (strcmp(text, "PolyData") != 0) {
        return fail(v, "is not a VTK file of the type PolyData");
    }
    mo_xml_attribute(tag, "byte_order", text, sizeof text);
    if (strcmp(text, "LittleEndian") != 0) {
        return fail(v, "its byte order is not LittleEndian, which mote writes");
    }
    v->wide = mo_xml_attribute(tag, "header_type", text, sizeof text) && strcmp(text, "UInt64") == 0;
    v->compressed = mo_xml_attribute(tag, "compressor", text, sizeof text);
    if (v->compressed && strcmp(text, "vtkZLibDataCompressor") != 0) {
        return fail(v, "its compressor is not zlib, which mote uses");
    }
    return MOTE_OK;
}

static mote_status read_piece_tag(vtp *v, const mo_xml_tag *tag)
{
    if (v->out->rows >= 0) {
        return fail(v, "has several pieces; mote writes one");
    }
    if (!whole_number(tag, "NumberOfPoints", INT32_MAX, &v->out->rows) ||
        !whole_number(tag, "NumberOfLines", INT32_MAX, &v->lines) ||
        !whole_number(tag, "NumberOfPolys", INT32_MAX, &v->polys)) {
        return fail(v, "its Piece does not say how many points, lines and triangles it has");
    }
    return MOTE_OK;
}

/* The bytes behind the XML: from the underscore on. */
static void find_numbers(vtp *v)
{
    const char *at = v->file->data;
    v->end = at + v->file->size;
    at = memmem(at, v->file->size, "<AppendedData", strlen("<AppendedData"));
    at = at ? memchr(at, '>', (size_t)(v->end - at)) : NULL;
    at = at ? memchr(at, '_', (size_t)(v->end - at)) : NULL;
    v->numbers = at ? at + 1 : NULL;
}

static mote_status read_tags(vtp *v)
{
    char around[32] = "";
    const char *at = v->file->data, *end = v->numbers ? v->numbers : v->end;
    mo_xml_tag tag;
    while (mo_xml_next(at, end, &tag)) {
        at = tag.after;
        if (tag.closing) {
            continue;
        }
        if (mo_xml_is(&tag, "VTKFile")) {
            MO_TRY(read_file_tag(v, &tag));
        } else if (mo_xml_is(&tag, "Piece")) {
            MO_TRY(read_piece_tag(v, &tag));
        } else if (!mo_xml_is(&tag, "DataArray")) {
            size_t length = tag.name_length < sizeof around ? tag.name_length : sizeof around - 1;
            memcpy(around, tag.name, length);
            around[length] = '\0';
        } else if (v->out->rows < 0 && strcmp(around, "FieldData") != 0) {
            return fail(v, "has arrays before its Piece");
        } else {
            MO_TRY(read_array(v, &tag, around));
        }
    }
    return MOTE_OK;
}

/* The first column is x. */
static mote_status put_places_first(vtp *v)
{
    mo_stored *s = v->out;
    for (int k = 0; k < s->column_count; ++k) {
        if (strcmp(s->columns[k].name, "x") == 0) {
            mote_column x = s->columns[k];
            memmove(s->columns + 1, s->columns, (size_t)k * sizeof x);
            s->columns[0] = x;
            return MOTE_OK;
        }
    }
    return fail(v, "has no points: it is cut short, or no result of mote");
}

mote_status mo_stored_read_vtp(const mo_bytes *file, mo_stored *stored, mote_error *error)
{
    vtp v = {.file = file, .out = stored, .error = error};
    stored->rows = -1;
    find_numbers(&v);
    MO_TRY(read_tags(&v));
    if (stored->rows < 0) {
        return fail(&v, "is cut short, or no VTP file: it has no Piece");
    }
    MO_TRY(put_places_first(&v));
    stored->edge_count = stored->edges ? v.lines : 0;
    stored->triangle_count = stored->triangles ? v.polys : 0;
    return MOTE_OK;
}
