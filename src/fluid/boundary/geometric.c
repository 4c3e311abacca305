/*
 * Geometric boundary: particles closer to a solid than their radius are projected and lose their
 * normal velocity, as any other particle (collide/contact.h), with the collider's restitution and
 * friction. There is no boundary density, so densities and pressures near boundaries are too low.
 * Viscous friction (sph/wall_friction.h) and adhesion act by the distance, as with the other
 * methods. Cheap, with exact geometry.
 */
#include "fluid/boundary/boundary.h"

static const mo_param PARAMS[] = {{0}};

static mote_status geometric_create(mo_instance *self, mo_fluid *f, const mo_colliders *colliders,
                                    mote_error *error)
{
    (void)self;
    f->walls.bare = true;
    for (int64_t k = 0; k < colliders->count; ++k) {
        MO_TRY(mo_walls_add(&f->walls, &colliders->list[k], (int)k, error));
    }
    return MOTE_OK;
}

const mo_boundary_type mo_boundary_geometric = {
    .base =
        {.name = "geometric",
         .summary =
             "Position projection onto the collider's surface; cheap, without boundary pressure.",
         .capabilities = MO_PORTABLE,
         .params = PARAMS},
    .create = geometric_create,
    .contacts = true,
};
