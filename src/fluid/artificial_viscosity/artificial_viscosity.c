#include "fluid/artificial_viscosity/artificial_viscosity.h"

#define MO_METHOD(name) \
    MO_DECLARE_METHOD(mo_artificial_viscosity_type, mo_artificial_viscosity_, name)
#include "fluid/artificial_viscosity/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_artificial_viscosity_, name)
#include "fluid/artificial_viscosity/methods.def"
#undef MO_METHOD
};

const mo_family mo_artificial_viscosities = {
    .name = "artificial_viscosity",
    .doc = "Artificial viscosities: dissipation of velocity noise at the scale of the particle "
           "spacing.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "hyperviscosity",
};
