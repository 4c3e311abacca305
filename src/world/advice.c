/*
 * The stability advisor. No undamped motion is faster than omega = sqrt(max over rows of bound/mass), bound
 * by Gershgorin's theorem from the forces' stiffness now; a scheme is stable up to omega h = its limit.
 */
#include "integrate/integrator.h"
#include "world/world.h"

mote_status mote_world_frequency(mote_world *world, double *omega, mote_error *error)
{
    *omega = 0;
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        double square = 0;
        if (s->type->stiffness) {
            MO_TRY(s->type->stiffness(s, world->clock.time, &square, error));
        }
        *omega = sqrt(square) > *omega ? sqrt(square) : *omega;
    }
    return MOTE_OK;
}

bool mote_world_advice(const mote_world *world, double omega, int index, mote_advice *advice)
{
    if (index < 0 || index >= mo_integrators.count) {
        return false;
    }
    const mo_integrator_type *type = (const mo_integrator_type *)mo_integrators.methods[index];
    const mo_method *own = &world->def.integrator;
    double limit = type->stable_limit;
    if (own->type == &type->base && type->stable_limit_with) {
        limit = type->stable_limit_with(own->params);
    }
    *advice = (mote_advice){type->base.name, type->order, omega > 0 ? limit / omega : INFINITY,
                            own->type == &type->base};
    return true;
}
