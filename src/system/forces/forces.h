/* The *forces* system: bodies and particles driven by forces, advanced together by the integrator
 * of the scene. */
#ifndef MO_SYSTEM_FORCES_FORCES_H
#define MO_SYSTEM_FORCES_FORCES_H

#include "host/system.h"

extern const mo_system_type mo_system_forces;

/* Builds the system from the bodies and forces of a scene. */
mote_status mo_forces_create(const mo_world_def *def, mo_system *system, mote_error *error);

/* Newton's method of its implicit integrator; NULL: an explicit one. */
mo_newton *mo_forces_newton(const mo_system *system);

#endif
