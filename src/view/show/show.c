#include "view/show/show.h"

#include "base/memory.h"
#include "host/drawing.h"
#include "io/stored/frames.h"
#include "run/schedule.h"
#include "scene/scene.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The files of a frame. */
typedef struct bank {
    mo_stored files[MO_FRAMES_PARTS];
    bool open[MO_FRAMES_PARTS];
} bank;

struct mo_show {
    mo_memory memory;
    mo_arena arena;
    mo_scene_def def;
    const mote_scene *scene;
    mote_config config;
    mo_schedule schedule;
    mote_world *world; /* of the run, or the source of constant data; NULL if there is none */
    bool stored;
    mo_frames frames;
    int64_t current; /* the stored frame in memory; -1: none */
    bank banks[2];   /* the current frame and the one being read */
    int bank;        /* index of the current one */
    mo_moment moment;
};

static void take_world(const mote_world *world, int system, mo_part *part)
{
    *part = (mo_part){.name = mote_world_system_name(world, system),
                      .system = system,
                      .rows = mote_world_rows(world, system)};
    while (
        part->column_count < MO_MOMENT_COLUMNS &&
        mote_world_column(world, system, part->column_count, &part->columns[part->column_count])) {
        part->column_count++;
    }
    part->edge_count = mote_world_edges(world, system, &part->edges);
    part->triangle_count = mote_world_triangles(world, system, &part->triangles);
    part->skins = mo_world_skins(world, system, &part->skin_count);
}

static void refresh_world(mo_show *show)
{
    mote_world_derive(show->world);
    show->moment.time = mote_world_time(show->world);
    show->moment.world = show->world;
    show->moment.part_count = mote_world_system_count(show->world);
    for (int k = 0; k < show->moment.part_count; ++k) {
        take_world(show->world, k, &show->moment.parts[k]);
    }
}

/* The system of the reference world with the same particles, or -1. */
static int reference_system(const mo_show *show, const mo_stored *s, const char *name)
{
    int system = show->world ? mote_world_system_find(show->world, name) : -1;
    if (system < 0 && show->world && mote_world_system_count(show->world) == 1) {
        system = 0; /* a file of the only system has no system name */
    }
    if (system < 0 || mote_world_rows(show->world, system) != s->rows) {
        return -1;
    }
    mote_column mine;
    const mote_column *ids = mo_stored_find(s, "id");
    for (int64_t k = 0;
         ids && mote_world_column_find(show->world, system, "id", &mine) && k < s->rows; ++k) {
        if (mo_column_number(ids, k, 0) != mo_column_number(&mine, k, 0)) {
            return -1;
        }
    }
    return system;
}

static const char *unit_of(const mote_world *world, int system, const mote_column *column)
{
    mote_column same;
    bool known = system >= 0 && mote_world_column_find(world, system, column->name, &same);
    return column->unit[0] || !known ? column->unit : same.unit;
}

static void lend(const mo_show *show, int system, mo_part *part)
{
    static const char *const LENT[] = {"radius", "inverse_diameter", "body"};
    for (size_t k = 0; k < sizeof LENT / sizeof *LENT; ++k) {
        mote_column *column = &part->columns[part->column_count];
        if (!mo_part_find(part, LENT[k]) && part->column_count < MO_MOMENT_COLUMNS &&
            mote_world_column_find(show->world, system, LENT[k], column)) {
            part->column_count++;
        }
    }
    /* a file contains only edges that are not sides of triangles */
    part->edge_count = mote_world_edges(show->world, system, &part->edges);
    part->skins = mo_world_skins(show->world, system, &part->skin_count);
}

static void take_stored(const mo_show *show, const mo_stored *s, const char *name, mo_part *part)
{
    int system = reference_system(show, s, name);
    *part =
        (mo_part){.name = name, .system = system, .rows = s->rows, .column_count = s->column_count};
    for (int k = 0; k < s->column_count; ++k) {
        part->columns[k] = s->columns[k];
        part->columns[k].unit = unit_of(show->world, system, &s->columns[k]);
    }
    part->edge_count = s->edge_count;
    part->triangle_count = s->triangle_count;
    part->edges = s->edges;
    part->triangles = s->triangles;
    if (system >= 0) {
        lend(show, system, part);
    }
    part->radius = mo_drawn_radius(&show->def.world, name);
}

static void close_files(bank *b)
{
    for (int k = 0; k < MO_FRAMES_PARTS; ++k) {
        if (b->open[k]) {
            mo_stored_release(&b->files[k]);
            b->open[k] = false;
        }
    }
}

static mote_status read_files(bank *b, const mo_frames_entry *entry, mote_error *error)
{
    for (int k = 0; k < MO_FRAMES_PARTS; ++k) {
        if (entry->files[k]) {
            MO_TRY(mo_stored_read(entry->files[k], &b->files[k], error));
            b->open[k] = true;
        }
    }
    return MOTE_OK;
}

/* A frame that cannot be read leaves the one that is shown. */
static mote_status read_frame(mo_show *show, int64_t frame, mote_error *error)
{
    const mo_frames_entry *entry = &show->frames.entries[frame];
    bank *fresh = &show->banks[1 - show->bank];
    mote_status status = read_files(fresh, entry, error);
    if (status != MOTE_OK) {
        close_files(fresh);
        return status;
    }
    close_files(&show->banks[show->bank]);
    show->bank = 1 - show->bank;
    show->current = frame;
    show->moment.time = entry->time;
    show->moment.world = show->world;
    show->moment.part_count = 0;
    for (int k = 0; k < show->frames.part_count; ++k) {
        if (fresh->open[k]) {
            take_stored(show, &fresh->files[k], show->frames.parts[k],
                        &show->moment.parts[show->moment.part_count++]);
        }
    }
    return MOTE_OK;
}

static mote_status open_stored(mo_show *show, const char *results, mote_error *error)
{
    MO_TRY(mo_frames_open(results, &show->frames, error));
    show->stored = true;
    show->current = -1;
    if (show->def.world.bodies.count > 0) {
        /* a scene that can no longer be built (a mesh file is missing) provides no constant data */
        mote_config config = {.threads = 1};
        if (mote_world_create(show->scene, &config, &show->world, NULL) != MOTE_OK) {
            show->world = NULL;
        }
    }
    double end = show->frames.entries[show->frames.count - 1].time;
    show->schedule = mo_schedule_make(end > 0 ? end : 0, show->def.world.time.fps);
    return read_frame(show, 0, error);
}

static mote_status open_world(mo_show *show, mote_error *error)
{
    show->schedule = mo_schedule_make(show->def.world.time.end, show->def.world.time.fps);
    MO_TRY(mote_world_create(show->scene, &show->config, &show->world, error));
    refresh_world(show);
    return MOTE_OK;
}

static mote_status open_show(mo_show *show, const char *results, mote_error *error)
{
    MO_TRY(mo_scene_read(show->scene, &show->arena, &show->def, error));
    return results ? open_stored(show, results, error) : open_world(show, error);
}

mote_status mo_show_open(const mote_scene *scene, const char *results, const mote_config *config,
                         mo_show **out, mote_error *error)
{
    mo_show *show = mo_heap_allocate(1, sizeof *show);
    *out = NULL;
    if (!show) {
        return mo_fail_memory(error, sizeof *show);
    }
    mo_memory_init(&show->memory, NULL);
    mo_arena_init(&show->arena, &show->memory);
    show->scene = scene;
    show->config = config ? *config : mote_config_default();
    mote_status status = open_show(show, results, error);
    if (status != MOTE_OK) {
        mo_show_close(show);
        return status;
    }
    *out = show;
    return MOTE_OK;
}

void mo_show_close(mo_show *show)
{
    if (show) {
        close_files(&show->banks[0]);
        close_files(&show->banks[1]);
        mo_frames_release(&show->frames);
        mote_world_destroy(show->world);
        mo_arena_release(&show->arena);
        mo_heap_release(show);
    }
}

const mo_scene_def *mo_show_def(const mo_show *show)
{
    return &show->def;
}

const mo_moment *mo_show_moment(const mo_show *show)
{
    return &show->moment;
}

bool mo_show_stored(const mo_show *show)
{
    return show->stored;
}

mote_world *mo_show_world(const mo_show *show)
{
    return show->stored ? NULL : show->world;
}

/* Stored frames are played one by one unless another rate is requested. */
static bool one_by_one(const mo_show *show)
{
    return show->stored && show->schedule.fps == show->def.world.time.fps;
}

int64_t mo_show_count(const mo_show *show)
{
    return one_by_one(show) ? show->frames.count : (int64_t)show->schedule.total + 1;
}

double mo_show_time(const mo_show *show, int64_t frame)
{
    return one_by_one(show) ? show->frames.entries[frame].time
                            : mo_schedule_time(&show->schedule, frame);
}

int64_t mo_show_at(const mo_show *show, double time)
{
    if (one_by_one(show)) {
        return mo_frames_at(&show->frames, time);
    }
    double frame = round(time * show->schedule.fps);
    return frame > show->schedule.total ? (int64_t)show->schedule.total
           : frame > 0                  ? (int64_t)frame
                                        : 0;
}

void mo_show_set_fps(mo_show *show, double fps)
{
    show->schedule = mo_schedule_make(show->schedule.end, fps);
}

double mo_show_fps(const mo_show *show)
{
    return show->schedule.fps;
}

mote_status mo_show_restart(mo_show *show, mote_error *error)
{
    if (show->stored) {
        return read_frame(show, 0, error);
    }
    mote_world *world;
    MO_TRY(mote_world_create(show->scene, &show->config, &world, error));
    mote_world_destroy(show->world);
    show->world = world;
    refresh_world(show);
    return MOTE_OK;
}

void mo_show_refresh(mo_show *show)
{
    if (!show->stored) {
        refresh_world(show);
    }
}

/* Advances from frame to frame as a run does, so that variable steps are cut at the same times
 * and the results are bitwise identical. */
static mote_status advance(mo_show *show, double time, mo_show_hook *hook, void *context,
                           mote_error *error)
{
    mote_step_report report;
    int64_t frame = (int64_t)(mote_world_time(show->world) * show->schedule.fps);
    for (; (double)frame < show->schedule.total && mo_schedule_time(&show->schedule, frame) < time;
         ++frame) {
        double due = mo_schedule_time(&show->schedule, frame);
        if (due > mote_world_time(show->world)) {
            MO_TRY(mo_world_advance(show->world, due, hook, context, &report, error));
        }
    }
    return mo_world_advance(show->world, time, hook, context, &report, error);
}

mote_status mo_show_seek_time(mo_show *show, double time, mo_show_hook *hook, void *context,
                              mote_error *error)
{
    if (show->stored) {
        int64_t frame = mo_frames_at(&show->frames, time);
        return frame == show->current ? MOTE_OK : read_frame(show, frame, error);
    }
    if (time < mote_world_time(show->world)) {
        MO_TRY(mo_show_restart(show, error));
    }
    mote_status status = advance(show, time, hook, context, error);
    refresh_world(show);
    return status;
}

mote_status mo_show_seek(mo_show *show, int64_t frame, mo_show_hook *hook, void *context,
                         mote_error *error)
{
    if (one_by_one(show)) {
        return frame == show->current ? MOTE_OK : read_frame(show, frame, error);
    }
    return mo_show_seek_time(show, mo_show_time(show, frame), hook, context, error);
}

mote_status mo_show_step(mo_show *show, mote_step_report *report, mote_error *error)
{
    if (show->stored) {
        return show->current + 1 < show->frames.count ? read_frame(show, show->current + 1, error)
                                                      : MOTE_OK;
    }
    mote_status status = mote_world_step(show->world, report, error);
    refresh_world(show);
    return status;
}

int64_t mo_show_current(const mo_show *show)
{
    return show->stored ? show->current : 0;
}
