/* What a fluid says of itself, and the fluid that its emitters send. */
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <string.h>

/* ---- fluid that comes in ---- */

typedef struct adding {
    mo_fluid_system *fluid;
    double h;
} adding;

static mote_status add_layer(void *context, int nozzle, int64_t count, const double *points, mo_vec3 shift,
                             mo_vec3 velocity, mote_error *error)
{
    const adding *a = context;
    mo_fluid_system *fluid = a->fluid;
    mo_system *s = fluid->system;
    const mo_particle_columns *c = &s->columns;
    int64_t first;
    MO_TRY(mo_fluid_system_add(fluid, fluid->emitters.nozzles[nozzle].phase, count, &first, error));
    mo_vec3 gravity = fluid->fluid.gravity;
    for (int64_t k = 0; k < count; ++k) {
        int64_t row = first + k;
        mo_vec3 x = mo_add(mo_vec3_load(points + 3 * k), shift);
        mo_vec3_store(mo_f64(c->x) + 3 * row, x);
        mo_vec3_store(mo_f64(c->v) + 3 * row, velocity);
        mo_vec3_store(mo_f64(c->a) + 3 * row, gravity);
        ((int32_t *)fluid->emitters.nozzle->data)[row] = nozzle + 1;
        if (c->contact_x) {
            mo_vec3_store(mo_f64(c->contact_x) + 3 * row, mo_add_scaled(x, -a->h, velocity));
        }
    }
    s->grown_from = s->grown_from < 0 ? first : s->grown_from;
    s->bodies[0].count += count;
    fluid->summary.emitted += count;
    return MOTE_OK;
}

mote_status mo_fluid_system_emit(mo_fluid_system *fluid, double from, double to, double h, mote_error *error)
{
    adding a = {fluid, h};
    return mo_emitters_emit(&fluid->emitters, from, to, mo_store_rows(fluid->system->store), add_layer, &a,
                            error);
}

/* ---- the public view ---- */

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
    summary.particles = mo_store_rows(fluid->system->store);
    summary.boundary = fluid->fluid.walls.count;
    return summary;
}

mote_status mote_world_density_error(mote_world *world, double *mean, double *most, mote_error *error)
{
    MO_NEED(world);
    mo_fluid_system *fluid = fluid_of(world);
    double unused;
    mean = mean ? mean : &unused;
    most = most ? most : &unused;
    *mean = *most = 0;
    if (!fluid || mo_store_rows(fluid->system->store) == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_fluid_update(&fluid->fluid, world->clock.time, error));
    return mo_fluid_measure_density(&fluid->fluid, mean, most, error);
}
