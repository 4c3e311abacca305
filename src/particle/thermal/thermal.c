#include "particle/thermal/thermal.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_thermal_type, mo_thermal_, name)
#include "particle/thermal/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_thermal_, name)
#include "particle/thermal/methods.def"
#undef MO_METHOD
};

const mo_family mo_thermals = {
    .name = "thermal",
    .doc = "Thermal properties of single species, which override those of the force `heat`.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

mote_status mo_thermal_check(const mo_thermal *thermal, mote_error *error)
{
    const mo_curve *s = &thermal->strength;
    for (int k = 0; k < s->count; ++k) {
        if (!(s->value[k] >= 0) || (k > 0 && s->value[k] > s->value[k - 1])) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "strength: point %d: values must be at least 0 and must not increase with "
                "temperature",
                k);
        }
    }
    return MOTE_OK;
}
