#include "system/forces/health.h"

#include "system/forces/def.h"
#include "system/forces/state.h"

#include <math.h>

/* ---- planar bodies ---- */

/* The row of a planar body with the largest out-of-plane speed; -1: none. */
static int64_t leaves_plane(const mo_system *s, const mo_forces *forces, uint8_t *flat)
{
    const double *v = mo_f64(s->columns.v);
    int64_t found = -1;
    double most = 0;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->statics && force->type->statics->mark_planar) {
            force->type->statics->mark_planar(force->instance, flat);
        }
    }
    for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
        double across = flat[row] ? fabs(v[3 * row + 2]) : 0;
        if (across > most && across > 1e-6 * mo_length(mo_vec3_load(v + 3 * row))) {
            most = across;
            found = row;
        }
    }
    return found;
}

mote_status mo_forces_health(mo_system *s, const mo_step_time *now, mote_step_report *report,
                             mote_error *error)
{
    const mo_forces *forces = s->state;
    void *flat;
    (void)report;
    if (now->step != 0 || forces->first_order) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(s->host->memory, mo_store_owned(s->store), 1, &flat, error));
    int64_t row = leaves_plane(s, forces, flat);
    if (row >= 0) {
        mo_host_warn(
            s->host, now->end, "plane",
            "'%s', a plane body, moves out of the x-y plane at %.3g m/s after the first step. It "
            "has no out-of-plane stiffness; did you mean gravity along y?",
            mo_system_body_name(s, row), mo_f64(s->columns.v)[3 * row + 2]);
    }
    mo_release(s->host->memory, flat);
    return MOTE_OK;
}

void mo_forces_warn_explicit(const mo_system *system)
{
    const mo_forces *forces = system->state;
    if (forces->not_implicit) {
        mo_host_warn(
            system->host, 0, "jacobian",
            "the force '%s' has no Jacobian: '%s' treats it explicitly, so the step must be small "
            "enough for it",
            forces->not_implicit, forces->integrator->base.name);
    }
}

/* ---- energy ---- */

void mo_forces_budget(const mo_system *system, const mo_world_def *def, mo_energy_budget *budget)
{
    const mo_forces *forces = system->state;
    const mo_body_def *bodies = def->bodies.items;
    bool open = forces->first_order || forces->system->callbacks.count > 0 ||
                !isnan(mo_forces_def_of(def)->speed_change_limit) || forces->thermostats.count > 0;
    for (int k = 0; k < forces->force_count; ++k) {
        open = open || forces->forces[k].open;
    }
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        open = open || (mo_body_def_system(&bodies[k]) == system->type &&
                        mo_body_def_is_driven(&bodies[k]));
    }
    budget->open = budget->open || open;
}

double mo_forces_slack(mo_system *system, double time)
{
    mo_forces *forces = system->state;
    mo_force_args args = mo_forces_arguments(forces, time, MO_X, MO_V);
    double sum = 0;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        sum += force->type->slack ? force->type->slack(force->instance, &args) : 0;
    }
    return sum;
}

/* ---- lists ---- */

static const char *species_name(const void *items, int64_t k)
{
    return ((const mo_species_def *)items)[k].name;
}

int mo_forces_name_tables(const mo_system *system, mo_name_table *tables)
{
    const mo_list *species = &((const mo_forces *)system->state)->species;
    tables[0] = (mo_name_table){.path = "species",
                                .column = "species",
                                .count = species->count,
                                .allowed = species->count,
                                .name = species_name,
                                .items = species->items};
    return 1;
}
