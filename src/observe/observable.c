#include "observe/observable.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_observable_type, mo_observable_, name)
#include "observe/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_observable_, name)
#include "observe/methods.def"
#undef MO_METHOD
};

static const mo_family OF_ANY_SYSTEM = {.name = "observable",
                                        .methods = METHODS,
                                        .count = sizeof METHODS / sizeof *METHODS},
                       NONE = {.name = "observable"};

/* First those of any system, then those of each one in the order of systems.def. */
static const mo_family *observables_of(int index)
{
    const mo_system_type *type = mo_system_type_at(index - 1);
    if (index == 0) {
        return &OF_ANY_SYSTEM;
    }
    return type && !type->observables ? &NONE : type ? type->observables : NULL;
}

const mo_family mo_observable_family = {
    .name = "observable",
    .doc = "Observables: quantities measured at each frame and written to a table of their own.",
    .part = observables_of,
};
