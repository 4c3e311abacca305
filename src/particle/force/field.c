#include "particle/force/field.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_force_type, mo_field_, name)
#include "particle/force/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_field_, name)
#include "particle/force/methods.def"
#undef MO_METHOD
};

const mo_family mo_fields = {
    .name = "force",
    .doc = "Forces on all particles of the forces system, beside gravity and the bodies' own models.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
