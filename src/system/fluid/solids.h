/*
 * Solids of other systems as boundaries of the fluid, for couplings: each is added once, with the
 * pose of the responder (collide/responder.h) from then on.
 */
#ifndef MO_SYSTEM_FLUID_SOLIDS_H
#define MO_SYSTEM_FLUID_SOLIDS_H

#include "system/fluid/fluid.h"

/* Whether the scene's boundary and pressure solver can have free bodies; an error with the reason
 * otherwise. */
mote_status mo_fluid_system_accepts_solids(const mo_system *system, mote_error *error);

/* Adds a solid; `number` is its index in reactions and in mo_free_body, from the number of
 * colliders on; `like`: a piece with the same shape, or -1. */
mote_status mo_fluid_system_add_solid(mo_system *system, const mo_collider *solid, int number,
                                      int like, int *piece, mote_error *error);

/* Sets the responder of the added solids, removes the fluid inside of them, and relaxes fluid too
 * close to them. */
mote_status mo_fluid_system_couple(mo_system *system, const mo_responder *responder,
                                   int64_t *removed, mote_error *error);

/* Whether a piece acts: not that of a body that was removed. */
void mo_fluid_system_show_solid(mo_system *system, int piece, bool acts);

#endif
