/*
 * The family of shifting methods: what keeps the particles of a flow evenly spread beside pressure.
 * Particles that follow a flow line up along its stretched directions and leave gaps across them;
 * sums over neighbours are poor there. A small move of each place, and of the velocity to what it
 * is at the new place, mends that.
 */
#ifndef MO_FLUID_SHIFTING_H
#define MO_FLUID_SHIFTING_H

#include "fluid/sph/fluid.h"

typedef struct mo_shifting_type {
    mo_descriptor base;
    mo_instance_hooks hooks;
    /* After a step of h, moves places and changes velocities in the store. Lists, slopes and
     * densities are those that the step began with. */
    mote_status (*shift)(mo_instance *self, mo_fluid *fluid, double h, mote_error *error);
} mo_shifting_type;

extern const mo_family mo_shiftings;

#endif
