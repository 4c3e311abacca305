/* The family of viscosities: inner friction of a fluid, and its friction at walls. */
#ifndef MO_FLUID_VISCOSITY_H
#define MO_FLUID_VISCOSITY_H

#include "fluid/fluid.h"

typedef struct mo_viscosity_type {
    mo_descriptor base;
    /* Makes what it keeps between steps beside its columns; NULL if that is nothing. */
    mote_status (*create)(const void *params, mo_fluid *fluid, void **instance, mote_error *error);
    void (*destroy)(void *instance, mo_fluid *fluid);
    /* Adds to the column `a` what acts during a step of h. Places, velocities and densities are packed. */
    mote_status (*add)(void *instance, const void *params, mo_fluid *fluid, double h, mote_error *error);
    /* The largest step that is stable [s]; NULL: any is. A number of the scene, not of the state. */
    double (*limit)(const void *params, const mo_fluid *fluid);
} mo_viscosity_type;

extern const mo_family mo_viscosities;

#endif
