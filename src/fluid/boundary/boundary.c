#include "fluid/boundary/boundary.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_boundary_type, mo_boundary_, name)
#include "fluid/boundary/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_boundary_, name)
#include "fluid/boundary/methods.def"
#undef MO_METHOD
};

const mo_family mo_boundaries = {
    .name = "boundary",
    .doc = "Boundary handling: the density and pressure contribution of colliders to a fluid.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
