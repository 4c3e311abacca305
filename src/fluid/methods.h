/*
 * The methods of a fluid, created from its definition.
 */
#ifndef MO_FLUID_METHODS_H
#define MO_FLUID_METHODS_H

#include "fluid/sph/fluid.h"

/* After mo_fluid_init: the pressure solver with its requirements of kernel and boundary, the terms,
   boundary and shifting, each with its columns. Destroy them before mo_fluid_release, also after a
   failure. */
mote_status mo_fluid_create_methods(mo_fluid *fluid, mote_error *error);
/* Whether the fluid has a shifting that may act at this time. */
bool mo_fluid_shifts(const mo_fluid *fluid, double time);

void mo_fluid_destroy_methods(mo_fluid *fluid);

#endif
