/* The family of viscosities: inner friction of a fluid, and its friction at walls. */
#ifndef MO_FLUID_VISCOSITY_H
#define MO_FLUID_VISCOSITY_H

#include "fluid/sph/fluid.h"

typedef struct mo_viscosity_type {
    mo_descriptor base;
    /* Makes what it keeps between steps beside its columns; NULL if that is nothing. */
    mote_status (*create)(const void *params, mo_fluid *fluid, void **instance, mote_error *error);
    void (*destroy)(void *instance, mo_fluid *fluid);
    /* Adds to the column `a` what acts during a step of h. Places, velocities and densities are packed. */
    mote_status (*add)(void *instance, const void *params, mo_fluid *fluid, double h, mote_error *error);
    /* Explicit in physical units, stable up to a step only: `add` fills `viscous_rate`. */
    bool limits_step;
} mo_viscosity_type;

/* The largest step that is stable with the rates of the last `add` [s]; infinite: any is. */
double mo_viscosity_step(const mo_fluid *fluid);

extern const mo_family mo_viscosities;

#endif
