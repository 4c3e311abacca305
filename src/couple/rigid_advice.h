/*
 * Warnings about parameters of colliders that have no effect on rigid bodies.
 */
#ifndef MO_COUPLE_RIGID_ADVICE_H
#define MO_COUPLE_RIGID_ADVICE_H

#include "host/coupling.h"

/* Rigid contacts are constraints on velocities with Coulomb friction: contact laws of forces,
 * velocity-based frictions and `position` act on other bodies only. */
void mo_warn_about_rigid_colliders(const mo_world_def *def, mo_host *host);

#endif
