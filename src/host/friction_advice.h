/* Warnings about keys of colliders that need friction. */
#ifndef MO_HOST_FRICTION_ADVICE_H
#define MO_HOST_FRICTION_ADVICE_H

#include "host/def.h"
#include "host/host.h"

/* Whether a friction law is given and not zero. */
bool mo_has_friction(mo_method friction);

/* Surfaces that move along themselves drag bodies by friction only. */
void mo_warn_about_frictionless_surfaces(const mo_world_def *def, mo_host *host);

#endif
