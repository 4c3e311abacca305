/*
 * The family of heat sources, thermostats and initial temperatures of regions, used by the force
 * `heat`.
 */
#ifndef MO_PARTICLE_HEATER_H
#define MO_PARTICLE_HEATER_H

#include "base/param.h"

/* The action of a source on the particles in its region at a time. */
typedef struct mo_heating {
    bool sets;          /* prescribed temperature */
    double temperature; /* [K] */
    double power;       /* [W] per particle, otherwise */
} mo_heating;

typedef struct mo_heater_type {
    mo_descriptor base;
    /* At the start (time < 0) or during a run; false: no action. */
    bool (*heating)(const void *params, double time, mo_heating *heating);
    mo_method (*region)(const void *params); /* a shape; none: everywhere */
} mo_heater_type;

extern const mo_family mo_heaters;

#endif
