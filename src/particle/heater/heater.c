#include "particle/heater/heater.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_heater_type, mo_heater_, name)
#include "particle/heater/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_heater_, name)
#include "particle/heater/methods.def"
#undef MO_METHOD
};

const mo_family mo_heaters = {
    .name = "heater",
    .doc = "Heat sources, thermostats and initial temperatures of regions.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
