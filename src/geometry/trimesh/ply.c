/*
 * PLY (Turk 1994), text or binary of either byte order, with any elements and properties: x, y, z
 * of "vertex" and the list vertex_indices (or vertex_index) of "face" are read, everything else is
 * skipped.
 */
#include "geometry/trimesh/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 32, PROPERTIES_MAX = 128, NAME = 40, POLYGON_MAX = 1 << 20 };

typedef enum number_type { I8, U8, I16, U16, I32, U32, F32, F64, TYPES } number_type;

static const struct {
    const char *name, *other;
    int bytes;
} TYPE[TYPES] = {
    [I8] = {"char", "int8", 1},      [U8] = {"uchar", "uint8", 1},    [I16] = {"short", "int16", 2},
    [U16] = {"ushort", "uint16", 2}, [I32] = {"int", "int32", 4},     [U32] = {"uint", "uint32", 4},
    [F32] = {"float", "float32", 4}, [F64] = {"double", "float64", 8}};

typedef struct property {
    bool list;
    number_type counts, type;
    int use; /* 0, 1, 2: x, y, z; 3: corners; -1: unused */
} property;

typedef struct element {
    char name[NAME];
    int64_t count;
    int first, properties;
} element;

typedef struct ply {
    mo_trimesh_source *source;
    bool binary, swapped;
    int element_count, property_count;
    element elements[ELEMENTS_MAX];
    property properties[PROPERTIES_MAX];
} ply;

/* ---- the header ---- */

/* The next word of a header line, copied; empty if there is none. */
static void word_of(mo_trimesh_source *s, char out[NAME])
{
    const char *word;
    size_t length;
    mo_source_word(s, &word, &length);
    length = length < NAME - 1 ? length : NAME - 1;
    memcpy(out, word, length);
    out[length] = '\0';
}

static bool type_of(const char *name, number_type *type)
{
    for (int k = 0; k < TYPES; ++k) {
        if (strcmp(name, TYPE[k].name) == 0 || strcmp(name, TYPE[k].other) == 0) {
            *type = (number_type)k;
            return true;
        }
    }
    return false;
}

static mote_status head_format(ply *p)
{
    char name[NAME];
    word_of(p->source, name);
    p->binary = strcmp(name, "ascii") != 0;
    p->swapped = strcmp(name, "binary_big_endian") == 0;
    if (p->binary && !p->swapped && strcmp(name, "binary_little_endian") != 0) {
        return mo_source_fail(
            p->source, p->source->line,
            "the format '%s' is unknown; allowed: ascii, binary_little_endian, binary_big_endian",
            name);
    }
    return MOTE_OK;
}

static mote_status head_element(ply *p)
{
    mo_trimesh_source *s = p->source;
    char count[NAME], *end;
    if (p->element_count == ELEMENTS_MAX) {
        return mo_source_fail(s, s->line, "has more than %d elements", ELEMENTS_MAX);
    }
    element *e = &p->elements[p->element_count++];
    *e = (element){.first = p->property_count};
    word_of(s, e->name);
    word_of(s, count);
    long long value = strtoll(count, &end, 10);
    if (!count[0] || *end || value < 0 || value > INT32_MAX) {
        return mo_source_fail(s, s->line, "'%s' is not a number of elements; allowed: 0 to %d",
                              count, INT32_MAX);
    }
    e->count = value;
    return MOTE_OK;
}

static int use_of(const element *e, const char *name, bool list)
{
    if (strcmp(e->name, "vertex") == 0 && !list && name[0] >= 'x' && name[0] <= 'z' && !name[1]) {
        return name[0] - 'x';
    }
    bool corners = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return strcmp(e->name, "face") == 0 && list && corners ? 3 : -1;
}

static mote_status head_property(ply *p)
{
    mo_trimesh_source *s = p->source;
    char type[NAME], name[NAME];
    property q = {0};
    if (p->element_count == 0 || p->property_count == PROPERTIES_MAX) {
        return mo_source_fail(s, s->line, "a property without an element, or more than %d of them",
                              PROPERTIES_MAX);
    }
    word_of(s, type);
    q.list = strcmp(type, "list") == 0;
    if (q.list) {
        word_of(s, type);
        if (!type_of(type, &q.counts) || q.counts >= F32) {
            return mo_source_fail(s, s->line,
                                  "the count of a list must have an integer type, not "
                                  "'%s'",
                                  type);
        }
        word_of(s, type);
    }
    word_of(s, name);
    if (!type_of(type, &q.type) || !name[0]) {
        return mo_source_fail(
            s, s->line,
            "a property of the unknown type '%s', or without a name; allowed: char, uchar, "
            "short, ushort, int, uint, float, double",
            type);
    }
    element *e = &p->elements[p->element_count - 1];
    q.use = use_of(e, name, q.list);
    e->properties++;
    p->properties[p->property_count++] = q;
    return MOTE_OK;
}

/* A line of the header; *done is set by the last one. */
static mote_status head_line(ply *p, bool *done)
{
    char word[NAME];
    word_of(p->source, word);
    if (strcmp(word, "format") == 0) {
        return head_format(p);
    }
    if (strcmp(word, "element") == 0) {
        return head_element(p);
    }
    if (strcmp(word, "property") == 0) {
        return head_property(p);
    }
    *done = strcmp(word, "end_header") == 0;
    bool known = *done || !word[0] || strcmp(word, "comment") == 0 || strcmp(word, "obj_info") == 0;
    return known ? MOTE_OK
                 : mo_source_fail(p->source, p->source->line,
                                  "'%s' does not begin a line of a PLY header", word);
}

static mote_status read_head(ply *p)
{
    mo_trimesh_source *s = p->source;
    char word[NAME];
    bool done = false;
    word_of(s, word);
    if (strcmp(word, "ply") != 0) {
        return mo_source_fail(s, s->line, "is not a PLY file: it does not begin with 'ply'");
    }
    while (!done) {
        if (!mo_source_next_line(s)) {
            return mo_source_fail(s, s->line, "is truncated: its header has no end");
        }
        MO_TRY(head_line(p, &done));
    }
    mo_source_next_line(s);
    return MOTE_OK;
}

/* Whether the header's counts fit the file size: a text number needs two bytes, a list one. */
static mote_status check_size(const ply *p)
{
    const mo_trimesh_source *s = p->source;
    double bytes = 0;
    for (int k = 0; k < p->element_count; ++k) {
        const element *e = &p->elements[k];
        double each = 0;
        for (int q = e->first; q < e->first + e->properties; ++q) {
            const property *at = &p->properties[q];
            each += !p->binary ? 2 : TYPE[at->list ? at->counts : at->type].bytes;
        }
        bytes += each * (double)e->count;
        if (each == 0 && e->count > 0) {
            return mo_source_fail(s, 0, "its element '%s' has no properties", e->name);
        }
    }
    return bytes <= (double)(s->end - s->at) + 1
               ? MOTE_OK
               : mo_source_fail(
                     s, 0,
                     "is truncated: its header states elements of at least %.0f bytes, and %lld "
                     "follow",
                     bytes, (long long)(s->end - s->at));
}

/* ---- the numbers ---- */

static double decode(const unsigned char raw[8], number_type type)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } value;
    memcpy(&value, raw, sizeof value);
    switch (type) {
    case I8:
        return value.i8;
    case U8:
        return value.u8;
    case I16:
        return value.i16;
    case U16:
        return value.u16;
    case I32:
        return value.i32;
    case U32:
        return value.u32;
    case F32:
        return (double)value.f32;
    default:
        return value.f64;
    }
}

/* In text files numbers may be on any line. */
static bool take_text(mo_trimesh_source *s, double *value)
{
    for (;;) {
        const char *start = s->at;
        if (mo_source_number(s, value)) {
            return true;
        }
        bool blank = true;
        for (const char *c = start; c < s->at; ++c) {
            blank = blank && (unsigned char)*c <= ' ';
        }
        if (!blank || s->at >= s->end || *s->at != '\n') {
            return false;
        }
        mo_source_next_line(s);
    }
}

static bool take(ply *p, number_type type, double *value)
{
    mo_trimesh_source *s = p->source;
    if (!p->binary) {
        return take_text(s, value);
    }
    unsigned char raw[8] = {0};
    int bytes = TYPE[type].bytes;
    if (s->end - s->at < bytes) {
        return false;
    }
    for (int k = 0; k < bytes; ++k) {
        raw[k] = (unsigned char)s->at[p->swapped ? bytes - 1 - k : k];
    }
    s->at += bytes;
    *value = decode(raw, type);
    return true;
}

static mote_status fail_in(const ply *p, const element *e, int64_t row, const char *what)
{
    const mo_trimesh_source *s = p->source;
    return mo_source_fail(s, p->binary ? 0 : s->line, "%s %lld of %lld %s", e->name,
                          (long long)row + 1, (long long)e->count, what);
}

/* A polygon's corners, or an unused list. */
static mote_status read_items(ply *p, const element *e, int64_t row, const property *q)
{
    double count, value;
    if (!take(p, q->counts, &count) || !(count >= 0 && count <= POLYGON_MAX) ||
        count != (int64_t)count) {
        return fail_in(p, e, row, "is missing, or its list has an invalid length");
    }
    if (q->use == 3 && count < 3) {
        return fail_in(p, e, row, "has fewer than three corners");
    }
    int32_t corner[3] = {0};
    for (int64_t k = 0; k < (int64_t)count; ++k) {
        if (!take(p, q->type, &value)) {
            return fail_in(p, e, row, "is truncated, or has a value that is not a number");
        }
        if (q->use != 3) {
            continue;
        }
        if (!(value >= 0 && value < INT32_MAX) || value != (int64_t)value) {
            return fail_in(p, e, row, "has a corner that is not a valid point index");
        }
        corner[1] = corner[2];
        corner[k == 0 ? 0 : 2] = (int32_t)value;
        if (k >= 2) {
            MO_TRY(mo_source_add_triangle(p->source, corner));
        }
    }
    return MOTE_OK;
}

static mote_status read_row(ply *p, const element *e, int64_t row, double x[3])
{
    for (int k = e->first; k < e->first + e->properties; ++k) {
        const property *q = &p->properties[k];
        double value;
        if (q->list) {
            MO_TRY(read_items(p, e, row, q));
        } else if (!take(p, q->type, &value)) {
            return fail_in(p, e, row, "is truncated, or has a value that is not a finite number");
        } else if (q->use >= 0) {
            x[q->use] = value;
            if (!isfinite(value)) {
                return fail_in(p, e, row, "has a value that is not finite");
            }
        }
    }
    return MOTE_OK;
}

static mote_status read_element(ply *p, const element *e)
{
    bool vertex = strcmp(e->name, "vertex") == 0;
    int found = 0;
    for (int k = e->first; vertex && k < e->first + e->properties; ++k) {
        found |= p->properties[k].use >= 0 ? 1 << p->properties[k].use : 0;
    }
    if (vertex && found != 7) {
        return mo_source_fail(p->source, 0, "its points lack one of the properties x, y, z");
    }
    for (int64_t row = 0; row < e->count; ++row) {
        double x[3] = {0, 0, 0};
        MO_TRY(read_row(p, e, row, x));
        if (vertex) {
            MO_TRY(mo_source_add_point(p->source, x));
        }
    }
    return MOTE_OK;
}

static mote_status check_corners(const ply *p)
{
    const mo_trimesh_source *s = p->source;
    for (int64_t k = 0; k < 3 * s->triangles; ++k) {
        if (s->corner[k] >= s->points) {
            return mo_source_fail(s, 0,
                                  "triangle %lld has point %d as a corner; allowed: 0 to %lld",
                                  (long long)(k / 3), s->corner[k], (long long)s->points - 1);
        }
    }
    return MOTE_OK;
}

mote_status mo_trimesh_parse_ply(mo_trimesh_source *source)
{
    ply p = {.source = source};
    MO_TRY(read_head(&p));
    MO_TRY(check_size(&p));
    for (int k = 0; k < p.element_count; ++k) {
        MO_TRY(read_element(&p, &p.elements[k]));
    }
    return check_corners(&p);
}
