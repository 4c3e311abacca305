/*
 * The family of heat sources: what sets, holds or feeds the temperatures of the particles in a
 * region. The force `heat` lists them.
 */
#ifndef MO_PARTICLE_HEATER_H
#define MO_PARTICLE_HEATER_H

#include "base/param.h"

/* What a source says about the particles in its region at a time. */
typedef struct mo_heating {
    bool sets;          /* their temperature is `temperature`, whatever else happens */
    double temperature; /* [K] */
    double power;       /* [W] for each particle, if not */
} mo_heating;

typedef struct mo_heater_type {
    mo_descriptor base;
    /* At the start (time < 0) or during a run; false: nothing. */
    bool (*heating)(const void *params, double time, mo_heating *heating);
    mo_method (*region)(const void *params); /* a shape; none: everywhere */
} mo_heater_type;

extern const mo_family mo_heaters;

#endif
