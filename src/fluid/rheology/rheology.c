#include "fluid/rheology/rheology.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_rheology_type, mo_rheology_, name)
#include "fluid/rheology/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_rheology_, name)
#include "fluid/rheology/methods.def"
#undef MO_METHOD
};

const mo_family mo_rheologies = {
    .name = "rheology",
    .doc = "Shear thinning and thickening: viscosity by the local shear rate.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
