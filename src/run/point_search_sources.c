/* Points of a search: the particles of a world, or of a stored frame. */
#include "run/point_search.h"
#include "run/result_frame.h"

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

static mote_status search_frame(const mo_result_frame *frame, mo_search_source *source,
                                const mote_search_options *options, mote_search **search,
                                mote_error *error)
{
    const mo_stored *stored = &frame->stored;
    const mote_column *id = mo_stored_find(stored, "id");
    source->count = stored->rows;
    source->x = mo_stored_find(stored, "x")->data;
    source->ids = id && id->type == MOTE_I64 ? id->data : NULL;
    return mo_point_search_create(source, options, search, error);
}

mote_status mote_search_results(const char *path, double time, const char *system,
                                const mote_search_options *options, mote_search **search,
                                mote_error *error)
{
    MO_NEED(path);
    MO_NEED(search);
    mo_search_source source = {.function = __func__};
    mo_result_frame frame;
    *search = NULL;
    mo_error_clear(error);
    MO_TRY(mo_result_frame_open(path, time, system, &frame, error));
    source.domain = frame.scene ? mo_result_frame_domain(&frame)
                    : options   ? options->domain
                                : source.domain;
    mote_status status = search_frame(&frame, &source, options, search, error);
    mo_result_frame_release(&frame);
    return status;
}
