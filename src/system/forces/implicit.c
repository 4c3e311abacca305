/* The forces system as implicit integrators see it: prescribed places, what forces see, what they couple. */
#include "base/hash.h"
#include "collide/active.h"
#include "collide/law/law.h"
#include "system/forces/state.h"

static void place(void *context, double time, int x, int v)
{
    mo_forces *forces = context;
    const mo_segment *segment = forces->dynamics.segment;
    mo_forces_place_kinematic(forces, time, segment[0].slot[x], segment[0].slot[v]);
}

static mo_force_args arguments(void *context, double time, int x, int v)
{
    return mo_forces_arguments(context, time, x, v);
}

/* Rows came or went, or neighbours were found anew, for a force that has a Jacobian of them. */
uint64_t mo_forces_coupling(const mo_forces *forces)
{
    uint64_t number = mo_store_epoch(forces->system->store);
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        const mo_force_jacobian *jacobian = force->type->jacobian;
        if (force->range > 0 && jacobian && jacobian->couple) {
            number = mo_hash_word(number, (uint64_t)forces->source.builds);
        }
        if (jacobian && jacobian->coupling) {
            number = mo_hash_word(number, jacobian->coupling(force->instance));
        }
    }
    return number;
}

static bool find_active(void *context, double h, int a, mo_touch *out)
{
    mo_forces *forces = context;
    mo_dynamics *d = &forces->dynamics;
    mo_host *host = forces->system->host;
    mo_contact_rows rows = mo_system_contact_rows(forces->system, NULL);
    double g = mo_length(mo_host_gravity(host, d->time));
    bool any = false;
    mote_status status =
        mo_active_find(host->colliders, &rows, d->time, h, g, d->segment[0].slot[a], out, &any, &d->error);
    d->status = d->status == MOTE_OK ? status : d->status;
    return any;
}

static void solve_mass(void *context, double time, int a)
{
    mo_forces *forces = context;
    mo_dynamics *d = &forces->dynamics;
    mo_force_args args = mo_forces_arguments(forces, time, MO_X, MO_V);
    if (d->status == MOTE_OK) {
        d->status = mo_mass_solve(forces, &args, d->segment[0].slot[a], &d->error);
    }
}

static void prescribed(void *context, double time, double *a)
{
    mo_mass_prescribed(context, time, a);
}

static uint64_t coupling(void *context)
{
    return mo_forces_coupling(context);
}

mo_jacobian mo_forces_jacobian(mo_forces *forces)
{
    return (mo_jacobian){.memory = forces->system->host->memory,
                         .pool = forces->system->host->pool,
                         .forces = forces->forces,
                         .force_count = forces->force_count,
                         .inverse_mass = mo_f64(forces->system->columns.inverse_mass)};
}

void mo_forces_place_again(mo_forces *forces)
{
    if (forces->newton) {
        forces->newton->jacobian.laid_out = false;
    }
}

mote_status mo_forces_judge_jacobians(mo_forces *forces)
{
    bool implicit = forces->integrator->base.capabilities & MO_IMPLICIT;
    forces->has_explicit = false;
    forces->not_implicit = NULL;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        bool stiff = !force->derivatives && force->type->stiffness;
        bool without = stiff || (!force->derivatives && force->range > 0);
        forces->has_explicit = forces->has_explicit || stiff;
        forces->not_implicit = implicit && without ? force->type->base.name : forces->not_implicit;
    }
    return MOTE_OK;
}

mote_status mo_forces_open_newton(mo_forces *forces, mote_error *error)
{
    if (!(forces->integrator->base.capabilities & MO_IMPLICIT)) {
        return MOTE_OK;
    }
    mo_newton_params params = mo_integrator_newton(forces->integrator, forces->integrator_params);
    return mo_newton_create(forces->system->host->memory, forces->system->host->pool, &params,
                            &forces->newton, error);
}

void mo_forces_bind_newton(mo_forces *forces)
{
    mo_dynamics *dynamics = &forces->dynamics;
    if (!forces->newton) {
        return;
    }
    mo_jacobian *j = &forces->newton->jacobian;
    j->pool = forces->system->host->pool;
    j->forces = forces->forces;
    j->force_count = forces->force_count;
    j->inverse_mass = mo_f64(forces->system->columns.inverse_mass);
    forces->newton->count = (mo_newton_count){0};
    dynamics->newton = forces->newton;
    dynamics->place = place;
    dynamics->arguments = arguments;
    dynamics->coupling = coupling;
    dynamics->solve_mass = forces->mass ? solve_mass : NULL;
    dynamics->prescribed = prescribed;
    dynamics->touch = mo_colliders_bounce(forces->system->host->colliders) ? find_active : NULL;
}
