/*
 * The stability advisor. The highest undamped frequency is at most omega = sqrt(max over rows of
 * bound/mass), with Gershgorin's bound of the current stiffness; a scheme is stable up to its limit
 * of omega h. The accuracy estimate (omega h)^2/12 is that of D. Tonnesen's thesis (1998, eq.
 * 7.20): the relative truncation error of leapfrog.
 */
#include "integrate/integrator.h"
#include "world/world.h"

mote_status mote_world_frequency(mote_world *world, double *omega, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(omega);
    *omega = 0;
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        double square = 0;
        if (s->type->stability) {
            MO_TRY(s->type->stability->stiffness(s, world->clock.time, &square, error));
        }
        *omega = sqrt(square) > *omega ? sqrt(square) : *omega;
    }
    return MOTE_OK;
}

mote_status mote_world_damping(mote_world *world, double *rate, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(rate);
    *rate = 0;
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        double own = 0;
        if (s->type->stability) {
            MO_TRY(s->type->stability->damping(s, world->clock.time, &own, error));
        }
        *rate = own > *rate ? own : *rate;
    }
    return MOTE_OK;
}

/* The system whose integrator is examined; NULL: none has one. */
static const mo_system *integrated_system(const mote_world *world)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_stability_hooks *stability = world->systems[k].type->stability;
        if (stability && stability->integrator) {
            return &world->systems[k];
        }
    }
    return NULL;
}

bool mote_world_advice(const mote_world *world, double omega, double rate, int index,
                       mote_advice *advice)
{
    MO_NEED_OR(world, false);
    bool sensible = omega >= 0 && rate >= 0; /* nor NaN */
    const mo_system *system = integrated_system(world);
    const mo_stability_hooks *stability = system ? system->type->stability : NULL;
    if (!sensible || index < 0 || index >= mo_integrators.count ||
        (system && mo_system_first_order(system))) {
        return false;
    }
    const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[index];
    const mo_method own = stability ? stability->integrator(system) : (mo_method){0};
    const void *params = own.type == &type->base ? own.params : NULL;
    double stable = mo_integrator_stable_step(type, params, omega, 0);
    double damped = mo_integrator_stable_step(type, params, omega, rate);
    if (type->base.capabilities & MO_IMPLICIT && stability && stability->has_explicit(system)) {
        /* without a Jacobian the scheme is explicit, or a fixed-point iteration with c_x omega^2
         * < 1: stable up to 1 at least */
        stable = damped = omega > 0 ? 1 / omega : INFINITY;
    }
    if (!advice) {
        return true;
    }
    double step = mo_world_next_step(world);
    *advice = (mote_advice){.integrator = type->base.name,
                            .order = type->order,
                            .stable_step = stable,
                            .current = own.type == &type->base,
                            .step = step,
                            .damped_step = damped,
                            .accuracy = omega * omega * step * step / 12};
    return true;
}
