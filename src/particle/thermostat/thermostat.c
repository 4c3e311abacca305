#include "particle/thermostat/thermostat.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_thermostat_type, mo_thermostat_, name)
#include "particle/thermostat/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_thermostat_, name)
#include "particle/thermostat/methods.def"
#undef MO_METHOD
};

const mo_family mo_thermostats = {
    .name = "thermostat",
    .doc = "Thermostats: they keep the temperature of the motion of particles, T = sum m v^2/(3 (n "
           "- 1) k_B).",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "berendsen",
};
