#include "geometry/meshfile/source.h"

#include "base/hash.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mo_mesh_source_init(mo_mesh_source *s, const char *path, const char *data, size_t size,
                         mo_memory *memory, mote_error *error)
{
    *s = (mo_mesh_source){.path = path,
                          .begin = data,
                          .at = data,
                          .end = data + size,
                          .memory = memory,
                          .error = error,
                          .tetrahedra = {.corners = 4},
                          .triangles = {.corners = 3}};
}

void mo_mesh_source_release(mo_mesh_source *s)
{
    mo_release(s->memory, s->x);
    mo_release(s->memory, s->node_names);
    mo_release(s->memory, s->members);
    mo_release(s->memory, s->table);
    mo_release(s->memory, s->tetrahedra.nodes);
    mo_release(s->memory, s->tetrahedra.names);
    mo_release(s->memory, s->triangles.nodes);
    mo_release(s->memory, s->triangles.names);
}

mote_status mo_mesh_source_fail(const mo_mesh_source *s, const char *format, ...)
{
    char text[700], location[32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!s->binary) {
        int64_t line = 1;
        for (const char *c = s->begin; c < s->at; ++c) {
            line += *c == '\n';
        }
        snprintf(location, sizeof location, ":%lld", (long long)line);
    }
    mo_clean_text(text);
    return mo_fail(s->error, MOTE_ERROR_INPUT, "%.900s%s: %s", s->path, location, text);
}

/* ---- text and bytes ---- */

static void skip_blanks(mo_mesh_source *s)
{
    while (s->at < s->end && isspace((unsigned char)*s->at)) {
        s->at++;
    }
}

bool mo_mesh_source_real(mo_mesh_source *s, double *value)
{
    char *end;
    *value = strtod(s->at, &end);
    if (end == s->at || end > s->end) {
        return false;
    }
    s->at = end;
    return true;
}

bool mo_mesh_source_int(mo_mesh_source *s, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(s->at, &end, 10);
    if (end == s->at || end > s->end || errno != 0) {
        return false;
    }
    s->at = end;
    return true;
}

bool mo_mesh_source_word(mo_mesh_source *s, char *word, size_t size)
{
    skip_blanks(s);
    size_t length = 0;
    for (; s->at < s->end && !isspace((unsigned char)*s->at); s->at++) {
        if (length + 1 < size) {
            word[length++] = *s->at;
        }
    }
    word[length] = '\0';
    return length > 0;
}

void mo_mesh_source_skip_line(mo_mesh_source *s)
{
    const char *stop = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = stop ? stop + 1 : s->end;
}

bool mo_mesh_source_bytes(mo_mesh_source *s, void *out, size_t bytes)
{
    if ((size_t)(s->end - s->at) < bytes) {
        return false;
    }
    memcpy(out, s->at, bytes);
    s->at += bytes;
    return true;
}

mote_status mo_mesh_source_check_size(const mo_mesh_source *s, const char *what, int64_t count,
                                      int64_t bytes)
{
    if (count < 0 || count > INT32_MAX ||
        (double)count * (double)bytes > (double)(s->end - s->at) + 1) {
        return mo_mesh_source_fail(s, "states %lld %s, more than the size of the file allows",
                                   (long long)count, what);
    }
    return MOTE_OK;
}

/* ---- nodes ---- */

mote_status mo_mesh_source_add_node(mo_mesh_source *s, int64_t name, const double x[3])
{
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
        return mo_mesh_source_fail(s,
                                   "node %lld is at (%g, %g, %g), which is not a finite "
                                   "position",
                                   (long long)name, x[0], x[1], x[2]);
    }
    if (s->node_count == INT32_MAX) {
        return mo_mesh_source_fail(s, "has more than %d nodes, the maximum", INT32_MAX);
    }
    int64_t need = s->node_count + 1;
    MO_TRY(mo_grow(s->memory, (void **)&s->x, &s->x_capacity, need, 3 * sizeof *s->x, s->error));
    MO_TRY(mo_grow(s->memory, (void **)&s->node_names, &s->node_name_capacity, need,
                   sizeof *s->node_names, s->error));
    MO_TRY(mo_grow(s->memory, (void **)&s->members, &s->member_capacity, need, sizeof *s->members,
                   s->error));
    memcpy(s->x + 3 * s->node_count, x, 3 * sizeof *x);
    s->members[s->node_count] = 0;
    s->node_names[s->node_count++] = name;
    return MOTE_OK;
}

/* The slot of a name in the table, or the empty slot where it would be. */
static uint64_t slot_of(const mo_mesh_source *s, int64_t name)
{
    uint64_t slot = mo_hash_mix((uint64_t)name) & (s->table_size - 1);
    while (s->table[slot] && s->node_names[s->table[slot] - 1] != name) {
        slot = (slot + 1) & (s->table_size - 1);
    }
    return slot;
}

mote_status mo_mesh_source_index(mo_mesh_source *s)
{
    void *table;
    for (s->table_size = 16; s->table_size < 2 * (uint64_t)s->node_count;) {
        s->table_size *= 2;
    }
    if (s->table) {
        return mo_mesh_source_fail(s, "has two sections of nodes");
    }
    MO_TRY(
        mo_allocate_array(s->memory, (int64_t)s->table_size, sizeof *s->table, &table, s->error));
    s->table = table;
    for (int64_t k = 0; k < s->node_count; ++k) {
        uint64_t slot = slot_of(s, s->node_names[k]);
        if (s->table[slot]) {
            return mo_mesh_source_fail(s, "node %lld is a duplicate", (long long)s->node_names[k]);
        }
        s->table[slot] = k + 1;
    }
    return MOTE_OK;
}

mote_status mo_mesh_source_find(const mo_mesh_source *s, int64_t element, int64_t name,
                                int32_t *index)
{
    int64_t found = s->table ? s->table[slot_of(s, name)] : 0;
    if (!found) {
        return mo_mesh_source_fail(s, "element %lld refers to node %lld, which does not exist",
                                   (long long)element, (long long)name);
    }
    *index = (int32_t)(found - 1);
    return MOTE_OK;
}

/* ---- elements and groups ---- */

mote_status mo_mesh_source_add(mo_mesh_source *s, mo_mesh_elements *e, int64_t name,
                               const int32_t *nodes)
{
    size_t bytes = (size_t)e->corners * sizeof *nodes;
    if (e->count == INT32_MAX) {
        return mo_mesh_source_fail(s, "has more than %d elements, the maximum", INT32_MAX);
    }
    MO_TRY(
        mo_grow(s->memory, (void **)&e->nodes, &e->node_capacity, e->count + 1, bytes, s->error));
    MO_TRY(mo_grow(s->memory, (void **)&e->names, &e->name_capacity, e->count + 1, sizeof *e->names,
                   s->error));
    memcpy(e->nodes + e->corners * e->count, nodes, bytes);
    e->names[e->count++] = name;
    return MOTE_OK;
}

int mo_mesh_source_group(mo_mesh_source *s, const char *name)
{
    mo_mesh_group group = {""};
    snprintf(group.name, sizeof group.name, "%s", name);
    mo_clean_text(group.name);
    for (int k = 0; k < s->group_count; ++k) {
        if (strcmp(s->groups[k].name, group.name) == 0) {
            return k;
        }
    }
    if (s->group_count == MO_MESH_GROUPS_MAX) {
        return -1;
    }
    s->groups[s->group_count] = group;
    return s->group_count++;
}
