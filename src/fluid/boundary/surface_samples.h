/*
 * One layer of boundary particles of every collider, at the fluid's spacing, each with the volume
 * that the samples around it leave it,
 *     V_b = 1/sum_b' W_bb'                   (N. Akinci et al. 2012, ACM Trans. Graph. 31, 62, eq.
 *                                            4)
 * so that a surface that is sampled unevenly is felt evenly. Samples of colliders that stand still
 * see each other; those of one that moves see only their own, so that volumes never change.
 */
#ifndef MO_FLUID_BOUNDARY_SURFACE_SAMPLES_H
#define MO_FLUID_BOUNDARY_SURFACE_SAMPLES_H

#include "fluid/boundary/boundary.h"

/* Adds all colliders, sampled at a depth below their surfaces; `margin` of planes: see extent.h. */
mote_status mo_surface_samples_add(mo_fluid *fluid, const mo_colliders *colliders, double depth,
                                   double margin, mote_error *error);

#endif
