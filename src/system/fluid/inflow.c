/*
 * Fluid from emitters.
 */
#include "system/fluid/fluid.h"

#include <string.h>

static mote_status add_layer(void *context, int nozzle, mote_error *error)
{
    mo_fluid_system *fluid = context;
    mo_system *s = fluid->system;
    const mo_particle_columns *c = &s->columns;
    const mo_nozzle *n = &fluid->emitters.nozzles[nozzle];
    int64_t first, count = n->count;
    MO_TRY(mo_fluid_system_add(fluid, n->phase, count, &first, error));
    memcpy(mo_f64(c->x) + 3 * first, n->x, 3 * (size_t)count * sizeof *n->x);
    memcpy(mo_f64(c->v) + 3 * first, n->v, 3 * (size_t)count * sizeof *n->v);
    for (int64_t row = first; row < first + count; ++row) {
        mo_vec3_store(mo_f64(c->a) + 3 * row, fluid->fluid.gravity);
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
               ? mo_external_forces_begin(&fluid->forces, rows, error)
               : MOTE_OK;
}
