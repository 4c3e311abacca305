/* Particles of a probe: those of a world, or of a stored frame. */
#include "run/probe.h"
#include "run/result_frame.h"
#include "store/store.h"
#include "world/world.h"

mote_status mote_probe_world(mote_world *world, int system, const mote_probe_options *options,
                             mote_probe **probe, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(probe);
    mote_column columns[MO_COLUMNS_MAX];
    mo_error_clear(error);
    if (system < 0 || system >= mote_world_system_count(world)) {
        return MO_BAD_ARGUMENT(system, "is %d; the world has %d systems", system,
                               mote_world_system_count(world));
    }
    mo_probe_source source = {.function = __func__,
                              .rows = mote_world_rows(world, system),
                              .columns = columns,
                              .domain = mote_world_domain(world),
                              .time = mote_world_time(world)};
    mote_world_derive(world);
    while (source.column_count < MO_COLUMNS_MAX &&
           mote_world_column(world, system, source.column_count, &columns[source.column_count])) {
        ++source.column_count;
    }
    source.has_kernel =
        mo_probe_kernel(&world->def, world->systems[system].type->base.name, &source.kernel);
    return mo_probe_open(&source, options, probe, error);
}

mote_status mote_probe_results(const char *path, double time, const char *system,
                               const mote_probe_options *options, mote_probe **probe,
                               mote_error *error)
{
    MO_NEED(path);
    MO_NEED(probe);
    mo_result_frame frame;
    *probe = NULL;
    mo_error_clear(error);
    MO_TRY(mo_result_frame_open(path, time, system, &frame, error));
    mo_probe_source source = {.function = __func__,
                              .rows = frame.stored.rows,
                              .column_count = frame.stored.column_count,
                              .columns = frame.stored.columns,
                              .time = frame.stored.time};
    if (frame.scene) {
        source.domain = mo_result_frame_domain(&frame);
        source.has_kernel = mo_probe_kernel(&frame.def.world, system, &source.kernel);
    }
    mote_status status = mo_probe_open(&source, options, probe, error);
    mo_result_frame_release(&frame);
    return status;
}
