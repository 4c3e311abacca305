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

mote_status mo_boundary_add_map(mo_instance *self, mo_fluid *f, const mo_collider *solid,
                                int number, int like, mote_error *error)
{
    (void)self;
    MO_TRY(mo_walls_add(&f->walls, solid, number, error));
    if (like >= 0) {
        mo_walls_share_map(&f->walls, like);
        return MOTE_OK;
    }
    return mo_walls_add_map(&f->walls, f->dimension, f->support, f->spacing, f->pool, error);
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
