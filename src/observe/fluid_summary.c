/* Fluid statistics of the public interface. */
#include "system/fluid/fluid.h"
#include "world/world.h"

static mo_fluid_system *fluid_of(const mote_world *world)
{
    int k = mote_world_system_find(world, "fluid");
    return k >= 0 ? world->systems[k].state : NULL;
}

mote_fluid_summary mote_world_fluid(const mote_world *world)
{
    MO_NEED_OR(world, (mote_fluid_summary){0});
    const mo_fluid_system *fluid = fluid_of(world);
    if (!fluid) {
        return (mote_fluid_summary){0};
    }
    mote_fluid_summary summary = fluid->summary;
    summary.particles = mo_store_owned(fluid->system->store);
    summary.boundary = fluid->fluid.walls.count;
    return summary;
}

mote_status mote_world_density_error(mote_world *world, double *mean, double *max,
                                     mote_error *error)
{
    MO_NEED(world);
    mo_fluid_system *fluid = fluid_of(world);
    double unused;
    mean = mean ? mean : &unused;
    max = max ? max : &unused;
    *mean = *max = 0;
    if (!fluid || mo_store_owned(fluid->system->store) == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_fluid_update(&fluid->fluid, world->clock.time, error));
    return mo_fluid_measure_density(&fluid->fluid, mean, max, error);
}
