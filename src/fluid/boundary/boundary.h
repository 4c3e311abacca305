/* The family of boundaries: how a fluid feels the colliders. */
#ifndef MO_FLUID_BOUNDARY_H
#define MO_FLUID_BOUNDARY_H

#include "collide/collider.h"
#include "fluid/sph/fluid.h"

typedef struct mo_boundary_type {
    mo_descriptor base;
    mo_instance_hooks hooks;
    /* Adds all colliders to fluid->walls, with maps or samples; NULL: the fluid does not feel them.
       Positions of the fluid are in its store already. */
    mote_status (*create)(mo_instance *self, mo_fluid *fluid, const mo_colliders *colliders,
                          mote_error *error);
    bool
        /* particles keep their radius from colliders by contact (collide/contact.h), not by
         * pressure */
        contacts;
} mo_boundary_type;

extern const mo_family mo_boundaries;

#endif
