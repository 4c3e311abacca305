#include "integrate/integrator.h"

#include <math.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_integrator_type, mo_integrator_, name)
#include "integrate/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_integrator_, name)
#include "integrate/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"symplectic", "variable_step", "first_order", "implicit",
                                           NULL};

const mo_family mo_integrators = {
    .name = "integrator",
    .doc = "Time integrators of positions and velocities.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = CAPABILITIES,
};

/* Of a scheme with these parameters, or its defaults. */
static double limit_of(double otherwise, double (*with)(const void *), const void *params)
{
    return params && with ? with(params) : otherwise;
}

/* h with (omega h/limit)^2 + rate h/damped_limit = 1: exact for leapfrog with damping by the
 * half-step velocities, and for every scheme with either oscillation or damping alone. Implicit
 * schemes are not limited by damping. */
double mo_integrator_stable_step(const mo_integrator_type *type, const void *params, double omega,
                                 double rate)
{
    double limit = limit_of(type->stable_limit, type->stable_limit_with, params);
    double damped_limit = limit_of(type->damped_limit, type->damped_limit_with, params);
    double a = omega > 0 ? omega / limit : 0, b = rate / (damped_limit > 0 ? damped_limit : 2);
    if (!(rate > 0) || type->base.capabilities & MO_IMPLICIT) {
        return omega > 0 ? limit / omega : INFINITY;
    }
    return limit > 0 || !(omega > 0) ? 2 / (b + sqrt(b * b + 4 * a * a)) : 0;
}
