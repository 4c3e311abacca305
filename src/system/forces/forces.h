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

/* After its solve: adds `share` times further forces on rows, three components each, to those of
 * its active contacts with colliders, and finds the reactions again. */
mote_status mo_forces_add_reactions(mo_system *system, const double *force, double share,
                                    const mo_step_time *now, mote_error *error);

#endif
