#include "fluid/pressure/pressure.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_pressure_type, mo_pressure_, name)
#include "fluid/pressure/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_pressure_, name)
#include "fluid/pressure/methods.def"
#undef MO_METHOD
};

const mo_family mo_pressures = {
    .name = "pressure",
    .doc = "Pressure solvers, which enforce incompressibility.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
