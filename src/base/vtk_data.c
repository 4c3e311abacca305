#include "base/vtk_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const struct {
    const char *name;
    size_t bytes;
} TYPES[MO_VTK_TYPES] = {
    [MO_VTK_I8] = {"Int8", 1},     [MO_VTK_U8] = {"UInt8", 1},   [MO_VTK_I16] = {"Int16", 2},
    [MO_VTK_U16] = {"UInt16", 2},  [MO_VTK_I32] = {"Int32", 4},  [MO_VTK_U32] = {"UInt32", 4},
    [MO_VTK_I64] = {"Int64", 8},   [MO_VTK_U64] = {"UInt64", 8}, [MO_VTK_F32] = {"Float32", 4},
    [MO_VTK_F64] = {"Float64", 8},
};

size_t mo_vtk_bytes(mo_vtk_type type)
{
    return TYPES[type].bytes;
}

mote_status mo_vtk_fail(const mo_vtk_file *file, const char *what)
{
    return mo_fail(file->error, MOTE_ERROR_INPUT, "%.900s: %s", file->path, what);
}

mote_status mo_vtk_fail_array(const mo_vtk_file *file, const mo_vtk_array *array, const char *what)
{
    return mo_fail(file->error, MOTE_ERROR_INPUT, "%.900s: the array \"%s\" %s", file->path,
                   array->name, what);
}

/* ---- attributes ---- */

bool mo_vtk_integer(const mo_xml_tag *tag, const char *name, int64_t most, int64_t *out)
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

void mo_vtk_open(mo_vtk_file *file)
{
    const char *at = memmem(file->data, (size_t)(file->end - file->data), "<AppendedData",
                            strlen("<AppendedData"));
    mo_xml_tag tag;
    char encoding[16] = "";
    if (at && mo_xml_next(at, file->end, &tag)) {
        mo_xml_attribute(&tag, "encoding", encoding, sizeof encoding);
        at = memchr(tag.after, '_', (size_t)(file->end - tag.after));
        file->numbers = at ? at + 1 : NULL;
        file->encoded = strcmp(encoding, "base64") == 0;
    }
}

const char *mo_vtk_xml_end(const mo_vtk_file *file)
{
    return file->numbers ? file->numbers : file->end;
}

mote_status mo_vtk_read_head(mo_vtk_file *file, const mo_xml_tag *tag, const char *type)
{
    char text[64];
    mo_xml_attribute(tag, "type", text, sizeof text);
    if (strcmp(text, type) != 0) {
        return mo_fail(file->error, MOTE_ERROR_INPUT, "%.900s: is not a VTK file of the type %s",
                       file->path, type);
    }
    mo_xml_attribute(tag, "byte_order", text, sizeof text);
    file->swapped = strcmp(text, "BigEndian") == 0;
    if (!file->swapped && strcmp(text, "LittleEndian") != 0) {
        return mo_vtk_fail(file, "its byte order is neither LittleEndian nor BigEndian");
    }
    file->wide =
        mo_xml_attribute(tag, "header_type", text, sizeof text) && strcmp(text, "UInt64") == 0;
    file->compressed = mo_xml_attribute(tag, "compressor", text, sizeof text);
    if (file->compressed && strcmp(text, "vtkZLibDataCompressor") != 0) {
        return mo_vtk_fail(file, "its compressor is not zlib, the only one supported");
    }
    return MOTE_OK;
}

mote_status mo_vtk_read_tag(const mo_vtk_file *file, const mo_xml_tag *tag, mo_vtk_array *array)
{
    char type[16];
    int64_t number;
    int known = 0;
    *array = (mo_vtk_array){.components = 1, .text = tag->after};
    mo_xml_attribute(tag, "Name", array->name, sizeof array->name);
    mo_xml_attribute(tag, "type", type, sizeof type);
    mo_xml_attribute(tag, "format", array->format, sizeof array->format);
    while (known < MO_VTK_TYPES && strcmp(type, TYPES[known].name) != 0) {
        ++known;
    }
    if (known == MO_VTK_TYPES) {
        return mo_vtk_fail_array(file, array, "has a type that is not numeric");
    }
    array->type = (mo_vtk_type)known;
    if (mo_vtk_integer(tag, "NumberOfComponents", 64, &number) && number > 0) {
        array->components = (int)number;
    }
    if (strcmp(array->format, "ascii") == 0 || strcmp(array->format, "binary") == 0) {
        return MOTE_OK;
    }
    if (strcmp(array->format, "appended") != 0) {
        return mo_vtk_fail_array(file, array,
                                 "has an unknown encoding; allowed: appended, binary, ascii");
    }
    if (!file->numbers || !mo_vtk_integer(tag, "offset", INT64_MAX, &number) ||
        number > file->end - file->numbers) {
        return mo_vtk_fail_array(file, array,
                                 "begins beyond the end of the file, which is "
                                 "truncated");
    }
    array->offset = (uint64_t)number;
    return MOTE_OK;
}

static bool is_text(const mo_vtk_array *array)
{
    return strcmp(array->format, "ascii") == 0;
}

/* At least two characters per text number, the size in bytes, or a thousandth of it with zlib. */
mote_status mo_vtk_check_size(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count)
{
    double bytes = (double)count * (is_text(array) ? 2 : (double)TYPES[array->type].bytes);
    double most = (double)(file->end - file->data);
    if (count < 0 || bytes > (file->compressed && !is_text(array) ? 1100 * most : most + 1)) {
        return mo_vtk_fail_array(file, array, "is truncated: the file is far too small for it");
    }
    return MOTE_OK;
}

/* ---- byte streams ---- */

/* A read position in raw bytes or base64, with the remaining bytes of the last group. */
typedef struct stream {
    const char *at, *end;
    bool encoded;
    uint8_t spare[3];
    int spares;
} stream;

static int letter_value(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes four letters into up to three bytes; padding ("=") may be followed by another part. */
static bool decode_group(stream *s)
{
    uint32_t bits = 0;
    int letters = 0, padding = 0;
    while (letters + padding < 4 && s->at < s->end) {
        char c = *s->at;
        int value = letter_value(c);
        if (value >= 0 && padding == 0) {
            bits = bits << 6 | (uint32_t)value;
            ++letters;
        } else if (c == '=' && letters >= 2) {
            bits <<= 6;
            ++padding;
        } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            return false;
        }
        s->at++;
    }
    if (letters + padding < 4) {
        return false;
    }
    s->spares = 3 - padding;
    for (int k = 0; k < 3; ++k) {
        s->spare[k] = (uint8_t)(bits >> (16 - 8 * k));
    }
    return true;
}

/* The next `bytes` bytes; `out` may be NULL. False at the end. */
static bool stream_read(stream *s, void *out, uint64_t bytes)
{
    char *to = out;
    if (!s->encoded) {
        if (bytes > (uint64_t)(s->end - s->at)) {
            return false;
        }
        if (to) {
            memcpy(to, s->at, bytes);
        }
        s->at += bytes;
        return true;
    }
    while (bytes > 0) {
        if (s->spares == 0 && !decode_group(s)) {
            return false;
        }
        uint64_t some = bytes < (uint64_t)s->spares ? bytes : (uint64_t)s->spares;
        if (to) {
            memcpy(to, s->spare, some);
            to += some;
        }
        memmove(s->spare, s->spare + some, 3 - some);
        s->spares -= (int)some;
        bytes -= some;
    }
    return true;
}

/* Upper bound of the remaining bytes. */
static uint64_t stream_capacity(const stream *s)
{
    return (uint64_t)(s->end - s->at) + (uint64_t)s->spares;
}

static stream stream_of(const mo_vtk_file *file, const mo_vtk_array *array)
{
    if (strcmp(array->format, "appended") == 0) {
        return (stream){
            .at = file->numbers + array->offset, .end = file->end, .encoded = file->encoded};
    }
    return (stream){.at = array->text, .end = file->end, .encoded = true};
}

/* One entry of the table in front of an array. */
static bool entry(const mo_vtk_file *file, stream *s, uint64_t *value)
{
    uint32_t narrow;
    if (!stream_read(s, file->wide ? (void *)value : (void *)&narrow, file->wide ? 8 : 4)) {
        return false;
    }
    if (file->wide) {
        *value = file->swapped ? __builtin_bswap64(*value) : *value;
    } else {
        *value = file->swapped ? __builtin_bswap32(narrow) : narrow;
    }
    return true;
}

/* ---- numbers ---- */

/* One block: directly from the file, or decoded through a buffer. */
static mote_status inflate_block(const mo_vtk_file *file, const mo_vtk_array *array, stream *s,
                                 uint64_t packed, char *out, uLongf wanted)
{
    void *buffer = NULL;
    const char *from = s->at;
    uLongf plain = wanted;
    if (packed > stream_capacity(s)) {
        return mo_vtk_fail_array(file, array, "is truncated: the file ends before it");
    }
    if (s->encoded) {
        MO_TRY(mo_allocate_array(file->memory, (int64_t)packed, 1, &buffer, file->error));
        from = buffer;
    }
    bool read = stream_read(s, buffer, packed);
    bool good = read && uncompress((Bytef *)out, &plain, (const Bytef *)from, packed) == Z_OK &&
                plain == wanted;
    mo_release(file->memory, buffer);
    if (!read) {
        return mo_vtk_fail_array(file, array, "is truncated: the file ends before it");
    }
    return good ? MOTE_OK
                : mo_vtk_fail_array(file, array,
                                    "is damaged: its compressed data cannot be "
                                    "decoded");
}

/* The table: blocks, bytes of a block, bytes of the last one or 0, the compressed size of each;
 * then the blocks. */
static mote_status read_packed(const mo_vtk_file *file, const mo_vtk_array *array, uint64_t bytes,
                               char *out)
{
    stream table = stream_of(file, array);
    uint64_t blocks, size[2] = {0, 0}, packed, width = file->wide ? 8 : 4;
    if (!entry(file, &table, &blocks) ||
        (blocks && (!entry(file, &table, &size[0]) || !entry(file, &table, &size[1])))) {
        return mo_vtk_fail_array(file, array, "is truncated: the file ends before it");
    }
    stream packs = table;
    if (blocks > stream_capacity(&table) / width || !stream_read(&packs, NULL, blocks * width)) {
        return mo_vtk_fail_array(file, array, "is truncated: the file ends before it");
    }
    bool fits = blocks == 0 ? bytes == 0
                            : size[0] > 0 && size[1] <= size[0] && blocks <= bytes / size[0] + 1 &&
                                  (blocks - (size[1] > 0)) * size[0] + size[1] == bytes;
    if (!fits) {
        return mo_vtk_fail_array(file, array, "has a size that differs from the file header");
    }
    for (uint64_t k = 0; k < blocks; ++k) {
        uLongf plain = k + 1 == blocks && size[1] ? size[1] : size[0];
        if (!entry(file, &table, &packed)) {
            return mo_vtk_fail_array(file, array, "is truncated: the file ends before it");
        }
        MO_TRY(inflate_block(file, array, &packs, packed, out, plain));
        out += plain;
    }
    return MOTE_OK;
}

static mote_status read_unpacked(const mo_vtk_file *file, const mo_vtk_array *array, uint64_t bytes,
                                 char *out)
{
    stream s = stream_of(file, array);
    uint64_t size;
    if (!entry(file, &s, &size) || size > stream_capacity(&s)) {
        return mo_vtk_fail_array(file, array, "is truncated: the file ends before it");
    }
    if (size != bytes) {
        return mo_vtk_fail_array(file, array, "has a size that differs from the file header");
    }
    return stream_read(&s, out, bytes)
               ? MOTE_OK
               : mo_vtk_fail_array(file, array, "is truncated: the file ends before it");
}

static void put_number(mo_vtk_type type, void *out, const char *text, char **end)
{
    switch (type) {
    case MO_VTK_F64:
        *(double *)out = strtod(text, end);
        return;
    case MO_VTK_F32:
        *(float *)out = strtof(text, end);
        return;
    case MO_VTK_U64: {
        uint64_t value = strtoull(text, end, 10);
        memcpy(out, &value, sizeof value);
        return;
    }
    default: { /* little-endian, so that the low bytes are those of the shorter type */
        int64_t value = strtoll(text, end, 10);
        memcpy(out, &value, TYPES[type].bytes);
        return;
    }
    }
}

static mote_status read_text(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count,
                             char *out)
{
    const char *at = array->text;
    for (int64_t k = 0; k < count; ++k) {
        char *end;
        put_number(array->type, out, at, &end);
        if (end == at) {
            return mo_vtk_fail_array(file, array, "has fewer values than the file header states");
        }
        at = end;
        out += TYPES[array->type].bytes;
    }
    return MOTE_OK;
}

static void turn_bytes(char *out, int64_t count, size_t width)
{
    for (int64_t k = 0; k < count; ++k) {
        for (size_t b = 0; b < width / 2; ++b) {
            char kept = out[(size_t)k * width + b];
            out[(size_t)k * width + b] = out[(size_t)k * width + width - 1 - b];
            out[(size_t)k * width + width - 1 - b] = kept;
        }
    }
}

mote_status mo_vtk_read(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count,
                        void *out)
{
    if (is_text(array)) {
        return read_text(file, array, count, out);
    }
    uint64_t bytes = (uint64_t)count * TYPES[array->type].bytes;
    MO_TRY(file->compressed ? read_packed(file, array, bytes, out)
                            : read_unpacked(file, array, bytes, out));
    if (file->swapped) {
        turn_bytes(out, count, TYPES[array->type].bytes);
    }
    return MOTE_OK;
}

static int64_t whole_at(mo_vtk_type type, const char *p)
{
    int64_t value = 0;
    memcpy(&value, p, TYPES[type].bytes);
    switch (type) {
    case MO_VTK_I8:
        return (int8_t)value;
    case MO_VTK_I16:
        return (int16_t)value;
    case MO_VTK_I32:
        return (int32_t)value;
    default:
        /* beyond INT64_MAX a number becomes negative, which is rejected as well */
        return value;
    }
}

static double real_at(mo_vtk_type type, const char *p)
{
    float narrow;
    double wide;
    if (type == MO_VTK_F32) {
        memcpy(&narrow, p, sizeof narrow);
        return (double)narrow;
    }
    if (type == MO_VTK_F64) {
        memcpy(&wide, p, sizeof wide);
        return wide;
    }
    return (double)whole_at(type, p);
}

/* Backwards, since the widened numbers overwrite the narrow ones. */
mote_status mo_vtk_read_reals(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count,
                              double *out)
{
    MO_TRY(mo_vtk_read(file, array, count, out));
    for (int64_t k = count; k-- > 0;) {
        out[k] = real_at(array->type, (const char *)out + (size_t)k * TYPES[array->type].bytes);
    }
    return MOTE_OK;
}

mote_status mo_vtk_read_integers(const mo_vtk_file *file, const mo_vtk_array *array, int64_t count,
                                 int64_t *out)
{
    if (array->type == MO_VTK_F32 || array->type == MO_VTK_F64) {
        return mo_vtk_fail_array(file, array, "is not of integer type");
    }
    MO_TRY(mo_vtk_read(file, array, count, out));
    for (int64_t k = count; k-- > 0;) {
        out[k] = whole_at(array->type, (const char *)out + (size_t)k * TYPES[array->type].bytes);
    }
    return MOTE_OK;
}
