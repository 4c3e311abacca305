/*
 * The solid as a continuum: the density of a particle grows by the integral of the boundary kernel
 * F over the solid (sph/walls.h, map/half_space.h), precomputed on a grid around it
 * (map/solid_map.h).
 *
 * The integral is constant along a plane, so there are no tangential pressure forces, where layers
 * of boundary particles exert up to g. A lattice that starts half a spacing from a plane has rest
 * density and no pressure. Relatives: density maps (D. Koschier, J. Bender 2017, Symp. Computer
 * Animation) integrate W and volume maps (J. Bender et al. 2019, Motion Interaction Games) a
 * volume; in both the force is not the gradient of the density contribution.
 */
#include "fluid/boundary/maps.h"

typedef struct continuum {
    bool mirrored;
} continuum;

static const mo_param PARAMS[] = {
    {"mirrored", MO_BOOL, MO_FIELD(continuum, mirrored), .initial = "false",
     .doc = "Use the kernel integral alone with mirrored pressure, without the W^6 boundary term."},
    {0}};

static mote_status continuum_create(mo_instance *self, mo_fluid *f, const mo_colliders *colliders,
                                    mote_error *error)
{
    const continuum *p = self->method.params;
    if (p->mirrored) {
        f->walls.plain = true;
        f->walls.even = false;
        f->walls.mirror = 2;
        mo_walls_set_kernel(&f->walls, &f->kernel, f->dimension, f->spacing / f->support);
    }
    return mo_boundary_add_maps(f, colliders, error);
}

const mo_boundary_type mo_boundary_continuum = {
    .base = {.name = "continuum",
             .summary = "Kernel integrals over the solid volume; smooth along surfaces, no gap at "
                        "the boundary.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(continuum),
             .params = PARAMS},
    .create = continuum_create,
    .add = mo_boundary_add_map,
};
