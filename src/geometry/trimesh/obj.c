/*
 * Wavefront OBJ: `v x y z` are points, `f a b c ...` polygons of them, counted from 1, or relative
 * to the last point when negative; texture and normal of "a/t/n" are ignored. A backslash continues
 * a line.
 */
#include "geometry/trimesh/file.h"

#include <string.h>

enum { POLYGON_MAX = 1 << 20 };

typedef struct obj {
    mo_trimesh_source *source;
    /* the highest corner so far and its line: points may follow their faces */
    int64_t highest, highest_line;
} obj;

/* Keywords that are ignored. */
static const char *const PASSED_OVER[] = {
    "vt",        "vn",     "vp",     "o",      "g",        "s",        "l",    "p",
    "usemtl",    "mtllib", "usemap", "maplib", "cstype",   "deg",      "bmat", "step",
    "curv",      "curv2",  "surf",   "parm",   "trim",     "hole",     "scrv", "sp",
    "end",       "con",    "mg",     "bevel",  "c_interp", "d_interp", "lod",  "shadow_obj",
    "trace_obj", "ctech",  "stech",  "call",   "csh"};

static bool is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

static bool passed_over(const char *word, size_t length)
{
    for (size_t k = 0; k < sizeof PASSED_OVER / sizeof *PASSED_OVER; ++k) {
        if (is(word, length, PASSED_OVER[k])) {
            return true;
        }
    }
    return word[0] == '#';
}

static mote_status read_point(obj *o)
{
    mo_trimesh_source *s = o->source;
    double x[3];
    for (int k = 0; k < 3; ++k) {
        if (!mo_source_number(s, &x[k])) {
            return mo_source_fail(s, s->line, "point %lld needs three finite numbers, v x y z",
                                  (long long)s->points + 1);
        }
    }
    return mo_source_add_point(s, x);
}

/* "12", "-1", "12/3", "12//5" -> the point from 0. */
static mote_status read_corner(obj *o, const char *word, size_t length, int32_t *corner)
{
    mo_trimesh_source *s = o->source;
    bool negative = word[0] == '-';
    int64_t number = 0;
    size_t k = negative;
    for (; k < length && word[k] >= '0' && word[k] <= '9' && number <= INT32_MAX; ++k) {
        number = 10 * number + (word[k] - '0');
    }
    bool good = k > (size_t)negative && (k == length || word[k] == '/');
    int64_t row = negative ? s->points - number : number - 1;
    if (!good || number == 0 || row < 0 || row >= INT32_MAX) {
        return mo_source_fail(
            s, s->line,
            "'%.*s' is not a corner of a face; allowed: 1 to %lld, or -1 to -%lld relative to the "
            "last point",
            length < 40 ? (int)length : 40, word, (long long)s->points, (long long)s->points);
    }
    if (row > o->highest) {
        o->highest = row;
        o->highest_line = s->line;
    }
    *corner = (int32_t)row;
    return MOTE_OK;
}

/* The next word of a statement, with continuation lines. */
static bool next_word(mo_trimesh_source *s, const char **word, size_t *length)
{
    while (mo_source_word(s, word, length)) {
        if (!is(*word, *length, "\\")) {
            return (*word)[0] != '#';
        }
        mo_source_next_line(s);
    }
    return false;
}

static mote_status read_face(obj *o)
{
    mo_trimesh_source *s = o->source;
    const char *word;
    size_t length;
    int32_t corner[3];
    int64_t count = 0, line = s->line;
    while (next_word(s, &word, &length)) {
        MO_TRY(read_corner(o, word, length, &corner[count == 0 ? 0 : 2]));
        if (++count >= 3) {
            MO_TRY(mo_source_add_triangle(s, corner));
        }
        if (count >= 2) {
            corner[1] = corner[2];
        }
        if (count > POLYGON_MAX) {
            return mo_source_fail(s, line, "a face has more than %d corners", POLYGON_MAX);
        }
    }
    return count >= 3
               ? MOTE_OK
               : mo_source_fail(s, line, "a face needs at least three corners, this one has %lld",
                                (long long)count);
}

static mote_status read_line(obj *o)
{
    mo_trimesh_source *s = o->source;
    const char *word;
    size_t length;
    if (!mo_source_word(s, &word, &length)) {
        return s->at < s->end && *s->at != '\n'
                   ? mo_source_fail(s, s->line,
                                    "is not an OBJ file: it has bytes that are not text")
                   : MOTE_OK;
    }
    if (is(word, length, "v")) {
        return read_point(o);
    }
    if (is(word, length, "f")) {
        return read_face(o);
    }
    return passed_over(word, length)
               ? MOTE_OK
               : mo_source_fail(s, s->line,
                                "'%.*s' does not begin a line of an OBJ file; allowed: v, f, ...",
                                length < 40 ? (int)length : 40, word);
}

mote_status mo_trimesh_parse_obj(mo_trimesh_source *source)
{
    obj o = {.source = source, .highest = -1};
    do {
        MO_TRY(read_line(&o));
    } while (mo_source_next_line(source));
    if (o.highest >= source->points) {
        return mo_source_fail(source, o.highest_line,
                              "a face refers to point %lld; allowed: 1 to "
                              "%lld",
                              (long long)o.highest + 1, (long long)source->points);
    }
    return MOTE_OK;
}
