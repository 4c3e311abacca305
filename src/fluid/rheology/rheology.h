/*
 * The family of generalised Newtonian fluids: the viscosity follows from the local shear rate.
 * `law` of the viscosities that have one per particle.
 */
#ifndef MO_FLUID_RHEOLOGY_H
#define MO_FLUID_RHEOLOGY_H

#include "base/param.h"

typedef struct mo_rheology_type {
    mo_descriptor base;
    /* Kinematic viscosity [m^2/s] of a fluid with the parameter nu at a shear rate [1/s]. */
    double (*viscosity)(const void *params, double nu, double rate);
} mo_rheology_type;

extern const mo_family mo_rheologies;

#endif
