/* Sorting and removal of fluid rows: updates row indices stored by terms and couplings. */
#include "host/coupling.h"
#include "system/fluid/fluid.h"

mote_status mo_fluid_system_map(mo_fluid_system *fluid, int64_t rows, int64_t **map,
                                mote_error *error)
{
    mo_fluid *f = &fluid->fluid;
    MO_TRY(mo_terms_map(f, rows, map, error));
    if (!*map && mo_system_remaps(fluid->system)) {
        mo_terms *t = &f->terms;
        MO_TRY(mo_reserve(f->memory, &t->map, &t->map_capacity, rows, sizeof *t->map, error));
        *map = t->map;
    }
    return MOTE_OK;
}

void mo_fluid_system_remap(mo_fluid_system *fluid, const int64_t *map)
{
    mo_terms_remap(&fluid->fluid, map);
    mo_system_remap(fluid->system, map);
}
