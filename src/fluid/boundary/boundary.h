/* The family of boundary handling methods. */
#ifndef MO_FLUID_BOUNDARY_H
#define MO_FLUID_BOUNDARY_H

#include "collide/collider.h"
#include "fluid/sph/fluid.h"

typedef struct mo_boundary_type {
    mo_descriptor base;
    mo_instance_hooks hooks;
    /* Adds all colliders to fluid->walls, as maps, boundary particles or bare solids. The fluid's
     * positions are already in its store. */
    mote_status (*create)(mo_instance *self, mo_fluid *fluid, const mo_colliders *colliders,
                          mote_error *error);
    /* Adds one more solid, with this number in reactions, after `create`; `like`: the piece of a
     * solid with the same shape (-1: none). NULL: bodies cannot be boundaries. */
    mote_status (*add)(mo_instance *self, mo_fluid *fluid, const mo_collider *solid, int number,
                       int like, mote_error *error);
    bool
        /* contacts (collide/contact.h) at the particle radius instead of boundary pressure */
        contacts,
        /* solids are boundary particles, known up to the support */
        sampled;
} mo_boundary_type;

extern const mo_family mo_boundaries;

#endif
