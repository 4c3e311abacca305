/* Shared by boundaries on maps of solids (map/solid_map.h). */
#ifndef MO_FLUID_BOUNDARY_MAPS_H
#define MO_FLUID_BOUNDARY_MAPS_H

#include "fluid/boundary/boundary.h"

/* Adds all colliders with maps of the current boundary kernel. */
mote_status mo_boundary_add_maps(mo_fluid *fluid, const mo_colliders *colliders, mote_error *error);

/* mo_boundary_type.add: copies share a map. */
mote_status mo_boundary_add_map(mo_instance *self, mo_fluid *fluid, const mo_collider *solid,
                                int number, int like, mote_error *error);

/* F = weight W, such that a lattice half a spacing from a plane has rest density: the integral over
 * the half space differs by a few percent from the deficiency of the lattice. */
void mo_boundary_set_plain(mo_fluid *fluid);

#endif
