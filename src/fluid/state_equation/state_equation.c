#include "fluid/state_equation/state_equation.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_state_equation_type, mo_state_equation_, name)
#include "fluid/state_equation/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_state_equation_, name)
#include "fluid/state_equation/methods.def"
#undef MO_METHOD
};

const mo_family mo_state_equations = {
    .name = "state_equation",
    .doc = "Equations of state of weakly compressible fluids.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "tait",
};
