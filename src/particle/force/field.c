#include "particle/force/field.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_force_type, mo_field_, name)
#include "particle/force/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_field_, name)
#include "particle/force/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"external", "scoped", NULL};

const mo_family mo_fields = {
    .name = "force",
    .doc =
        "Forces on all particles, in addition to gravity and the models of bodies. External forces "
        "act on fluids too.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = CAPABILITIES,
};
