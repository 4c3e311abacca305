#include "run/result_frame.h"

#include "host/def.h"
#include "io/stored/frames.h"
#include "neighbor/search/search.h"

#include <string.h>

static mote_status read_stored(const char *path, mo_stored *stored, mote_error *error)
{
    MO_TRY(mo_stored_read(path, stored, error));
    if (stored->rows > MO_SEARCH_ROWS_MAX) {
        mo_fail(error, MOTE_ERROR_INPUT, "%.500s: %lld points; allowed: %d", path,
                (long long)stored->rows, MO_SEARCH_ROWS_MAX);
        mo_stored_release(stored);
        return MOTE_ERROR_INPUT;
    }
    return MOTE_OK;
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

static mote_status read_scene(const char *path, mo_result_frame *frame, mote_error *error)
{
    MO_TRY(mote_scene_load(path, &frame->scene, error));
    mo_memory_init(&frame->memory, NULL);
    mo_arena_init(&frame->arena, &frame->memory);
    return mo_scene_read(frame->scene, &frame->arena, &frame->def, error);
}

static mote_status choose_frame(const mo_frames *frames, double time, const char *system,
                                mo_result_frame *frame, mote_error *error)
{
    int64_t number = isnan(time) ? frames->count - 1 : mo_frames_at(frames, time);
    const char *file = number >= 0 ? file_of_system(frames, number, system) : NULL;
    if (!file) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.500s: there is no frame%s%.100s",
                       frames->directory, system ? " of the system " : "", system ? system : "");
    }
    MO_TRY(read_stored(file, &frame->stored, error));
    return frames->scene ? read_scene(frames->scene, frame, error) : MOTE_OK;
}

static bool is_frame_file(const char *path)
{
    size_t length = strlen(path);
    return length > 4 &&
           (strcmp(path + length - 4, ".vtp") == 0 || strcmp(path + length - 4, ".ply") == 0);
}

mote_status mo_result_frame_open(const char *path, double time, const char *system,
                                 mo_result_frame *frame, mote_error *error)
{
    mo_frames frames;
    *frame = (mo_result_frame){.scene = NULL};
    if (is_frame_file(path)) {
        return read_stored(path, &frame->stored, error);
    }
    MO_TRY(mo_frames_open(path, &frames, error));
    mote_status status = choose_frame(&frames, time, system, frame, error);
    mo_frames_release(&frames);
    if (status != MOTE_OK) {
        mo_result_frame_release(frame);
    }
    return status;
}

void mo_result_frame_release(mo_result_frame *frame)
{
    if (frame->stored.rows > 0 || frame->stored.column_count > 0) {
        mo_stored_release(&frame->stored);
    }
    if (frame->scene) {
        mo_arena_release(&frame->arena);
        mote_scene_destroy(frame->scene);
    }
    *frame = (mo_result_frame){.scene = NULL};
}

mote_domain mo_result_frame_domain(const mo_result_frame *frame)
{
    mo_domain d = mo_world_def_domain(&frame->def.world);
    mote_domain out = {{0}, {0}, {0}};
    memcpy(out.periodic, d.periodic, sizeof d.periodic);
    memcpy(out.low, d.low, sizeof d.low);
    memcpy(out.high, d.high, sizeof d.high);
    return out;
}
