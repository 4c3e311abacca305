#include "collide/friction/friction.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_friction_type, mo_friction_, name)
#include "collide/friction/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_friction_, name)
#include "collide/friction/methods.def"
#undef MO_METHOD
};

const mo_family mo_frictions = {
    .name = "friction",
    .doc = "Friction laws: the change of tangential velocity in a contact.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "coulomb",
};
