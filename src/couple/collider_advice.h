/*
 * Warnings about keys of colliders that have no effect on a system.
 */
#ifndef MO_COUPLE_COLLIDER_ADVICE_H
#define MO_COUPLE_COLLIDER_ADVICE_H

#include "host/coupling.h"

void mo_advise_on_colliders(const mo_world_def *def, const mo_coupling *coupling);

#endif
