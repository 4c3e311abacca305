#include "observe/observable.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_observable_type, mo_observable_, name)
#include "observe/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_observable_, name)
#include "observe/methods.def"
#undef MO_METHOD
};

const mo_family mo_observable_family = {
    .name = "observable",
    .doc = "Observables: quantities measured at each frame and written to a table of their own.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
