#include "constraint/constraint.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_constraint_type, mo_constraint_, name)
#include "constraint/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_constraint_, name)
#include "constraint/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"pbd", "xpbd", NULL};

const mo_family mo_constraints = {
    .name = "constraint",
    .doc = "Constraints of position-based bodies.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = CAPABILITIES,
};
