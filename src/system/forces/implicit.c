/* The Jacobian of the forces, for implicit integrators and for analysis. */
#include "base/hash.h"
#include "system/forces/forces.h"
#include "system/forces/state.h"

/* Changes with rows or neighbours of forces with a Jacobian. */
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

mo_jacobian mo_forces_jacobian(mo_forces *forces)
{
    return (mo_jacobian){.memory = forces->system->host->memory,
                         .pool = forces->system->host->pool,
                         .forces = forces->forces,
                         .force_count = forces->force_count,
                         .inverse_mass = mo_f64(forces->system->columns.inverse_mass)};
}

/* ---- static and modal analysis ---- */

static mote_status statics_check(const mo_system *system, mote_error *error)
{
    return ((const mo_forces *)system->state)->first_order
               ? mo_fail(error, MOTE_ERROR_INPUT,
                         "dynamics: first_order relaxes to equilibrium by itself; allowed for a "
                         "static solve: second_order")
               : MOTE_OK;
}

static const mo_force *statics_force(const mo_system *system, int k)
{
    const mo_forces *forces = system->state;
    return k < forces->force_count ? &forces->forces[k] : NULL;
}

static mo_force_args statics_arguments(mo_system *system, double time)
{
    return mo_forces_arguments(system->state, time, MO_X, MO_V);
}

static mo_jacobian statics_jacobian(mo_system *system)
{
    return mo_forces_jacobian(system->state);
}

static uint64_t statics_coupling(const mo_system *system)
{
    return mo_forces_coupling(system->state);
}

static void statics_set_trial(mo_system *system, bool trial)
{
    ((mo_forces *)system->state)->dynamics.trial = trial;
}

static void statics_end(mo_system *system)
{
    mo_newton *newton = ((mo_forces *)system->state)->newton;
    if (newton) {
        newton->jacobian.laid_out = false;
    }
}

const mo_static_hooks mo_forces_statics = {.check = statics_check,
                                           .force = statics_force,
                                           .arguments = statics_arguments,
                                           .jacobian = statics_jacobian,
                                           .coupling = statics_coupling,
                                           .set_trial = statics_set_trial,
                                           .end = statics_end};

/* ---- implicit integrators ---- */

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
    mo_contact_set_init(&forces->active, forces->system->host->memory);
    mo_reactions_init(&forces->reactions, forces->system->host->memory);
    mo_newton_params params = mo_integrator_newton(forces->integrator, forces->integrator_params);
    return mo_newton_create(forces->system->host->memory, forces->system->host->pool, &params,
                            &forces->newton, error);
}

mo_newton *mo_forces_newton(const mo_system *system)
{
    return ((const mo_forces *)system->state)->newton;
}
