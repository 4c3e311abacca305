/* `mote surface`: a mesh for each frame of a scene or of stored files. */
#include "base/file.h"
#include "base/text.h"
#include "geometry/surface/surface.h"
#include "host/drawing.h"
#include "io/stored/frames.h"
#include "math/quat.h"
#include "mote/run.h"
#include "run/schedule.h"
#include "run/surface_mesh.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

enum { PATH_LENGTH = 4096, NAME_LENGTH = 512 };

static const double MOST_FRAMES = 1e8;

typedef struct series {
    const mote_surface_run_options *options;
    mo_memory memory;
    mo_arena arena;
    mo_method method, format;
    char name[NAME_LENGTH]; /* of the files, without their numbers */
    int frames;             /* total number */
    int done;
    double spacing; /* of the first frame that has one: a varying grid would flicker */
    int64_t axis_capacity;
    double *axes; /* of oriented particles */
    int64_t entry_capacity;
    mo_series_entry *entries; /* for the index */
} series;

/* One frame's particles. */
typedef struct source {
    double time;
    int64_t rows;
    int column_count;
    mote_column (*column)(const void *context, int index);
    const void *context;
} source;

mote_surface_run_options mote_surface_run_options_default(void)
{
    return (mote_surface_run_options){
        .surface = mote_surface_options_default(), .until = NAN, .frames = -1};
}

/* ---- columns ---- */

static bool find_column(const source *from, const char *name, mote_column *column)
{
    for (int k = 0; k < from->column_count; ++k) {
        *column = from->column(from->context, k);
        if (strcmp(column->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static mote_status fail_no_field(const source *from, const char *name, mote_error *error)
{
    mo_text list = {0};
    for (int k = 0; k < from->column_count; ++k) {
        mo_text_add(&list, "%s%s", k ? ", " : "", from->column(from->context, k).name);
    }
    mo_fail(error, MOTE_ERROR_INPUT, "--field: there is no column '%.100s'; allowed: %.1000s", name,
            list.data ? list.data : "none");
    mo_text_release(&list);
    return MOTE_ERROR_INPUT;
}

/* Twice the mean radius of the particles that have one; 0 if none has. */
static double spacing_of(const source *from)
{
    mote_column radius;
    double sum = 0;
    int64_t count = 0;
    bool known = find_column(from, "radius", &radius) && radius.components == 1;
    for (int64_t k = 0; known && k < radius.rows; ++k) {
        double r = radius.type == MOTE_F64   ? ((const double *)radius.data)[k]
                   : radius.type == MOTE_F32 ? ((const float *)radius.data)[k]
                                             : 0;
        sum += r > 0 ? r : 0;
        count += r > 0;
    }
    return count > 0 ? 2 * sum / (double)count : 0;
}

static mote_status choose_columns(const series *s, const source *from, mote_column *fields,
                                  mote_column *x, mote_error *error)
{
    if (!find_column(from, "x", x) || x->type != MOTE_F64 || x->components != 3) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the frame has no positions");
    }
    if (s->options->field_count > MO_SURFACE_FIELDS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "--field: %d fields; allowed: %d",
                       s->options->field_count, MO_SURFACE_FIELDS_MAX);
    }
    for (int k = 0; k < s->options->field_count; ++k) {
        if (!find_column(from, s->options->fields[k], &fields[k])) {
            return fail_no_field(from, s->options->fields[k], error);
        }
    }
    return MOTE_OK;
}

/* The z axes of oriented particles, zero for others; *axes is NULL without a column of
 * orientations. */
static mote_status find_axes(series *s, const source *from, const double **axes, mote_error *error)
{
    mote_column q, inertia;
    *axes = NULL;
    if (!find_column(from, "q", &q) || q.type != MOTE_F64 || q.components != 4) {
        return MOTE_OK;
    }
    bool some = find_column(from, "inertia", &inertia) && inertia.type == MOTE_F64;
    MO_TRY(mo_reserve(&s->memory, &s->axes, &s->axis_capacity, 3 * from->rows + 3, sizeof *s->axes,
                      error));
    for (int64_t row = 0; row < from->rows; ++row) {
        mo_vec3 z =
            mo_quat_rotate(mo_quat_load((const double *)q.data + 4 * row), mo_vec3_make(0, 0, 1));
        bool has = !some || ((const double *)inertia.data)[inertia.components * row] > 0;
        mo_vec3_store(s->axes + 3 * row, has ? z : mo_vec3_make(0, 0, 0));
    }
    *axes = s->axes;
    return MOTE_OK;
}

/* ---- a frame ---- */

static const mo_format_type *format_of(const series *s)
{
    return (const mo_format_type *)s->format.type;
}

static mote_status remember(series *s, double time, const char *file, mote_error *error)
{
    void *entries = s->entries;
    mote_status status =
        mo_grow(&s->memory, &entries, &s->entry_capacity, s->done + 1, sizeof *s->entries, error);
    s->entries = entries;
    MO_TRY(status);
    char *name = mo_arena_text(&s->arena, file);
    s->entries[s->done++] = (mo_series_entry){isnan(time) ? s->done : time, name, "surface"};
    return name ? MOTE_OK : mo_fail_memory(error, strlen(file));
}

/* Deferred to the first mesh, so that a failure before it leaves no files. */
static mote_status begin_files(const series *s, mote_error *error)
{
    char prefix[PATH_LENGTH];
    MO_TRY(mo_directory_create(s->options->directory, error));
    snprintf(prefix, sizeof prefix, "%.3400s/%s.", s->options->directory, s->name);
    mo_file_sweep(prefix);
    return MOTE_OK;
}

static mote_status store_mesh(series *s, const mote_surface *surface, const source *from,
                              mote_error *error)
{
    char file[NAME_LENGTH + 32], path[PATH_LENGTH];
    snprintf(file, sizeof file, "%s.%06d.%s", s->name, s->done, format_of(s)->extension);
    snprintf(path, sizeof path, "%.3400s/%s", s->options->directory, file);
    if (s->done == 0) {
        MO_TRY(begin_files(s, error));
    }
    MO_TRY(mo_surface_write(surface, s->format, path, isnan(from->time) ? 0 : from->time, error));
    mote_surface_frame frame = {s->done,    s->frames, from->time,
                                from->rows, path,      mote_surface_get(surface)};
    MO_TRY(remember(s, from->time, file, error));
    bool go_on =
        !s->options->progress || s->options->progress(s->options->progress_context, &frame);
    return go_on ? MOTE_OK : MOTE_CANCELLED;
}

static mote_status mesh_frame(series *s, const source *from, mote_error *error)
{
    mote_column fields[MO_SURFACE_FIELDS_MAX], x;
    mote_surface *surface;
    mote_surface_options o = s->options->surface;
    MO_TRY(choose_columns(s, from, fields, &x, error));
    MO_TRY(find_axes(s, from, &o.normals, error));
    if (!s->method.type) {
        MO_TRY(mo_surface_method_read(mo_surface_default(o.normals != NULL), &s->arena, &s->method,
                                      error));
    }
    s->spacing = s->spacing > 0 || o.normals ? s->spacing : spacing_of(from);
    o.spacing = o.spacing != 0 ? o.spacing : s->spacing;
    o.fields = fields;
    o.field_count = s->options->field_count;
    MO_TRY(mo_surface_create(from->rows, x.data, s->method, &o, &surface, error));
    s->spacing = from->rows > 0 ? surface->view.spacing : s->spacing;
    mote_status status = store_mesh(s, surface, from, error);
    mote_surface_destroy(surface);
    return status;
}

/* ---- all frames ---- */

/* Checks of the caller's options. */
static mote_status check_options(const mote_surface_run_options *o, mote_error *error)
{
    if (!o->directory) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "directory: an output directory for the meshes is "
                       "needed");
    }
    if (o->surface.config.threads < 0) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "config.threads: %d; allowed: 0 (one per core) or more",
                       o->surface.config.threads);
    }
    if (o->frames < -1) {
        return mo_fail(error, MOTE_ERROR_USAGE, "frames: %d; allowed: -1 (all) or more", o->frames);
    }
    if (o->field_count < 0 || (o->field_count > 0 && !o->fields)) {
        return mo_fail(error, MOTE_ERROR_USAGE, "field_count: %d, of %s fields", o->field_count,
                       o->fields ? "the" : "no");
    }
    if (o->until < 0 || isinf(o->until)) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "until: %g s; allowed: 0 and later, NaN for the scene's end", o->until);
    }
    return MOTE_OK;
}

static mote_status series_open(series *s, const char *name, mote_error *error)
{
    const mote_surface_run_options *o = s->options;
    mo_memory_init(&s->memory, &o->surface.config.allocator);
    mo_arena_init(&s->arena, &s->memory);
    snprintf(s->name, sizeof s->name, "%.400s.surface", name);
    MO_TRY(check_options(o, error));
    if (o->surface.spacing < 0 || isnan(o->surface.spacing)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "--spacing: %g m; allowed: a length above 0",
                       o->surface.spacing);
    }
    if (o->surface.method) {
        MO_TRY(mo_surface_method_read(o->surface.method, &s->arena, &s->method, error));
    }
    return mo_surface_format_read(o->format, &s->arena, &s->format, error);
}

static mote_status write_index(series *s, mote_error *error)
{
    char path[PATH_LENGTH];
    mo_file file;
    const mo_format_type *format = format_of(s);
    if (s->done == 0 || !format->write_index) {
        return MOTE_OK;
    }
    snprintf(path, sizeof path, "%.3400s/%s.%s", s->options->directory, s->name,
             format->index_extension);
    MO_TRY(mo_file_create(path, &file, error));
    mote_status status =
        format->write_index(s->entries, s->done, s->arena.memory, file.stream, error);
    if (status != MOTE_OK) {
        mo_file_abandon(&file);
        return status;
    }
    return mo_file_commit(&file, error);
}

/* The index lists the existing meshes, also after a failure. */
static mote_status series_close(series *s, mote_status status, mote_error *error)
{
    mote_error trouble = {0};
    mote_status written = write_index(s, &trouble);
    if (written == MOTE_OK && s->done > 0) {
        written = mo_directory_sync(s->options->directory, &trouble);
    }
    if (status == MOTE_OK && written != MOTE_OK) {
        status = mo_fail(error, written, "%s", trouble.text);
    }
    mo_release(&s->memory, s->entries);
    mo_release(&s->memory, s->axes);
    mo_arena_release(&s->arena);
    return status;
}

/* ---- scenes ---- */

typedef struct world_source {
    const mote_world *world;
    int system;
} world_source;

static mote_column world_column(const void *context, int index)
{
    const world_source *w = context;
    mote_column column = {0};
    mote_world_column(w->world, w->system, index, &column);
    return column;
}

static mote_status mesh_world(series *s, const mote_world *world, mote_error *error)
{
    world_source w = {world, 0};
    for (int k = mote_world_system_count(world) - 1; k >= 0; --k) {
        w.system = mo_system_is_liquid(mote_world_system_name(world, k)) ? k : w.system;
    }
    if (mote_world_system_count(world) == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "surface: the scene has no particles");
    }
    source from = {mote_world_time(world), mote_world_rows(world, w.system),
                   mote_world_column_count(world, w.system), world_column, &w};
    return mesh_frame(s, &from, error);
}

static mote_status run_world(series *s, mote_world *world, const mo_schedule *schedule,
                             mote_error *error)
{
    MO_TRY(mesh_world(s, world, error));
    for (int frame = 1; frame < s->frames; ++frame) {
        MO_TRY(mote_world_advance(world, mo_schedule_time(schedule, frame), NULL, error));
        MO_TRY(mesh_world(s, world, error));
    }
    return MOTE_OK;
}

static mote_status run_scene(series *s, const mote_scene *scene, mote_error *error)
{
    const mote_surface_run_options *o = s->options;
    mo_scene_def def;
    mote_world *world;
    MO_TRY(series_open(s, mote_scene_name(scene), error));
    MO_TRY(mote_run_check(scene, &o->surface.config, error));
    MO_TRY(mo_scene_read(scene, &s->arena, &def, error));
    s->method = o->surface.method ? s->method : def.output.surface;
    mo_schedule schedule =
        mo_schedule_make(isnan(o->until) ? def.world.time.end : o->until, def.world.time.fps);
    double frames = o->frames >= 0 ? fmin(o->frames, schedule.total) : schedule.total;
    if (!(frames >= 0) || frames > MOST_FRAMES) {
        return mo_fail(error, MOTE_ERROR_INPUT, "time.fps: %g frames; allowed: %g", frames,
                       MOST_FRAMES);
    }
    s->frames = (int)frames + 1;
    MO_TRY(mote_world_create(scene, &o->surface.config, &world, error));
    mote_status status = run_world(s, world, &schedule, error);
    mote_world_destroy(world);
    return status;
}

mote_status mote_surface_scene(const mote_scene *scene, const mote_surface_run_options *options,
                               mote_error *error)
{
    MO_NEED(scene);
    MO_NEED(options);
    series s = {.options = options};
    mo_memory_init(&s.memory, NULL); /* until it is opened */
    mo_arena_init(&s.arena, &s.memory);
    mo_error_clear(error);
    return series_close(&s, run_scene(&s, scene, error), error);
}

/* ---- stored frames ---- */

static mote_column stored_column(const void *context, int index)
{
    return ((const mo_stored *)context)->columns[index];
}

static mote_status mesh_file(series *s, const char *path, double time, mote_error *error)
{
    mo_stored stored;
    MO_TRY(mo_stored_read(path, &stored, error));
    source from = {isnan(time) ? stored.time : time, stored.rows, stored.column_count,
                   stored_column, &stored};
    mote_status status = mesh_frame(s, &from, error);
    mo_stored_release(&stored);
    return status;
}

/* The file of a frame: of a liquid if there is one, else of the first system that has one. */
static const char *file_of(const mo_frames *frames, int64_t frame)
{
    const char *first = NULL;
    for (int part = frames->part_count - 1; part >= 0; --part) {
        const char *file = frames->entries[frame].files[part];
        if (file && mo_system_is_liquid(frames->parts[part])) {
            return file;
        }
        first = file ? file : first;
    }
    return first;
}

static mote_status run_frames(series *s, const mo_frames *frames, mote_error *error)
{
    int64_t most = s->options->frames >= 0 ? s->options->frames + INT64_C(1) : frames->count;
    MO_TRY(series_open(s, frames->name, error));
    s->frames = (int)(most < frames->count ? most : frames->count);
    for (int k = 0; k < s->frames; ++k) {
        const char *file = file_of(frames, k);
        if (file) {
            MO_TRY(mesh_file(s, file, frames->entries[k].time, error));
        }
    }
    return MOTE_OK;
}

static mote_status run_file(series *s, const char *path, mote_error *error)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(strlen(base) - 4), base);
    MO_TRY(series_open(s, name, error));
    s->frames = 1;
    return mesh_file(s, path, NAN, error);
}

static mote_status run_results(series *s, const char *path, mote_error *error)
{
    mo_frames frames;
    if (mo_ends_with(path, ".vtp") || mo_ends_with(path, ".ply")) {
        return run_file(s, path, error);
    }
    MO_TRY(mo_frames_open(path, &frames, error));
    mote_status status = run_frames(s, &frames, error);
    mo_frames_release(&frames);
    return status;
}

mote_status mote_surface_results(const char *path, const mote_surface_run_options *options,
                                 mote_error *error)
{
    MO_NEED(path);
    MO_NEED(options);
    series s = {.options = options};
    mo_memory_init(&s.memory, NULL); /* until it is opened */
    mo_arena_init(&s.arena, &s.memory);
    mo_error_clear(error);
    return series_close(&s, run_results(&s, path, error), error);
}
