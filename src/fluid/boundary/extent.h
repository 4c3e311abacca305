/*
 * The extent of a fluid: the part of unbounded solids that a boundary samples.
 */
#ifndef MO_FLUID_BOUNDARY_EXTENT_H
#define MO_FLUID_BOUNDARY_EXTENT_H

#include "fluid/boundary/boundary.h"

typedef struct mo_extent {
    double low[3], high[3];
} mo_extent;

/* The extent of fluid, emitters and solids. */
mo_extent mo_extent_of(const mo_fluid *fluid, const mo_colliders *colliders);
double mo_extent_widest(const mo_extent *extent);

#endif
