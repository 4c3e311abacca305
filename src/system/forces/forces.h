/* The *forces* system: everything driven by forces, advanced together by the chosen integrator. */
#ifndef MO_SYSTEM_FORCES_FORCES_H
#define MO_SYSTEM_FORCES_FORCES_H

#include "host/def.h"
#include "host/system.h"

/* Builds the system from the bodies and forces of a scene. Names are kept in `names`. */
mote_status mo_forces_create(const mo_world_def *def, mo_memory *memory, mo_pool *pool, mo_arena *names,
                             mo_stages *stages, mo_system *system, mote_error *error);

#endif
