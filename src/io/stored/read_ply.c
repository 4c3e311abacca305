/*
 * Reads PLY results. Properties of a vector (x y z; vx vy vz; strain_0 strain_1) become one column
 * again.
 */
#include "io/stored/stored.h"

#include "store/store.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROPERTIES_MAX = 256, NAME = 64, UNITS = 4096 };

typedef struct property {
    char name[NAME];
    mote_type type;
    int column, component; /* destination; column -1: ignored */
} property;

typedef struct ply {
    const mo_bytes *file;
    mo_stored *out;
    mote_error *error;
    const char *at, *end;
    bool ascii, headed;
    char units[UNITS]; /* " x [m] v [m/s]" */
    int element;       /* of the header: 'v', 'f', 'e' */
    int64_t vertices, faces, edges;
    int property_count;
    property properties[PROPERTIES_MAX];
} ply;

static mote_status fail(const ply *p, const char *what)
{
    return mo_stored_fail(p->file, p->error, what);
}

/* The next line of the header, without its end; false if there is none. */
static bool next_line(ply *p, char *line, size_t size)
{
    const char *stop = memchr(p->at, '\n', (size_t)(p->end - p->at));
    if (!stop) {
        return false;
    }
    size_t length = (size_t)(stop - p->at) < size - 1 ? (size_t)(stop - p->at) : size - 1;
    memcpy(line, p->at, length);
    line[length] = '\0';
    p->at = stop + 1;
    return true;
}

static mote_status head_element(ply *p, const char *line)
{
    static const struct {
        const char *name;
        int letter;
    } KINDS[] = {{"element vertex ", 'v'}, {"element face ", 'f'}, {"element edge ", 'e'}};
    for (int k = 0; k < 3; ++k) {
        size_t length = strlen(KINDS[k].name);
        if (strncmp(line, KINDS[k].name, length) == 0) {
            char *end;
            long long count = strtoll(line + length, &end, 10);
            if (end == line + length || *end || count < 0 || count > INT32_MAX ||
                (double)count > (double)p->file->size) {
                return fail(
                    p, "its header states more elements than the file contains: it is truncated");
            }
            p->element = KINDS[k].letter;
            *(k == 0 ? &p->vertices : k == 1 ? &p->faces : &p->edges) = count;
            return MOTE_OK;
        }
    }
    return fail(p, "has an element that mote does not write; allowed: vertex, face, edge");
}

static mote_status head_property(ply *p, const char *line)
{
    char type[16], name[NAME];
    if (p->element != 'v') { /* faces and edges written by mote have a fixed layout */
        bool good = strcmp(line, p->element == 'f' ? "property list uchar int vertex_indices"
                                                   : "property int vertex1") == 0 ||
                    (p->element == 'e' && strcmp(line, "property int vertex2") == 0);
        return good ? MOTE_OK : fail(p, "its faces or edges are not written as mote does");
    }
    if (sscanf(line, "property %15s %63s", type, name) != 2) {
        return fail(p, "has a property without a type or a name");
    }
    if (p->property_count == PROPERTIES_MAX) {
        return fail(p, "has more properties than mote writes");
    }
    property *q = &p->properties[p->property_count++];
    *q = (property){.column = -1};
    memcpy(q->name, name, sizeof name);
    if (strcmp(type, "float") == 0) {
        q->type = MOTE_F32;
    } else if (strcmp(type, "int") == 0) {
        q->type = MOTE_I32;
    } else if (strcmp(type, "uchar") == 0) {
        q->type = MOTE_U8;
    } else {
        return fail(
            p, "has a property of a type that mote does not write; allowed: float, int, uchar");
    }
    return MOTE_OK;
}

static mote_status head_line(ply *p, const char *line)
{
    if (strncmp(line, "comment time ", 13) == 0) {
        p->out->time = strtod(line + 13, NULL);
    } else if (strncmp(line, "comment units:", 14) == 0) {
        snprintf(p->units, sizeof p->units, "%s", line + 14);
    } else if (strncmp(line, "format ", 7) == 0) {
        p->ascii = strcmp(line, "format ascii 1.0") == 0;
        if (!p->ascii && strcmp(line, "format binary_little_endian 1.0") != 0) {
            return fail(p, "its format is not ascii and not binary_little_endian");
        }
    } else if (strncmp(line, "element ", 8) == 0) {
        return head_element(p, line);
    } else if (strncmp(line, "property ", 9) == 0) {
        return head_property(p, line);
    } else if (strcmp(line, "end_header") == 0) {
        p->headed = true;
    }
    return MOTE_OK;
}

static mote_status read_head(ply *p)
{
    char line[UNITS];
    if (!next_line(p, line, sizeof line) || strcmp(line, "ply") != 0) {
        return fail(p, "is not a PLY file");
    }
    while (!p->headed) {
        if (!next_line(p, line, sizeof line)) {
            return fail(p, "is truncated: its header has no end");
        }
        MO_TRY(head_line(p, line));
    }
    return MOTE_OK;
}

/* "strain" of "strain_0", if strain_1 follows; "v" of "vx vy vz". Returns the number of
 * components. */
static int group_at(const ply *p, int first, char *name)
{
    const property *q = p->properties + first;
    int left = p->property_count - first;
    memcpy(name, q->name, NAME);
    if (left >= 3 && strcmp(q[0].name, "x") == 0 && strcmp(q[1].name, "y") == 0 &&
        strcmp(q[2].name, "z") == 0) {
        return 3;
    }
    if (left >= 3 && strcmp(q[0].name, "vx") == 0 && strcmp(q[1].name, "vy") == 0 &&
        strcmp(q[2].name, "vz") == 0) {
        memcpy(name, "v", 2);
        return 3;
    }
    size_t length = strlen(q->name);
    if (length < 3 || strcmp(q->name + length - 2, "_0") != 0) {
        return 1;
    }
    int count = 1;
    for (char next[NAME + 16]; count < left; ++count) {
        snprintf(next, sizeof next, "%.*s_%d", (int)length - 2, q->name, count);
        if (strcmp(next, q[count].name) != 0) {
            break;
        }
    }
    name[count > 1 ? length - 2 : length] = '\0';
    return count;
}

/* The unit of a column from the comment; "" if unknown. */
static void unit_of(const ply *p, const char *name, char *unit, size_t size)
{
    char wanted[NAME + 8];
    unit[0] = '\0';
    snprintf(wanted, sizeof wanted, " %s [", name);
    const char *at = strstr(p->units, wanted);
    if (at) {
        at += strlen(wanted);
        snprintf(unit, size, "%.*s", (int)strcspn(at, "]"), at);
    }
}

static mote_status add_columns(ply *p)
{
    for (int first = 0, count; first < p->property_count; first += count) {
        char name[NAME], unit[NAME];
        void *data;
        count = group_at(p, first, name);
        unit_of(p, name, unit, sizeof unit);
        bool is_position = strcmp(name, "x") == 0;
        if (is_position != (first == 0) ||
            (is_position && (count != 3 || p->properties[0].type != MOTE_F32))) {
            return fail(p, "its vertices do not begin with x, y and z");
        }
        for (int k = 0; k < count; ++k) {
            p->properties[first + k].column = p->out->column_count;
            p->properties[first + k].component = k;
        }
        mote_type type = is_position ? MOTE_F64 : p->properties[first].type;
        MO_TRY(mo_stored_add(p->out, name, unit, type, count, &data, p->error));
    }
    return p->out->column_count > 0 ? MOTE_OK : fail(p, "its vertices have no properties");
}

/* The next number, as text or as bytes. */
static bool take(ply *p, mote_type type, double *value)
{
    if (p->ascii) {
        char *end;
        /* parsed as a float, for the identical value */
        *value = type == MOTE_F32 ? (double)strtof(p->at, &end) : strtod(p->at, &end);
        bool good = end != p->at;
        p->at = end;
        return good;
    }
    size_t size = mo_type_bytes(type);
    if ((size_t)(p->end - p->at) < size) {
        return false;
    }
    float real;
    int32_t whole;
    memcpy(type == MOTE_F32 ? (void *)&real : (void *)&whole, p->at, size);
    *value = type == MOTE_F32   ? (double)real
             : type == MOTE_I32 ? (double)whole
                                : (double)(uint8_t)*p->at;
    p->at += size;
    return true;
}

static void put(const mote_column *column, int64_t k, double value)
{
    if (column->type == MOTE_F64) {
        ((double *)column->data)[k] = value;
    } else if (column->type == MOTE_F32) {
        ((float *)column->data)[k] = (float)value;
    } else if (column->type == MOTE_I32) {
        ((int32_t *)column->data)[k] =
            value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : 0;
    } else {
        ((uint8_t *)column->data)[k] = value >= 0 && value <= 255 ? (uint8_t)value : 0;
    }
}

static mote_status read_vertices(ply *p)
{
    for (int64_t row = 0; row < p->vertices; ++row) {
        for (int k = 0; k < p->property_count; ++k) {
            const property *q = &p->properties[k];
            const mote_column *column = &p->out->columns[q->column];
            double value = 0;
            if (!take(p, q->type, &value)) {
                return fail(p, "is truncated: it ends before its vertices do");
            }
            put(column, row * column->components + q->component, value);
        }
    }
    return MOTE_OK;
}

/* Elements of `corners` rows; faces are preceded by their number of corners. */
static mote_status read_elements(ply *p, int corners, int64_t count, int32_t **rows)
{
    MO_TRY(mo_stored_rows(p->out, corners * count, rows, p->error));
    for (int64_t k = 0; k < count; ++k) {
        double value = 3;
        if (corners == 3 && (!take(p, MOTE_U8, &value) || value != 3)) {
            return fail(p, "is truncated, or has faces that are not triangles");
        }
        for (int corner = 0; corner < corners; ++corner) {
            if (!take(p, MOTE_I32, &value)) {
                return fail(p, "is truncated: it ends before its faces and edges do");
            }
            (*rows)[corners * k + corner] = value >= 0 && value <= INT32_MAX ? (int32_t)value : -1;
        }
    }
    return mo_stored_rows_good(p->out, *rows, corners * count)
               ? MOTE_OK
               : fail(p, "its faces or edges refer to vertices that do not exist");
}

/* Whether the header's counts fit the file size; a text number needs a character and a space. */
static bool counts_fit(const ply *p)
{
    double bytes = 0;
    for (int k = 0; k < p->property_count; ++k) {
        bytes += p->ascii ? 2 : (double)mo_type_bytes(p->properties[k].type);
    }
    bytes = bytes * (double)p->vertices + (double)p->faces * (p->ascii ? 8 : 13) +
            (double)p->edges * (p->ascii ? 4 : 8);
    return bytes <= (double)(p->end - p->at) + 1;
}

mote_status mo_stored_read_ply(const mo_bytes *file, mo_stored *stored, mote_error *error)
{
    ply *p = mo_allocate(&stored->memory, sizeof *p);
    if (!p) {
        return mo_fail_memory(error, sizeof *p);
    }
    *p = (ply){.file = file,
               .out = stored,
               .error = error,
               .at = file->data,
               .end = file->data + file->size};
    mote_status status = read_head(p);
    if (status == MOTE_OK && !counts_fit(p)) {
        status = fail(p, "is truncated: its header states more elements than follow");
    }
    if (status == MOTE_OK) {
        stored->rows = p->vertices;
        status = add_columns(p);
    }
    if (status == MOTE_OK) {
        status = read_vertices(p);
    }
    if (status == MOTE_OK) {
        status = read_elements(p, 3, p->faces, &stored->triangles);
    }
    if (status == MOTE_OK) {
        status = read_elements(p, 2, p->edges, &stored->edges);
    }
    stored->triangle_count = p->faces;
    stored->edge_count = p->edges;
    mo_release(&stored->memory, p);
    return status;
}
