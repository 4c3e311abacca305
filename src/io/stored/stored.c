#include "io/stored/stored.h"

#include "base/plain_numbers.h"
#include "base/text.h"
#include "store/store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

mote_status mo_stored_fail(const mo_bytes *file, mote_error *error, const char *what)
{
    return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: %s", file->path, what);
}

mote_status mo_stored_add(mo_stored *stored, const char *name, const char *unit, mote_type type,
                          int components, void **data, mote_error *error)
{
    if (stored->column_count == MO_STORED_COLUMNS) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a frame has at most %d columns",
                       MO_STORED_COLUMNS);
    }
    size_t bytes = (size_t)stored->rows * (size_t)components * mo_type_bytes(type);
    char *kept = mo_arena_text(&stored->arena, name),
         *kept_unit = mo_arena_text(&stored->arena, unit);
    *data = mo_arena_allocate(&stored->arena, bytes + 1);
    if (!kept || !kept_unit || !*data) {
        return mo_fail_memory(error, bytes);
    }
    stored->columns[stored->column_count++] =
        (mote_column){kept, kept_unit, type, components, stored->rows, *data};
    return MOTE_OK;
}

mote_status mo_stored_rows(mo_stored *stored, int64_t count, int32_t **rows, mote_error *error)
{
    *rows = mo_arena_allocate(&stored->arena, (size_t)count * sizeof(int32_t) + 1);
    return *rows ? MOTE_OK : mo_fail_memory(error, (size_t)count * sizeof(int32_t));
}

bool mo_stored_rows_good(const mo_stored *stored, const int32_t *rows, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        if (rows[k] < 0 || rows[k] >= stored->rows) {
            return false;
        }
    }
    return true;
}

const mote_column *mo_stored_find(const mo_stored *stored, const char *name)
{
    for (int k = 0; k < stored->column_count; ++k) {
        if (strcmp(stored->columns[k].name, name) == 0) {
            return &stored->columns[k];
        }
    }
    return NULL;
}

static mote_status fill_bytes(mo_bytes *file, FILE *stream, mote_error *error)
{
    file->data = mo_heap_allocate(file->size + 1, 1);
    if (!file->data) {
        return mo_fail_memory(error, file->size);
    }
    if (fread(file->data, 1, file->size, stream) != file->size) {
        mo_heap_release(file->data);
        return mo_stored_fail(file, error, "could not be read to its end");
    }
    file->data[file->size] = '\0';
    return MOTE_OK;
}

static mote_status read_bytes(const char *path, mo_bytes *file, mote_error *error)
{
    struct stat info;
    *file = (mo_bytes){.path = path};
    if (stat(path, &info) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: cannot be opened: %s", path,
                       strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return mo_stored_fail(file, error, "is not a file");
    }
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: cannot be opened: %s", path,
                       strerror(errno));
    }
    file->size = (size_t)info.st_size;
    mote_status status = fill_bytes(file, stream, error);
    fclose(stream);
    return status;
}

mote_status mo_stored_parse(const mo_bytes *file, mo_stored *stored, mote_error *error)
{
    *stored = (mo_stored){.time = NAN};
    mo_memory_init(&stored->memory, NULL);
    mo_arena_init(&stored->arena, &stored->memory);
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    mote_status status = mo_ends_with(file->path, ".vtp") ? mo_stored_read_vtp(file, stored, error)
                                                          : mo_stored_read_ply(file, stored, error);
    mo_plain_numbers_end(numbers);
    if (status != MOTE_OK) {
        mo_stored_release(stored);
    }
    return status;
}

mote_status mo_stored_read(const char *path, mo_stored *stored, mote_error *error)
{
    mo_bytes file;
    if (!mo_ends_with(path, ".vtp") && !mo_ends_with(path, ".ply")) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: a frame is a .vtp or a .ply", path);
    }
    MO_TRY(read_bytes(path, &file, error));
    mote_status status = mo_stored_parse(&file, stored, error);
    mo_heap_release(file.data);
    return status;
}

void mo_stored_release(mo_stored *stored)
{
    mo_arena_release(&stored->arena);
    stored->rows = stored->column_count = 0;
    stored->edge_count = stored->triangle_count = 0;
}

double mo_stored_time(const char *path)
{
    char head[1024];
    FILE *stream = fopen(path, "rbe");
    size_t size = stream ? fread(head, 1, sizeof head - 1, stream) : 0;
    if (stream) {
        fclose(stream);
    }
    head[size] = '\0';
    const char *at = strstr(head, "Name=\"TimeValue\""), *comment = strstr(head, "\ncomment time ");
    at = at ? strchr(at, '>') : NULL;
    at = at ? at + 1 : comment ? comment + strlen("\ncomment time ") : NULL;
    if (!at) {
        return NAN;
    }
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    char *end;
    double time = strtod(at, &end);
    mo_plain_numbers_end(numbers);
    return end == at ? NAN : time;
}
