/* Points of a search: the particles of a world, or of a stored frame. */
#include "host/def.h"
#include "io/stored/frames.h"
#include "neighbor/search/search.h"
#include "run/point_search.h"
#include "scene/scene.h"

#include <string.h>

mote_status mote_search_world(const mote_world *world, int system,
                              const mote_search_options *options, mote_search **search,
                              mote_error *error)
{
    MO_NEED(world);
    MO_NEED(search);
    mote_column x, id;
    if (system < 0 || system >= mote_world_system_count(world)) {
        return MO_BAD_ARGUMENT(system, "is %d; the world has %d systems", system,
                               mote_world_system_count(world));
    }
    mo_search_source source = {.function = __func__, .domain = mote_world_domain(world)};
    if (mote_world_column_find(world, system, "x", &x)) {
        source.count = mote_world_rows(world, system);
        source.x = x.data;
    }
    if (mote_world_column_find(world, system, "id", &id)) {
        source.ids = id.data;
    }
    return mo_point_search_create(&source, options, search, error);
}

/* ---- stored frames ---- */

static mote_status search_file(const char *path, mo_search_source *source,
                               const mote_search_options *options, mote_search **search,
                               mote_error *error)
{
    mo_stored stored;
    MO_TRY(mo_stored_read(path, &stored, error));
    const mote_column *x = mo_stored_find(&stored, "x"), *id = mo_stored_find(&stored, "id");
    source->count = stored.rows;
    source->x = x->data;
    source->ids = id && id->type == MOTE_I64 ? id->data : NULL;
    mote_status status = stored.rows <= MO_SEARCH_ROWS_MAX
                             ? mo_point_search_create(source, options, search, error)
                             : mo_fail(error, MOTE_ERROR_INPUT, "%.500s: %lld points; allowed: %d",
                                       path, (long long)stored.rows, MO_SEARCH_ROWS_MAX);
    mo_stored_release(&stored);
    return status;
}

static mote_status read_domain(const char *scene_path, mote_domain *domain, mote_error *error)
{
    mote_scene *scene;
    mo_scene_def def;
    mo_memory memory;
    mo_arena arena;
    MO_TRY(mote_scene_load(scene_path, &scene, error));
    mo_memory_init(&memory, NULL);
    mo_arena_init(&arena, &memory);
    mote_status status = mo_scene_read(scene, &arena, &def, error);
    if (status == MOTE_OK) {
        mo_domain d = mo_world_def_domain(&def.world);
        memcpy(domain->periodic, d.periodic, sizeof d.periodic);
        memcpy(domain->low, d.low, sizeof d.low);
        memcpy(domain->high, d.high, sizeof d.high);
    }
    mo_arena_release(&arena);
    mote_scene_destroy(scene);
    return status;
}

/* The file of a system (NULL: of the first that has one) in a frame. */
static const char *file_of_system(const mo_frames *frames, int64_t frame, const char *system)
{
    for (int part = 0; part < frames->part_count; ++part) {
        const char *file = frames->entries[frame].files[part];
        if (file && (!system || strcmp(frames->parts[part], system) == 0)) {
            return file;
        }
    }
    return NULL;
}

static mote_status search_frames(const mo_frames *frames, double time, const char *system,
                                 mo_search_source *source, const mote_search_options *options,
                                 mote_search **search, mote_error *error)
{
    int64_t frame = isnan(time) ? frames->count - 1 : mo_frames_at(frames, time);
    const char *file = frame >= 0 ? file_of_system(frames, frame, system) : NULL;
    if (!file) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.500s: there is no frame%s%.100s",
                       frames->directory, system ? " of the system " : "", system ? system : "");
    }
    if (frames->scene) {
        MO_TRY(read_domain(frames->scene, &source->domain, error));
    }
    return search_file(file, source, options, search, error);
}

static bool is_frame_file(const char *path)
{
    size_t length = strlen(path);
    return length > 4 &&
           (strcmp(path + length - 4, ".vtp") == 0 || strcmp(path + length - 4, ".ply") == 0);
}

mote_status mote_search_results(const char *path, double time, const char *system,
                                const mote_search_options *options, mote_search **search,
                                mote_error *error)
{
    MO_NEED(path);
    MO_NEED(search);
    mo_search_source source = {.function = __func__};
    mo_frames frames;
    *search = NULL;
    mo_error_clear(error);
    if (is_frame_file(path)) {
        source.domain = options ? options->domain : source.domain;
        return search_file(path, &source, options, search, error);
    }
    MO_TRY(mo_frames_open(path, &frames, error));
    mote_status status = search_frames(&frames, time, system, &source, options, search, error);
    mo_frames_release(&frames);
    return status;
}
