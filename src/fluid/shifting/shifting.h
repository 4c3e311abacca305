/*
 * The family of shifting methods, which keep the particles of a flow uniformly distributed.
 * Particles that follow a flow align along its stretching directions with gaps across; kernel sums
 * are inaccurate there. Small displacements, with velocities extrapolated accordingly, restore
 * uniformity.
 */
#ifndef MO_FLUID_SHIFTING_H
#define MO_FLUID_SHIFTING_H

#include "fluid/sph/fluid.h"

typedef struct mo_shifting_type {
    mo_descriptor base;
    mo_instance_hooks hooks;
    /* After a step of h, displaces particles and corrects velocities in the store. Lists, kernel
     * gradient factors and densities are those of the start of the step. */
    mote_status (*shift)(mo_instance *self, mo_fluid *fluid, double h, mote_error *error);
    /* Whether it may act at this time; `gains`: the pressure solver gains energy by shifting. NULL:
     * always. */
    bool (*acts)(const void *params, const mo_fluid *fluid, double time, bool gains);
} mo_shifting_type;

extern const mo_family mo_shiftings;

#endif
