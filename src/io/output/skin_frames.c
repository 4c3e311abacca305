#include "io/output/skin_frames.h"
#include "world/world.h"

#include "base/file.h"
#include "host/skin.h"
#include "io/format/format.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096, FILE_LENGTH = 300 };

/* One frame of the skins of all systems. */
typedef struct surface {
    mo_arena arena;
    const mote_world *world;
    mo_frame frame;
    mote_column fields[MO_COLUMNS_MAX];
} surface;

static const mo_format_type *format_at(const mo_skin_frames *s, int64_t k)
{
    return (const mo_format_type *)((const mo_method *)s->output->formats.items)[k].type;
}

static const mo_skin *skin_at(const mote_world *world, int system, int64_t k)
{
    int64_t count;
    const mo_skin *skins = mo_world_skins(world, system, &count);
    return k < count ? &skins[k] : NULL;
}

void mo_skin_frames_init(mo_skin_frames *s, mo_memory *memory, const char *directory,
                         const char *name, const mo_output_def *output, const mote_world *world)
{
    *s = (mo_skin_frames){.memory = memory, .directory = directory, .name = name, .output = output};
    for (int system = 0; system < mote_world_system_count(world); ++system) {
        s->any = s->any || mote_world_skin_count(world, system) > 0;
    }
}

static void path_of(const mo_skin_frames *s, int frame, const char *extension, char *out)
{
    if (frame < 0) {
        snprintf(out, PATH_LENGTH, "%.3500s/skin/%.250s.skin.%s", s->directory, s->name, extension);
    } else {
        snprintf(out, PATH_LENGTH, "%.3500s/skin/%.250s.skin.%06d.%s", s->directory, s->name, frame,
                 extension);
    }
}

/* ---- a frame ---- */

static size_t bytes_of(mote_type type)
{
    return type == MOTE_U8 ? 1 : type == MOTE_F64 || type == MOTE_I64 ? 8 : 4;
}

/* Integer columns take the value of the row of largest weight. */
static void copy_main(const mo_skin *skin, const mote_column *column, char *out)
{
    size_t width = bytes_of(column->type) * (size_t)column->components;
    for (int64_t v = 0; v < skin->vertex_count; ++v) {
        memcpy(out + (size_t)v * width,
               (const char *)column->data + (size_t)mo_skin_main_row(skin, v) * width, width);
    }
}

/* A column of all systems interpolated to the vertices; zero where a system does not have it. */
static mote_status interpolate(surface *f, const char *name, mote_column *out, mote_error *error)
{
    mote_column column, turn;
    bool found = false, real = false;
    for (int system = 0; system < mote_world_system_count(f->world) && !found; ++system) {
        found = mote_world_column_find(f->world, system, name, &column);
    }
    if (!found) {
        return MOTE_OK;
    }
    real = column.type == MOTE_F64 || column.type == MOTE_F32;
    *out = (mote_column){column.name,       column.unit,   real ? MOTE_F64 : column.type,
                         column.components, f->frame.rows, NULL};
    size_t width = bytes_of(out->type) * (size_t)out->components;
    char *data = mo_arena_allocate(&f->arena, (size_t)f->frame.rows * width + 1);
    if (!data) {
        return mo_fail_memory(error, (size_t)f->frame.rows * width);
    }
    out->data = data;
    for (int system = 0; system < mote_world_system_count(f->world); ++system) {
        const mo_skin *skin;
        bool has = mote_world_column_find(f->world, system, name, &column);
        bool turns = mote_world_column_find(f->world, system, "q", &turn);
        for (int64_t k = 0; (skin = skin_at(f->world, system, k)) != NULL; ++k) {
            if (has && real) {
                mo_skin_interpolate(skin, &column, turns ? &turn : NULL, (double *)data);
            } else if (has) {
                copy_main(skin, &column, data);
            }
            data += (size_t)skin->vertex_count * width;
        }
    }
    return MOTE_OK;
}

static mote_status join_triangles(surface *f, mote_error *error)
{
    int64_t vertices = 0, triangles = 0;
    const mo_skin *skin;
    for (int system = 0; system < mote_world_system_count(f->world); ++system) {
        for (int64_t k = 0; (skin = skin_at(f->world, system, k)) != NULL; ++k) {
            vertices += skin->vertex_count;
            triangles += skin->triangle_count;
        }
    }
    int32_t *corners = mo_arena_allocate(&f->arena, 3 * (size_t)triangles * sizeof *corners + 1);
    if (!corners) {
        return mo_fail_memory(error, 3 * (size_t)triangles * sizeof *corners);
    }
    f->frame.rows = vertices;
    f->frame.triangle_count = triangles;
    f->frame.triangles = corners;
    int64_t first = 0;
    for (int system = 0; system < mote_world_system_count(f->world); ++system) {
        for (int64_t k = 0; (skin = skin_at(f->world, system, k)) != NULL; ++k) {
            for (int64_t c = 0; c < 3 * skin->triangle_count; ++c) {
                *corners++ = (int32_t)(first + skin->triangles[c]);
            }
            first += skin->vertex_count;
        }
    }
    return MOTE_OK;
}

static mote_status join(const mo_skin_frames *s, surface *f, mote_error *error)
{
    mote_column x = {0};
    const char *const *names = s->output->fields.items;
    f->frame = (mo_frame){.time = mote_world_time(f->world), .fields = f->fields};
    MO_TRY(join_triangles(f, error));
    MO_TRY(interpolate(f, "x", &x, error));
    f->frame.x = x.data;
    for (int64_t k = 0; k < s->output->fields.count && f->frame.field_count < MO_COLUMNS_MAX; ++k) {
        mote_column *field = &f->fields[f->frame.field_count];
        if (strcmp(names[k], "x") != 0 && strcmp(names[k], "id") != 0) {
            *field = (mote_column){0};
            MO_TRY(interpolate(f, names[k], field, error));
            f->frame.field_count += field->data != NULL;
        }
    }
    return MOTE_OK;
}

static mote_status abandon(mo_file *file, mote_status status, const mote_error *problem,
                           mote_error *error)
{
    mo_file_abandon(file);
    return mo_fail(error, status, "%.500s: %.1200s", file->path, problem->text);
}

static mote_status write_format(const mo_skin_frames *s, const mo_frame *frame, int number,
                                int64_t format, mote_error *error)
{
    char path[PATH_LENGTH];
    mo_file file;
    mote_error problem = {0};
    path_of(s, number, format_at(s, format)->extension, path);
    MO_TRY(mo_file_create(path, &file, error));
    const mo_method *method = &((const mo_method *)s->output->formats.items)[format];
    mote_status status =
        format_at(s, format)->write(method->params, frame, s->memory, file.stream, &problem);
    return status == MOTE_OK ? mo_file_commit(&file, error)
                             : abandon(&file, status, &problem, error);
}

mote_status mo_skin_frames_write(const mo_skin_frames *s, const mote_world *world, int frame,
                                 int *files, mote_error *error)
{
    char directory[PATH_LENGTH];
    surface f = {.world = world};
    if (!s->any || s->output->formats.count == 0) {
        return MOTE_OK;
    }
    snprintf(directory, sizeof directory, "%.3500s/skin", s->directory);
    MO_TRY(mo_directory_create(directory, error));
    mo_arena_init(&f.arena, s->memory);
    mote_status status = join(s, &f, error);
    for (int64_t k = 0; k < s->output->formats.count && status == MOTE_OK; ++k) {
        status = write_format(s, &f.frame, frame, k, error);
        *files += status == MOTE_OK;
    }
    mo_arena_release(&f.arena);
    return status;
}

/* ---- the index ---- */

static mote_status write_index(const mo_skin_frames *s, const mo_format_type *type,
                               const mo_series_entry *entries, int64_t count, mote_error *error)
{
    char path[PATH_LENGTH];
    mo_file file;
    mote_error problem = {0};
    path_of(s, -1, type->index_extension, path);
    MO_TRY(mo_file_create(path, &file, error));
    mote_status status = type->write_index(entries, count, s->memory, file.stream, &problem);
    return status == MOTE_OK ? mo_file_commit(&file, error)
                             : abandon(&file, status, &problem, error);
}

mote_status mo_skin_frames_index(const mo_skin_frames *s, int first, int last,
                                 double (*time)(const void *, int), const void *context,
                                 mote_error *error)
{
    void *entries = NULL, *files = NULL;
    int64_t count = last - first;
    mote_status status = MOTE_OK;
    if (!s->any || count <= 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(s->memory, count, sizeof(mo_series_entry), &entries, error));
    status = mo_allocate_array(s->memory, count, FILE_LENGTH, &files, error);
    for (int64_t k = 0; k < s->output->formats.count && status == MOTE_OK; ++k) {
        const mo_format_type *type = format_at(s, k);
        for (int64_t e = 0; e < count && type->write_index; ++e) {
            char *file = (char *)files + e * FILE_LENGTH;
            snprintf(file, FILE_LENGTH, "%.250s.skin.%06d.%s", s->name, first + (int)e,
                     type->extension);
            ((mo_series_entry *)entries)[e] =
                (mo_series_entry){time(context, first + (int)e), file, "skin"};
        }
        status = type->write_index ? write_index(s, type, entries, count, error) : MOTE_OK;
    }
    mo_release(s->memory, files);
    mo_release(s->memory, entries);
    return status;
}

void mo_skin_frames_remove(const mo_skin_frames *s, int frame)
{
    for (int64_t k = 0; s->any && k < s->output->formats.count; ++k) {
        char path[PATH_LENGTH];
        int number = frame;
        do {
            path_of(s, number++, format_at(s, k)->extension, path);
        } while (unlink(path) == 0);
    }
}
