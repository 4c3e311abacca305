#include "fluid/viscosity/viscosity.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_viscosity_type, mo_viscosity_, name)
#include "fluid/viscosity/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_viscosity_, name)
#include "fluid/viscosity/methods.def"
#undef MO_METHOD
};

const mo_family mo_viscosities = {
    .name = "viscosity",
    .doc = "Viscosities: inner friction of a fluid, and its friction at walls.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
