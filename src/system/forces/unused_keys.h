/* Warnings about keys that no force of the scene uses. */
#ifndef MO_SYSTEM_FORCES_UNUSED_KEYS_H
#define MO_SYSTEM_FORCES_UNUSED_KEYS_H

#include "host/host.h"
#include "system/forces/def.h"

void mo_forces_warn_about_unused(const mo_world_def *def, mo_host *host);

#endif
