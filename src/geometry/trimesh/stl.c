/*
 * STL: triangles, each with a normal, which is ignored, and three points. Binary: 80 bytes of
 * header, the number of triangles, 50 bytes for each. Text begins with "solid"; since binary files
 * may do so too, a file whose size matches its count is binary.
 */
#include "geometry/trimesh/file.h"

#include <math.h>
#include <string.h>

enum { HEAD = 84, RECORD = 50 };

static uint32_t little_u32(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float little_f32(const char *p)
{
    uint32_t bits = little_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A triangle of three new points. */
static mote_status add_facet(mo_trimesh_source *s, const double x[9])
{
    int32_t corner[3];
    for (int k = 0; k < 3; ++k) {
        corner[k] = (int32_t)s->points;
        MO_TRY(mo_source_add_point(s, x + 3 * k));
    }
    return mo_source_add_triangle(s, corner);
}

static mote_status parse_binary(mo_trimesh_source *s)
{
    int64_t count = little_u32(s->at + 80);
    for (int64_t t = 0; t < count; ++t) {
        const char *record = s->at + HEAD + t * RECORD + 12;
        double x[9];
        for (int k = 0; k < 9; ++k) {
            x[k] = (double)little_f32(record + 4 * k);
            if (!isfinite(x[k])) {
                return mo_source_fail(s, 0, "triangle %lld of %lld has a number that is not finite",
                                      (long long)t + 1, (long long)count);
            }
        }
        MO_TRY(add_facet(s, x));
    }
    return MOTE_OK;
}

/* ---- text ---- */

/* The next word, on this line or a later one. */
static bool next_word(mo_trimesh_source *s, const char **word, size_t *length)
{
    while (!mo_source_word(s, word, length)) {
        if (s->at < s->end && *s->at != '\n') {
            return false; /* not text */
        }
        if (!mo_source_next_line(s)) {
            return false;
        }
    }
    return true;
}

/* Keywords are case-insensitive. */
static bool is(const char *word, size_t length, const char *name)
{
    if (strlen(name) != length) {
        return false;
    }
    for (size_t k = 0; k < length; ++k) {
        if ((word[k] | 0x20) != name[k]) {
            return false;
        }
    }
    return true;
}

static mote_status expect(mo_trimesh_source *s, const char *name)
{
    const char *word;
    size_t length;
    if (!next_word(s, &word, &length)) {
        return mo_source_fail(s, s->line,
                              "is truncated, or not text: expected '%s' of triangle %lld", name,
                              (long long)s->triangles + 1);
    }
    return is(word, length, name)
               ? MOTE_OK
               : mo_source_fail(s, s->line, "expected '%s' of triangle %lld, found '%.*s'", name,
                                (long long)s->triangles + 1, length < 40 ? (int)length : 40, word);
}

/* Parses the contents of a "facet". */
static mote_status read_facet(mo_trimesh_source *s)
{
    double x[9];
    const char *word;
    size_t length;
    MO_TRY(expect(s, "normal"));
    for (int k = 0; k < 3; ++k) {
        if (!next_word(s, &word, &length)) { /* not checked, may be NaN */
            return mo_source_fail(s, s->line, "is truncated: a normal needs three numbers");
        }
    }
    MO_TRY(expect(s, "outer"));
    MO_TRY(expect(s, "loop"));
    for (int corner = 0; corner < 3; ++corner) {
        MO_TRY(expect(s, "vertex"));
        for (int k = 0; k < 3; ++k) {
            if (!mo_source_number(s, &x[3 * corner + k])) {
                return mo_source_fail(
                    s, s->line,
                    "corner %d of triangle %lld needs three finite numbers, vertex x y z",
                    corner + 1, (long long)s->triangles + 1);
            }
        }
    }
    MO_TRY(expect(s, "endloop"));
    MO_TRY(expect(s, "endfacet"));
    return add_facet(s, x);
}

static mote_status parse_text(mo_trimesh_source *s)
{
    const char *word;
    size_t length;
    while (next_word(s, &word, &length)) {
        if (is(word, length, "facet")) {
            MO_TRY(read_facet(s));
        } else if (is(word, length, "solid") || is(word, length, "endsolid")) {
            mo_source_next_line(s); /* the rest of the line is its name */
        } else {
            return mo_source_fail(s, s->line, "expected 'facet' or 'endsolid', found '%.*s'",
                                  length < 40 ? (int)length : 40, word);
        }
    }
    return s->at < s->end
               ? mo_source_fail(s, s->line,
                                "is not text, and does not have the length of a binary file")
               : MOTE_OK;
}

mote_status mo_trimesh_parse_stl(mo_trimesh_source *source)
{
    int64_t size = source->end - source->at;
    int64_t count = size >= HEAD ? (int64_t)little_u32(source->at + 80) : 0;
    if (size >= HEAD && HEAD + RECORD * count == size) {
        return parse_binary(source);
    }
    if (size >= 5 && is(source->at, 5, "solid")) {
        return parse_text(source);
    }
    if (size < HEAD) {
        return mo_source_fail(
            source, 0, "is not an STL file: it is too short and does not begin with 'solid'");
    }
    return mo_source_fail(
        source, 0,
        "is truncated, or not an STL file: %lld triangles need %lld bytes, and it has %lld",
        (long long)count, (long long)(HEAD + RECORD * count), (long long)size);
}
