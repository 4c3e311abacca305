#include "fluid/flow/flow.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_flow_type, mo_flow_, name)
#include "fluid/flow/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_flow_, name)
#include "fluid/flow/methods.def"
#undef MO_METHOD
};

const mo_family mo_flows = {
    .name = "flow",
    .doc = "Flows: how a fluid moves at the start.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
