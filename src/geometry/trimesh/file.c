#include "geometry/trimesh/file.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/plain_numbers.h"
#include "base/text.h"
#include "math/vec3.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIANGLES_MAX = INT32_MAX / 3, NUMBER_LENGTH = 64 };

/* ---- common to the readers ---- */

mote_status mo_source_fail(const mo_trimesh_source *source, int64_t line, const char *format, ...)
{
    char text[700], location[32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (line > 0) {
        snprintf(location, sizeof location, ":%lld", (long long)line);
    }
    mo_clean_text(text);
    return mo_fail(source->error, MOTE_ERROR_INPUT, "%.900s%s: %s", source->path, location, text);
}

mote_status mo_source_add_point(mo_trimesh_source *s, const double x[3])
{
    if (s->points == INT32_MAX) {
        return mo_source_fail(s, s->line, "has more than %d points, the maximum", INT32_MAX);
    }
    MO_TRY(mo_grow(s->memory, (void **)&s->x, &s->point_capacity, s->points + 1, 3 * sizeof *s->x,
                   s->error));
    memcpy(s->x + 3 * s->points++, x, 3 * sizeof *x);
    return MOTE_OK;
}

mote_status mo_source_add_triangle(mo_trimesh_source *s, const int32_t corner[3])
{
    if (s->triangles == TRIANGLES_MAX) {
        return mo_source_fail(s, s->line, "has more than %d triangles, the maximum", TRIANGLES_MAX);
    }
    MO_TRY(mo_grow(s->memory, (void **)&s->corner, &s->triangle_capacity, s->triangles + 1,
                   3 * sizeof *s->corner, s->error));
    memcpy(s->corner + 3 * s->triangles++, corner, 3 * sizeof *corner);
    return MOTE_OK;
}

bool mo_source_word(mo_trimesh_source *s, const char **word, size_t *length)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r')) {
        ++s->at;
    }
    *word = s->at;
    while (s->at < s->end && (unsigned char)*s->at > ' ') {
        ++s->at;
    }
    *length = (size_t)(s->at - *word);
    return *length > 0;
}

bool mo_source_number(mo_trimesh_source *s, double *value)
{
    const char *word;
    size_t length;
    char copy[NUMBER_LENGTH], *end;
    if (!mo_source_word(s, &word, &length) || length >= sizeof copy) {
        return false;
    }
    memcpy(copy, word, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    return *end == '\0' && isfinite(*value) && !memchr(copy, 'x', length) &&
           !memchr(copy, 'X', length);
}

bool mo_source_next_line(mo_trimesh_source *s)
{
    const char *stop = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = stop ? stop + 1 : s->end;
    s->line += stop != NULL;
    return s->at < s->end;
}

/* ---- merging ---- */

/* Normalises -0, so that equal values have equal bits. */
static uint64_t hash_point(const double *x)
{
    return mo_hash_double(mo_hash_double(mo_hash_double(0, x[0]), x[1]), x[2]);
}

/* first[p] becomes the first point equal to p. */
static mote_status find_first(const double *x, int64_t count, int32_t *first, mo_memory *memory,
                              mote_error *error)
{
    void *block;
    uint64_t size = 16;
    while (size < 2 * (uint64_t)count) {
        size *= 2;
    }
    MO_TRY(mo_allocate_array(memory, (int64_t)size, sizeof(int32_t), &block, error));
    int32_t *table = block; /* point + 1, or 0 */
    for (int64_t p = 0; p < count; ++p) {
        uint64_t slot = hash_point(x + 3 * p) & (size - 1);
        for (;; slot = (slot + 1) & (size - 1)) {
            if (table[slot] == 0) {
                table[slot] = (int32_t)(p + 1);
                first[p] = (int32_t)p;
                break;
            }
            const double *other = x + 3 * ((int64_t)table[slot] - 1);
            if (other[0] == x[3 * p] && other[1] == x[3 * p + 1] && other[2] == x[3 * p + 2]) {
                first[p] = table[slot] - 1;
                break;
            }
        }
    }
    mo_release(memory, table);
    return MOTE_OK;
}

mote_status mo_trimesh_weld(mo_trimesh *mesh, mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(mesh->memory, 2 * mesh->vertices + 1, sizeof(int32_t), &block, error));
    int32_t *first = block, *number = first + mesh->vertices;
    mote_status status = find_first(mesh->x, mesh->vertices, first, mesh->memory, error);
    if (status == MOTE_OK) {
        int64_t triangles = 0;
        for (int64_t t = 0; t < mesh->triangles; ++t) {
            const int32_t *from = mesh->corner + 3 * t;
            int32_t a = first[from[0]], b = first[from[1]], c = first[from[2]];
            if (a != b && b != c && c != a) {
                int32_t *to = mesh->corner + 3 * triangles++;
                to[0] = a, to[1] = b, to[2] = c;
                number[a] = number[b] = number[c] = 1; /* is used */
            }
        }
        int32_t vertices = 0;
        for (int64_t p = 0; p < mesh->vertices; ++p) {
            if (number[p]) {
                memmove(mesh->x + 3 * vertices, mesh->x + 3 * p, 3 * sizeof *mesh->x);
                memmove(mesh->normal + 3 * vertices, mesh->normal + 3 * p,
                        3 * sizeof *mesh->normal);
                number[p] = vertices++;
            }
        }
        for (int64_t k = 0; k < 3 * triangles; ++k) {
            mesh->corner[k] = number[mesh->corner[k]];
        }
        mesh->vertices = vertices;
        mesh->triangles = triangles;
    }
    mo_release(mesh->memory, block);
    return status;
}

/* ---- files ---- */

/* The points and triangles that were read, with normals, as a mesh. */
static mote_status finish(mo_trimesh_source *s, mo_trimesh *mesh)
{
    if (s->triangles == 0) {
        return mo_source_fail(s, 0, "has no triangles");
    }
    MO_TRY(mo_trimesh_reserve(mesh, s->points, s->triangles, s->error));
    memcpy(mesh->x, s->x, 3 * (size_t)s->points * sizeof *s->x);
    memcpy(mesh->corner, s->corner, 3 * (size_t)s->triangles * sizeof *s->corner);
    if (mo_ends_with(s->path, ".stl")) {
        MO_TRY(mo_trimesh_weld(mesh, s->error));
        if (mesh->triangles == 0) {
            return mo_source_fail(s, 0, "has no triangle with three distinct corners");
        }
    }
    mo_fans fans;
    mote_status status = mo_fans_make(mesh, &fans, s->error);
    if (status == MOTE_OK) {
        mo_trimesh_normals(mesh, &fans, NULL, false);
    }
    mo_fans_release(&fans);
    return status;
}

static mote_status parse(mo_trimesh_source *s)
{
    if (mo_ends_with(s->path, ".obj")) {
        return mo_trimesh_parse_obj(s);
    }
    if (mo_ends_with(s->path, ".ply")) {
        return mo_trimesh_parse_ply(s);
    }
    if (mo_ends_with(s->path, ".stl")) {
        return mo_trimesh_parse_stl(s);
    }
    return mo_source_fail(s, 0, "is not a supported surface file; allowed: .obj, .ply, .stl");
}

mote_status mo_trimesh_parse(const char *path, const char *data, size_t size, mo_trimesh *mesh,
                             mote_error *error)
{
    mo_trimesh_source s = {.path = path,
                           .at = data,
                           .end = data + size,
                           .line = 1,
                           .memory = mesh->memory,
                           .error = error};
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    mo_trimesh_release(mesh);
    mote_status status = parse(&s);
    if (status == MOTE_OK) {
        status = finish(&s, mesh);
    }
    mo_plain_numbers_end(numbers);
    mo_release(s.memory, s.x);
    mo_release(s.memory, s.corner);
    if (status != MOTE_OK) {
        mo_trimesh_release(mesh);
    }
    return status;
}

mote_status mo_trimesh_read(const char *path, mo_trimesh *mesh, mote_error *error)
{
    char *data;
    size_t size;
    MO_TRY(mo_file_read(path, mesh->memory, &data, &size, error));
    mote_status status = mo_trimesh_parse(path, data, size, mesh, error);
    mo_release(mesh->memory, data);
    return status;
}
