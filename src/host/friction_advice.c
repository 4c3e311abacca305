#include "host/friction_advice.h"

#include "collide/collider.h"
#include "collide/friction/friction.h"

bool mo_has_friction(mo_method friction)
{
    const mo_friction_type *type = (const mo_friction_type *)friction.type;
    return type && (!type->limit || mo_friction_acts(friction));
}

void mo_warn_about_frictionless_surfaces(const mo_world_def *def, mo_host *host)
{
    const mo_collider_def *list = def->colliders.items;
    for (int64_t k = 0; k < def->colliders.count; ++k) {
        if (mo_length(list[k].surface_velocity) > 0 && !mo_has_friction(list[k].friction)) {
            mo_host_warn(host, 0, "surface velocity",
                         "colliders[%lld].surface_velocity: it acts on bodies through friction, "
                         "which is 0; set `friction`",
                         (long long)k);
            return;
        }
    }
}
