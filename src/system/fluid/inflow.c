/*
 * Fluid from emitters.
 */
#include "system/fluid/fluid.h"

#include <string.h>

static mote_status add_layer(void *context, int nozzle, int64_t count, const double *points,
                             mo_vec3 shift, mo_vec3 velocity, mote_error *error)
{
    mo_fluid_system *fluid = context;
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
    }
    s->grown_from = s->grown_from < 0 ? first : s->grown_from;
    s->bodies.list[0].count += count;
    fluid->summary.emitted += count;
    return MOTE_OK;
}

mote_status mo_fluid_system_emit(mo_fluid_system *fluid, double from, double to, mote_error *error)
{
    int64_t rows = mo_store_owned(fluid->system->store);
    MO_TRY(mo_emitters_emit(&fluid->emitters, from, to, rows, add_layer, fluid, error));
    return mo_store_owned(fluid->system->store) > rows
               ? mo_fluid_forces_begin(&fluid->forces, rows, error)
               : MOTE_OK;
}
