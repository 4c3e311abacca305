#include "fluid/boundary/maps.h"

#include "fluid/kernel/lattice.h"

mote_status mo_boundary_add_maps(mo_fluid *f, const mo_colliders *colliders, mote_error *error)
{
    f->walls.maps = true;
    for (int64_t k = 0; k < colliders->count; ++k) {
        MO_TRY(mo_walls_add(&f->walls, &colliders->list[k], (int)k, error));
        MO_TRY(mo_walls_add_map(&f->walls, f->dimension, f->support, f->spacing, f->pool, error));
    }
    return MOTE_OK;
}

void mo_boundary_set_plain(mo_fluid *f)
{
    double behind, derivative, spacing = f->spacing / f->support;
    float unused;
    mo_lattice_behind(&f->kernel, f->dimension, spacing, &behind, &derivative);
    double lack = 1 - (mo_lattice_density(&f->kernel, f->dimension, spacing) - behind);
    f->walls.plain = true;
    f->walls.even = false;
    f->walls.weight =
        lack / (double)mo_half_space_at(&f->walls.volume, (float)(0.5 * spacing), &unused);
    mo_walls_set_kernel(&f->walls, &f->kernel, f->dimension, spacing);
}
