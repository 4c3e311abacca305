#include "system/forces/unused_keys.h"

#include "system/forces/forces.h"

#include <math.h>
#include <string.h>

/* The default, in J/K. */
static const double BOLTZMANN = 1.380649e-23;

static bool has_force(const mo_world_def *def, const char *name)
{
    const mo_method *forces = def->forces.items;
    for (int64_t k = 0; k < def->forces.count; ++k) {
        if (strcmp(forces[k].type->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void warn_about_charges(const mo_world_def *def, mo_host *host)
{
    const mo_body_def *bodies = def->bodies.items;
    if (has_force(def, "coulomb") || has_force(def, "inverse_square")) {
        return;
    }
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        bool own = mo_body_def_system(&bodies[k]) == &mo_system_forces;
        double charge = own ? mo_forces_body_of(&bodies[k])->charge : 0;
        if (!isnan(charge) && charge != 0) {
            mo_host_warn(host, 0, "unused charge",
                         "bodies[%lld].charge: it has no effect, since no force of the scene acts "
                         "on charges; add 'coulomb' to `forces`",
                         (long long)k);
            return;
        }
    }
}

static bool has_temperature(const mo_world_def *def)
{
    const mo_body_def *bodies = def->bodies.items;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        bool own = mo_body_def_system(&bodies[k]) == &mo_system_forces;
        if (own && !isnan(mo_forces_body_of(&bodies[k])->temperature)) {
            return true;
        }
    }
    return false;
}

void mo_forces_warn_about_unused(const mo_world_def *def, mo_host *host)
{
    const mo_forces_def *own = mo_forces_def_of(def);
    bool alone = def->forces.count + def->observables.count + def->actions.count == 0;
    warn_about_charges(def, host);
    if (own->boltzmann != BOLTZMANN && alone && !has_temperature(def) &&
        own->thermostats.count == 0) {
        mo_host_warn(host, 0, "unused boltzmann",
                     "boltzmann: it has no effect, since the scene has no temperature: "
                     "give a body a `temperature`");
    }
    if (own->species.count > 0 && def->forces.count == 0) {
        mo_host_warn(host, 0, "unused species",
                     "species: they have no effect, since the scene has no force between "
                     "particles; add one to `forces`, such as 'lennard_jones'");
    }
}
