#include "integrate/integrator.h"

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
