#include "couple/rigid_advice.h"

#include "collide/friction/friction.h"
#include "collide/law.h"

#include <stdio.h>
#include <string.h>

/* The first parameter of a collider without an effect on rigid bodies; NULL: none. */
static const char *unused_key(const mo_collider_def *def, const mo_collider *collider)
{
    const mo_friction_type *friction = (const mo_friction_type *)collider->friction.type;
    return mo_force_law_of(collider)               ? "contact"
           : friction && !friction->limit          ? "friction"
           : strcmp(def->position, "project") != 0 ? "position"
                                                   : NULL;
}

void mo_warn_about_rigid_colliders(const mo_world_def *def, mo_host *host)
{
    const mo_collider_def *list = def->colliders.items;
    for (int64_t k = 0; k < def->colliders.count && k < host->colliders->count; ++k) {
        const char *key = unused_key(&list[k], &host->colliders->list[k]);
        char kind[48];
        snprintf(kind, sizeof kind, "rigid collider %lld", (long long)k);
        if (key) {
            mo_host_warn(host, 0, kind,
                         "colliders[%lld].%s: it has no effect on rigid bodies, whose contacts are "
                         "impulses with Coulomb friction, `friction` and `restitution`",
                         (long long)k, key);
        }
    }
}
