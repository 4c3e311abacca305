#include "couple/collider_advice.h"

#include "collide/law.h"
#include "host/friction_advice.h"

/* A system without contact forces (a fluid) has bounces only. */
static void warn_without_forces(const mo_coupling *coupling)
{
    const mo_colliders *colliders = coupling->host->colliders;
    for (int64_t k = 0; k < colliders->count && !mo_system_sums_contacts(coupling->a); ++k) {
        const mo_collider *c = &colliders->list[k];
        if (mo_force_law_of(c)) {
            mo_host_warn(
                coupling->host, 0, "contact law",
                "colliders[%lld].contact: '%s' acts on bodies driven by forces; the system '%s' "
                "uses 'bounce' for collider '%.60s' instead",
                (long long)k, c->law.type->name, coupling->a->type->base.name, c->name);
            return;
        }
    }
}

/* Restitution, friction and position act where contacts resolve a step. Behind a sampled
 * boundary contacts are a fallback, and the boundary's own terms act instead. */
static void warn_about_sampled(const mo_world_def *def, const mo_coupling *coupling)
{
    const mo_collider_def *list = def->colliders.items;
    bool sampled = !mo_system_sums_contacts(coupling->a) && coupling->a->contact_offset < 1;
    for (int64_t k = 0; k < def->colliders.count && sampled && def->bodies.count == 0; ++k) {
        bool rubs = mo_has_friction(list[k].friction);
        const char *key = list[k].restitution > 0      ? "restitution"
                          : rubs                       ? "friction"
                          : list[k].position[0] == 'n' ? "position"
                                                       : NULL;
        if (key) {
            mo_host_warn(
                coupling->host, 0, "sampled boundary",
                "colliders[%lld].%s: it acts on bodies and has no effect on the system '%s', whose "
                "boundary method has its own pressure and friction: the viscosity at the boundary "
                "is `wall` of fluid.viscosity; the boundary method 'geometric' uses it",
                (long long)k, key, coupling->a->type->base.name);
            return;
        }
    }
}

void mo_advise_on_colliders(const mo_world_def *def, const mo_coupling *coupling)
{
    warn_without_forces(coupling);
    warn_about_sampled(def, coupling);
    if (mo_system_sums_contacts(coupling->a)) {
        mo_warn_about_frictionless_surfaces(def, coupling->host);
    }
}
