/*
 * One layer of boundary particles of every collider, at the fluid's spacing, each with a volume by
 * the surrounding samples,
 *     V_b = 1/sum_b' W_bb'                   (N. Akinci et al. 2012, ACM Trans. Graph. 31, 62, eq.
 *                                            4)
 * which compensates for irregular sampling. Samples of static colliders contribute to each other;
 * those of a moving one only among themselves, so that volumes are constant.
 */
#ifndef MO_FLUID_BOUNDARY_SURFACE_SAMPLES_H
#define MO_FLUID_BOUNDARY_SURFACE_SAMPLES_H

#include "fluid/boundary/boundary.h"

/* Adds all colliders, sampled at a depth below their surfaces; `margin` of planes: see extent.h. */
mote_status mo_surface_samples_add(mo_fluid *fluid, const mo_colliders *colliders, double depth,
                                   double margin, mote_error *error);

/* Adds a bounded solid that moves on its own. */
mote_status mo_surface_samples_add_solid(mo_fluid *fluid, const mo_collider *solid, int number,
                                         double depth, mote_error *error);

#endif
