#include "couple/collider_advice.h"

#include "collide/friction/friction.h"
#include "collide/law.h"

/* A system without contact forces (a fluid) has bounces only. */
static void warn_without_forces(const mo_coupling *coupling)
{
    const mo_colliders *colliders = coupling->host->colliders;
    for (int64_t k = 0; k < colliders->count && !mo_system_sums_contacts(coupling->a); ++k) {
        const mo_collider *c = &colliders->list[k];
        if (mo_collider_force_law(c)) {
            mo_host_warn(
                coupling->host, 0, "contact law",
                "colliders[%lld].contact: '%s' acts on bodies driven by forces; the system '%s' "
                "uses 'bounce' for collider '%.60s' instead",
                (long long)k, c->law.type->name, coupling->a->type->base.name, c->name);
            return;
        }
    }
}

static bool has_friction(mo_method friction)
{
    const mo_friction_type *type = (const mo_friction_type *)friction.type;
    return type && (!type->limit || mo_friction_acts(friction));
}

/* Restitution, friction and position act where contacts resolve a step. Behind a sampled
 * boundary contacts are a fallback, and the boundary's own terms act instead. */
static void warn_about_sampled(const mo_world_def *def, const mo_coupling *coupling)
{
    const mo_collider_def *list = def->colliders.items;
    bool sampled = !mo_system_sums_contacts(coupling->a) && coupling->a->contact_offset < 1;
    for (int64_t k = 0; k < def->colliders.count && sampled && def->bodies.count == 0; ++k) {
        bool rubs = has_friction(list[k].friction);
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

/* Surfaces that move along themselves drag bodies by friction only. */
static void warn_about_frictionless(const mo_world_def *def, const mo_coupling *coupling)
{
    const mo_collider_def *list = def->colliders.items;
    for (int64_t k = 0; k < def->colliders.count && mo_system_sums_contacts(coupling->a); ++k) {
        bool rubs = has_friction(list[k].friction);
        if (mo_length(list[k].surface_velocity) > 0 && !rubs) {
            mo_host_warn(coupling->host, 0, "surface velocity",
                         "colliders[%lld].surface_velocity: it acts on bodies through friction, "
                         "which is 0; set `friction`",
                         (long long)k);
            return;
        }
    }
}

void mo_advise_on_colliders(const mo_world_def *def, const mo_coupling *coupling)
{
    warn_without_forces(coupling);
    warn_about_sampled(def, coupling);
    warn_about_frictionless(def, coupling);
}
