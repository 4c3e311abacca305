#include "io/output/writer.h"

#include "base/file.h"
#include "base/text.h"
#include "base/timer.h"
#include "io/format/format.h"
#include "io/output/observations.h"
#include "io/output/skin_frames.h"
#include "io/output/table.h"
#include "io/output/wrap.h"
#include "store/store.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096, NAME_MAX_LENGTH = 256, FILE_MAX_LENGTH = 300 };

struct mo_writer {
    mo_memory *memory;
    const char *directory;
    char name[NAME_MAX_LENGTH];
    const mo_output_def *output;
    int system_count;
    const char *systems[MO_SYSTEMS_MAX]; /* names */
    int frames, files;
    /* the first frame with files: 0 unless a run was resumed in another directory */
    int first_frame;
    double last_index; /* wall clock */
    int64_t flushed;   /* frames whose observables are on disk */
    int64_t edge_capacity, covered_capacity;
    int32_t *edges;   /* of the current frame: those that are not sides of triangles */
    uint8_t *covered; /* rows that are corners of triangles */
    mo_wrap wrap;
    mo_run_table table;
    mo_observations observations;
    mo_skin_frames skins;
    double writing; /* seconds, since the table's last row */
};

static const mo_format_type *format_at(const mo_writer *w, int64_t k)
{
    return (const mo_format_type *)((const mo_method *)w->output->formats.items)[k].type;
}

static mote_status fail_unknown_field(const mo_output_def *output, const mote_world *world,
                                      int64_t index, mote_error *error)
{
    const char *field = ((const char *const *)output->fields.items)[index];
    char where[40];
    const char *names[MO_COLUMNS_MAX];
    int count = 0;
    mo_text list = {0};
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        mote_column column;
        for (int c = 0; count < MO_COLUMNS_MAX && mote_world_column(world, s, c, &column); ++c) {
            mo_text_add(&list, "%s%s", count ? ", " : "", column.name);
            names[count++] = column.name;
        }
    }
    const char *nearest = mo_nearest(field, names, count);
    snprintf(where, sizeof where, "output.fields[%lld]", (long long)index);
    mo_fail(error, MOTE_ERROR_INPUT, "%s: there is no column '%.100s'%s%s%sallowed: %s",
            index + 1 == output->shown ? "view.color.field" : where, field,
            nearest ? "; did you mean '" : "; ", nearest ? nearest : "", nearest ? "'? " : "",
            list.data ? list.data : "");
    mo_text_release(&list);
    return MOTE_ERROR_INPUT;
}

/* A field must be a column of some system. */
static mote_status check_fields(const mo_output_def *output, const mote_world *world,
                                mote_error *error)
{
    const char *const *fields = output->fields.items;
    if (output->fields.count > MO_COLUMNS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "output.fields: at most %d may be written",
                       MO_COLUMNS_MAX);
    }
    for (int64_t k = 0; k < output->fields.count; ++k) {
        bool known = false;
        mote_column column;
        for (int s = 0; s < mote_world_system_count(world); ++s) {
            known = known || mote_world_column_find(world, s, fields[k], &column);
        }
        if (!known && mote_world_system_count(world) > 0) {
            return fail_unknown_field(output, world, k, error);
        }
        for (int64_t j = 0; j < k; ++j) {
            if (strcmp(fields[j], fields[k]) == 0) {
                return mo_fail(error, MOTE_ERROR_INPUT,
                               "output.fields[%lld]: '%s' is in the list already", (long long)k,
                               fields[k]);
            }
        }
    }
    return MOTE_OK;
}

/* Each format once, since two of a kind would write the same files. */
static mote_status check_formats(const mo_output_def *output, mote_error *error)
{
    const mo_method *formats = output->formats.items;
    for (int64_t k = 1; k < output->formats.count; ++k) {
        for (int64_t j = 0; j < k; ++j) {
            if (formats[j].type == formats[k].type) {
                return mo_fail(error, MOTE_ERROR_INPUT,
                               "output.formats[%lld]: '%s' is in the list already", (long long)k,
                               formats[k].type->name);
            }
        }
    }
    return MOTE_OK;
}

mote_status mo_writer_create(mo_memory *memory, const char *directory, const char *name,
                             const mo_output_def *output, const mote_world *world, mo_writer **out,
                             mote_error *error)
{
    MO_TRY(check_fields(output, world, error));
    MO_TRY(check_formats(output, error));
    mo_writer *w = mo_allocate(memory, sizeof *w);
    if (!w) {
        return mo_fail_memory(error, sizeof *w);
    }
    w->memory = memory;
    w->directory = directory;
    w->output = output;
    w->system_count = mote_world_system_count(world);
    for (int k = 0; k < w->system_count; ++k) {
        w->systems[k] = mote_world_system_name(world, k);
    }
    snprintf(w->name, sizeof w->name, "%s", name);
    mo_run_table_init(&w->table, memory);
    mo_wrap_init(&w->wrap, memory, world, output->wrap);
    mo_skin_frames_init(&w->skins, memory, directory, w->name, output, world);
    mote_status status =
        mo_observations_init(&w->observations, memory, directory, w->name, world, error);
    if (status != MOTE_OK) {
        mo_writer_destroy(w);
        return status;
    }
    *out = w;
    return MOTE_OK;
}

void mo_writer_destroy(mo_writer *w)
{
    if (w) {
        mo_run_table_release(&w->table);
        mo_observations_release(&w->observations);
        mo_wrap_release(&w->wrap);
        mo_release(w->memory, w->edges);
        mo_release(w->memory, w->covered);
        mo_release(w->memory, w);
    }
}

/* `name.000001.vtp`; with several systems `name.fluid.000001.vtp`. */
static void frame_file(const mo_writer *w, int frame, const char *system, const char *extension,
                       char *out, size_t size)
{
    bool several = w->system_count > 1;
    snprintf(out, size, "%s%s%s.%06d.%s", w->name, several ? "." : "", several ? system : "", frame,
             extension);
}

/* Removes an incomplete file and names it in the error. */
static mote_status abandon(mo_file *file, mote_status status, const mote_error *problem,
                           mote_error *error)
{
    mo_file_abandon(file);
    return mo_fail(error, status, "%.500s: %.1200s", file->path, problem->text);
}

static void full_path(const mo_writer *w, const char *file, char *out, size_t size)
{
    snprintf(out, size, "%s/%s", w->directory, file);
}

static mo_frame frame_of(const mo_writer *w, const mote_world *world, int system,
                         mote_column *fields)
{
    mote_column x;
    mote_world_column_find(world, system, "x", &x);
    mo_frame frame = {
        .time = mote_world_time(world), .rows = x.rows, .x = x.data, .fields = fields};
    const char *const *names = w->output->fields.items;
    bool turns = true; /* rigid bodies and oriented particles are drawn by their orientations */
    for (int64_t k = 0; k < w->output->fields.count; ++k) {
        bool is_position = strcmp(names[k], "x") == 0;
        turns = turns && strcmp(names[k], "q") != 0;
        if (!is_position &&
            mote_world_column_find(world, system, names[k], &fields[frame.field_count])) {
            frame.field_count++;
        }
    }
    if (turns && frame.field_count < MO_COLUMNS_MAX &&
        mote_world_column_find(world, system, "q", &fields[frame.field_count])) {
        frame.field_count++;
    }
    frame.triangle_count = mote_world_triangles(world, system, &frame.triangles);
    return frame;
}

/* The edges to draw: those of cloth are sides of its triangles, those of ropes are not. */
static mote_status find_edges(mo_writer *w, const mote_world *world, int system, mo_frame *frame,
                              mote_error *error)
{
    const int32_t *all;
    int64_t count = mote_world_edges(world, system, &all);
    void *edges = w->edges, *covered = w->covered;
    mote_status status =
        mo_grow(w->memory, &edges, &w->edge_capacity, count, 2 * sizeof(int32_t), error);
    w->edges = edges;
    MO_TRY(status);
    status = mo_grow(w->memory, &covered, &w->covered_capacity, frame->rows + 1, 1, error);
    w->covered = covered;
    MO_TRY(status);
    memset(w->covered, 0, (size_t)frame->rows); /* one more than rows: never NULL */
    for (int64_t k = 0; k < 3 * frame->triangle_count; ++k) {
        w->covered[frame->triangles[k]] = 1;
    }
    frame->edges = w->edges;
    for (int64_t k = 0; k < count; ++k) {
        if (!w->covered[all[2 * k]] || !w->covered[all[2 * k + 1]]) {
            memcpy(w->edges + 2 * frame->edge_count++, all + 2 * k, 2 * sizeof(int32_t));
        }
    }
    return MOTE_OK;
}

static mote_status write_system(mo_writer *w, mote_world *world, int system, int64_t format,
                                mote_error *error)
{
    const mo_format_type *type = format_at(w, format);
    mote_column fields[MO_COLUMNS_MAX];
    char file[FILE_MAX_LENGTH], path[PATH_LENGTH];
    mo_frame frame = frame_of(w, world, system, fields);
    MO_TRY(find_edges(w, world, system, &frame, error));
    if (type->cells) {
        MO_TRY(mote_world_cells(world, system, &frame.cells, error));
    }
    MO_TRY(mo_wrap_positions(&w->wrap, world, system, &frame.x, error));
    frame_file(w, w->frames, mote_world_system_name(world, system), type->extension, file,
               sizeof file);
    full_path(w, file, path, sizeof path);
    mo_file out;
    mote_error problem = {0};
    MO_TRY(mo_file_create(path, &out, error));
    mote_status status = type->write(((const mo_method *)w->output->formats.items)[format].params,
                                     &frame, w->memory, out.stream, &problem);
    if (status != MOTE_OK) {
        return abandon(&out, status, &problem, error);
    }
    w->files++;
    return mo_file_commit(&out, error);
}

void mo_writer_step(mo_writer *w, const mote_world *world, const mote_step_report *report)
{
    mo_run_table_step(&w->table, world, report);
}

/* Computes derived columns if they are requested. */
static bool wants_derived(const mo_writer *w, const mote_world *world)
{
    const char *const *fields = w->output->fields.items;
    bool wants = false;
    for (int64_t k = 0; k < w->output->fields.count; ++k) {
        wants = wants || mo_world_derives(world, fields[k]);
    }
    return wants;
}

mote_status mo_writer_frame(mo_writer *w, mote_world *world, mote_error *error)
{
    if (w->files == 0) {
        MO_TRY(mo_directory_create(w->directory, error));
    }
    double start = mo_clock();
    if (wants_derived(w, world)) {
        mote_world_derive(world);
    }
    for (int64_t format = 0; format < w->output->formats.count; ++format) {
        for (int system = 0; system < w->system_count; ++system) {
            MO_TRY(write_system(w, world, system, format, error));
        }
    }
    MO_TRY(mo_skin_frames_write(&w->skins, world, w->frames, &w->files, error));
    w->writing += mo_clock() - start;
    /* add a row only for a complete frame */
    MO_TRY(mo_run_table_add(&w->table, world, w->writing, error));
    MO_TRY(mo_observations_add(&w->observations, world, w->frames, error));
    w->writing = 0;
    w->frames++;
    /* often enough for interrupted runs to be usable, at negligible cost */
    return mo_clock() - w->last_index > 1 ? mo_writer_index(w, error) : MOTE_OK;
}

/* One entry for each frame and system, in that order. */
static void fill_series(const mo_writer *w, const mo_format_type *type, mo_series_entry *entries,
                        char *files)
{
    for (int frame = w->first_frame; frame < w->frames; ++frame) {
        for (int system = 0; system < w->system_count; ++system) {
            frame_file(w, frame, w->systems[system], type->extension, files, FILE_MAX_LENGTH);
            *entries++ = (mo_series_entry){w->table.rows[frame].time, files, w->systems[system]};
            files += FILE_MAX_LENGTH;
        }
    }
}

static mote_status write_series(const mo_writer *w, const mo_format_type *type, FILE *stream,
                                mote_error *error)
{
    int64_t count = (int64_t)(w->frames - w->first_frame) * w->system_count;
    void *entries, *files;
    MO_TRY(mo_allocate_array(w->memory, count, sizeof(mo_series_entry), &entries, error));
    mote_status status = mo_allocate_array(w->memory, count, FILE_MAX_LENGTH, &files, error);
    if (status == MOTE_OK) {
        fill_series(w, type, entries, files);
        status = type->write_index(entries, count, w->memory, stream, error);
        mo_release(w->memory, files);
    }
    mo_release(w->memory, entries);
    return status;
}

static mote_status write_format_index(mo_writer *w, const mo_format_type *type, mote_error *error)
{
    char path[PATH_LENGTH], file[FILE_MAX_LENGTH];
    mo_file out;
    snprintf(file, sizeof file, "%s.%s", w->name, type->index_extension);
    full_path(w, file, path, sizeof path);
    MO_TRY(mo_file_create(path, &out, error));
    mote_error problem = {0};
    mote_status status = write_series(w, type, out.stream, &problem);
    if (status != MOTE_OK) {
        return abandon(&out, status, &problem, error);
    }
    return mo_file_commit(&out, error);
}

static double frame_time(const void *context, int frame)
{
    return ((const mo_writer *)context)->table.rows[frame].time;
}

mote_status mo_writer_index(mo_writer *w, mote_error *error)
{
    double start = w->last_index = mo_clock();
    for (int64_t k = 0; k < w->output->formats.count; ++k) {
        if (format_at(w, k)->write_index) {
            MO_TRY(write_format_index(w, format_at(w, k), error));
        }
    }
    MO_TRY(mo_skin_frames_index(&w->skins, w->first_frame, w->frames, frame_time, w, error));
    char base[PATH_LENGTH];
    full_path(w, w->name, base, sizeof base);
    mote_status status = mo_run_table_write(&w->table, base, error);
    if (status == MOTE_OK) {
        status = mo_observations_write(&w->observations, base, error);
    }
    if (status == MOTE_OK) {
        status = mo_observations_index(&w->observations, w->first_frame, w->frames, frame_time, w,
                                       error);
    }
    w->flushed = status == MOTE_OK ? w->frames : w->flushed;
    w->writing += mo_clock() - start;
    return status;
}

mote_status mo_writer_flush_observables(mo_writer *w, mote_error *error)
{
    return w->observations.count > 0 && w->flushed != w->frames ? mo_writer_index(w, error)
                                                                : MOTE_OK;
}

void mo_writer_remove_stale(const mo_writer *w)
{
    mo_skin_frames_remove(&w->skins, w->frames);
    mo_observations_remove_stale(&w->observations, w->frames);
    for (int64_t format = 0; format < w->output->formats.count; ++format) {
        for (int system = 0; system < w->system_count; ++system) {
            char file[FILE_MAX_LENGTH], path[PATH_LENGTH];
            int frame = w->frames;
            do {
                frame_file(w, frame++, w->systems[system], format_at(w, format)->extension, file,
                           sizeof file);
                full_path(w, file, path, sizeof path);
            } while (unlink(path) == 0);
        }
    }
}

static bool frame_is_there(const mo_writer *w, int frame)
{
    for (int64_t format = 0; format < w->output->formats.count; ++format) {
        for (int system = 0; system < w->system_count; ++system) {
            char file[FILE_MAX_LENGTH], path[PATH_LENGTH];
            frame_file(w, frame, w->systems[system], format_at(w, format)->extension, file,
                       sizeof file);
            full_path(w, file, path, sizeof path);
            if (access(path, R_OK) != 0) {
                return false;
            }
        }
    }
    return true;
}

mote_status mo_writer_resume(mo_writer *w, const double *table, int rows, mote_error *error)
{
    char base[PATH_LENGTH];
    MO_TRY(mo_run_table_import(&w->table, table, rows, error));
    full_path(w, w->name, base, sizeof base);
    MO_TRY(mo_observations_resume(&w->observations, base, rows, error));
    w->frames = w->first_frame = rows;
    while (w->first_frame > 0 && frame_is_there(w, w->first_frame - 1)) {
        w->first_frame--;
    }
    return MOTE_OK;
}

const mo_run_table *mo_writer_table(const mo_writer *w)
{
    return &w->table;
}

int mo_writer_frames(const mo_writer *w)
{
    return w->frames;
}

int mo_writer_files(const mo_writer *w)
{
    return w->files;
}

void mo_writer_first_file(const mo_writer *w, char *path, size_t size)
{
    char file[FILE_MAX_LENGTH];
    path[0] = '\0';
    if (w->output->formats.count > 0 && w->system_count > 0) {
        frame_file(w, w->first_frame, w->systems[0], format_at(w, 0)->extension, file, sizeof file);
        full_path(w, file, path, size);
    }
}

void mo_writer_index_file(const mo_writer *w, char *path, size_t size)
{
    char file[FILE_MAX_LENGTH];
    snprintf(file, sizeof file, "%s.csv", w->name);
    for (int64_t k = w->output->formats.count - 1; k >= 0; --k) {
        if (format_at(w, k)->write_index) {
            snprintf(file, sizeof file, "%s.%s", w->name, format_at(w, k)->index_extension);
        }
    }
    full_path(w, file, path, size);
}
