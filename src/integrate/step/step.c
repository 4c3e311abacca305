#include "integrate/step/step.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_step_type, mo_step_, name)
#include "integrate/step/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_step_, name)
#include "integrate/step/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"varies", "advised", NULL};

const mo_family mo_steps = {
    .name = "step",
    .doc = "Time step control.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "fixed",
    .capabilities = CAPABILITIES,
};
