/*
 * Velocities from a file: rows of six numbers x y z vx vy vz, in m and m/s, between spaces, commas
 * or semicolons; other lines are ignored. A particle takes the velocity of the nearest row, found
 * on a grid with about one row per cell.
 */
#include "base/file.h"
#include "base/memory.h"
#include "geometry/flow/flow.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 20000000, SIDE_MOST = 256 };

typedef struct table {
    const char *file;
    /* created by prepare */
    int64_t rows;
    double *row;    /* six values each, sorted by cell */
    int64_t *first; /* first row of each cell, and the end */
    mo_vec3 low;
    double width;
    int64_t count[3];
} table;

static const mo_param PARAMS[] = {
    {"file", MO_FILE, MO_FIELD(table, file), .required = true,
     .doc = "Text file with x y z vx vy vz in each line, in m and m/s; a particle takes the "
            "velocity of the nearest row."},
    {0}};

/* Reads six numbers of a line; false: it does not begin with a number. *bad: fewer than six, or not
 * finite. */
static bool read_line(const char *line, double row[6], bool *bad)
{
    const char *at = line;
    *bad = false;
    for (int k = 0; k < 6; ++k) {
        char *end;
        at += strspn(at, " \t,;");
        double number = *at == '\n' || *at == '\0' ? NAN : strtod(at, &end);
        if (*at == '\n' || *at == '\0' || end == at || !isfinite(number)) {
            *bad = k > 0;
            return false;
        }
        row[k] = number;
        at = end;
    }
    return true;
}

/* Counts the rows; or, with an array, reads them. */
static mote_status read_rows(const char *text, double *rows, int64_t *count, mote_error *error)
{
    int64_t line = 0;
    *count = 0;
    for (const char *at = text; *at; ++line) {
        double row[6];
        bool bad;
        if (read_line(at, row, &bad)) {
            if (rows) {
                memcpy(rows + 6 * *count, row, sizeof row);
            }
            ++*count;
        } else if (bad) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "file: line %lld: expected six finite numbers, x y z vx vy vz",
                           (long long)(line + 1));
        }
        const char *next = strchr(at, '\n');
        at = next ? next + 1 : at + strlen(at);
    }
    return *count > 0 && *count <= ROWS_MOST
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "file: it has %lld lines of six numbers; allowed: 1 to %d",
                         (long long)*count, ROWS_MOST);
}

static int64_t along(const table *t, mo_vec3 x, int axis)
{
    double at = floor((mo_vec3_at(x, axis) - mo_vec3_at(t->low, axis)) / t->width);
    return at > 0 ? (at < (double)t->count[axis] ? (int64_t)at : t->count[axis] - 1) : 0;
}

static int64_t cell_of(const table *t, mo_vec3 x)
{
    return (along(t, x, 2) * t->count[1] + along(t, x, 1)) * t->count[0] + along(t, x, 0);
}

static void choose_cells(table *t, const double *rows)
{
    mo_vec3 low = mo_vec3_load(rows), high = low;
    for (int64_t k = 1; k < t->rows; ++k) {
        mo_vec3 x = mo_vec3_load(rows + 6 * k);
        low = mo_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = mo_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    double longest = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    double side = fmin(SIDE_MOST, ceil(cbrt((double)t->rows)));
    t->low = low;
    t->width = longest > 0 ? longest / side : 1;
    for (int axis = 0; axis < 3; ++axis) {
        double cells = floor((mo_vec3_at(high, axis) - mo_vec3_at(low, axis)) / t->width) + 1;
        t->count[axis] = (int64_t)fmin(cells, SIDE_MOST + 1);
    }
}

static mote_status sort_rows(table *t, const double *rows, mo_arena *arena, mote_error *error)
{
    choose_cells(t, rows);
    int64_t cells = t->count[0] * t->count[1] * t->count[2];
    size_t bytes = (size_t)(cells + 2) * sizeof *t->first;
    t->first = mo_arena_allocate(arena, bytes);
    t->row = mo_arena_allocate(arena, 6 * (size_t)t->rows * sizeof *t->row);
    if (!t->first || !t->row) {
        return mo_fail_memory(error, bytes);
    }
    memset(t->first, 0, bytes);
    for (int64_t k = 0; k < t->rows; ++k) {
        ++t->first[cell_of(t, mo_vec3_load(rows + 6 * k)) + 2];
    }
    for (int64_t c = 2; c <= cells + 1; ++c) {
        t->first[c] += t->first[c - 1];
    }
    /* first[c + 1] is incremented to the end of cell c */
    for (int64_t k = 0; k < t->rows; ++k) {
        int64_t at = t->first[cell_of(t, mo_vec3_load(rows + 6 * k)) + 1]++;
        memcpy(t->row + 6 * at, rows + 6 * k, 6 * sizeof *rows);
    }
    return MOTE_OK;
}

static mote_status make(table *t, const char *text, mo_arena *arena, mote_error *error)
{
    void *rows;
    MO_TRY(read_rows(text, NULL, &t->rows, error));
    MO_TRY(mo_allocate_array(arena->memory, t->rows, 6 * sizeof(double), &rows, error));
    mote_status status = read_rows(text, rows, &t->rows, error);
    status = status == MOTE_OK ? sort_rows(t, rows, arena, error) : status;
    mo_release(arena->memory, rows);
    return status;
}

static mote_status table_prepare(void *params, mo_arena *arena, mote_error *error)
{
    table *t = params;
    char *text;
    size_t size;
    MO_TRY(mo_file_read(t->file, arena->memory, &text, &size, error));
    mote_status status = make(t, text, arena, error);
    mo_release(arena->memory, text);
    return status;
}

/* Updates the nearest row with the cells at a distance of `ring` cells from a cell. */
static void search_ring(const table *t, mo_vec3 x, const int64_t at[3], int64_t ring,
                        double *square, int64_t *nearest)
{
    for (int64_t k = at[2] - ring; k <= at[2] + ring; ++k) {
        for (int64_t j = at[1] - ring; j <= at[1] + ring; ++j) {
            bool edge = llabs(k - at[2]) == ring || llabs(j - at[1]) == ring;
            for (int64_t i = at[0] - ring; i <= at[0] + ring;
                 i += edge || ring == 0 ? 1 : 2 * ring) {
                if (i < 0 || j < 0 || k < 0 || i >= t->count[0] || j >= t->count[1] ||
                    k >= t->count[2]) {
                    continue;
                }
                int64_t cell = (k * t->count[1] + j) * t->count[0] + i;
                for (int64_t n = t->first[cell]; n < t->first[cell + 1]; ++n) {
                    mo_vec3 way = mo_sub(mo_vec3_load(t->row + 6 * n), x);
                    double found = mo_dot(way, way);
                    if (found < *square) {
                        *square = found;
                        *nearest = n;
                    }
                }
            }
        }
    }
}

static mo_vec3 table_velocity(const void *params, mo_vec3 x)
{
    const table *t = params;
    int64_t at[3] = {along(t, x, 0), along(t, x, 1), along(t, x, 2)}, nearest = 0;
    double square = INFINITY, beyond = 0; /* beyond: distance of x from the cell */
    for (int axis = 0; axis < 3; ++axis) {
        double low = mo_vec3_at(t->low, axis) + (double)at[axis] * t->width;
        double off = fmax(0, fmax(low - mo_vec3_at(x, axis), mo_vec3_at(x, axis) - low - t->width));
        beyond += off;
    }
    for (int64_t ring = 0; ring <= 2 * SIDE_MOST; ++ring) {
        double reach = (double)(ring - 1) * t->width - beyond;
        if (isfinite(square) && reach > 0 && reach * reach > square) {
            break;
        }
        search_ring(t, x, at, ring, &square, &nearest);
        if (ring > t->count[0] && ring > t->count[1] && ring > t->count[2]) {
            break;
        }
    }
    return mo_vec3_load(t->row + 6 * nearest + 3);
}

const mo_flow_type mo_flow_table = {
    .base = {.name = "table",
             .summary = "Velocities from a file, by nearest-neighbour interpolation.",
             .param_size = sizeof(table),
             .params = PARAMS,
             .prepare = table_prepare},
    .velocity = table_velocity,
};
