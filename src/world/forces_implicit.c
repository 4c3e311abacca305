/* The forces system as implicit integrators see it: prescribed places, what forces see, what they couple. */
#include "base/hash.h"
#include "world/forces_state.h"

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
static uint64_t coupling(void *context)
{
    const mo_forces *forces = context;
    uint64_t number = mo_store_epoch(forces->system->store);
    for (int k = 0; k < forces->force_count; ++k) {
        if (forces->forces[k].range > 0 && forces->forces[k].couple) {
            return mo_hash_word(number, (uint64_t)forces->source.builds);
        }
    }
    return number;
}

mote_status mo_forces_open_newton(mo_forces *forces, mote_error *error)
{
    if (!(forces->integrator->base.capabilities & MO_IMPLICIT)) {
        return MOTE_OK;
    }
    mo_newton_params params = mo_integrator_newton(forces->integrator, forces->integrator_params);
    return mo_newton_create(forces->system->memory, forces->system->pool, &params, &forces->newton, error);
}

void mo_forces_bind_newton(mo_forces *forces)
{
    mo_dynamics *dynamics = &forces->dynamics;
    if (!forces->newton) {
        return;
    }
    mo_jacobian *j = &forces->newton->jacobian;
    j->pool = forces->system->pool;
    j->forces = forces->forces;
    j->force_count = forces->force_count;
    j->inverse_mass = mo_f64(forces->system->columns.inverse_mass);
    forces->newton->count = (mo_newton_count){0};
    dynamics->newton = forces->newton;
    dynamics->place = place;
    dynamics->arguments = arguments;
    dynamics->coupling = coupling;
}
