#include "fluid/shifting/shifting.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_shifting_type, mo_shifting_, name)
#include "fluid/shifting/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_shifting_, name)
#include "fluid/shifting/methods.def"
#undef MO_METHOD
};

const mo_family mo_shiftings = {
    .name = "shifting",
    .doc = "Particle shifting: keeps particles uniformly distributed.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
