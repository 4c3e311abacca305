#include "geometry/flow/flow.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_flow_type, mo_flow_, name)
#include "geometry/flow/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_flow_, name)
#include "geometry/flow/methods.def"
#undef MO_METHOD
};

const mo_family mo_flows = {
    .name = "flow",
    .doc = "Initial velocity fields of fluids and bodies.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

mo_vec3 mo_flow_velocity(mo_method flow, mo_vec3 x)
{
    return flow.type ? ((const mo_flow_type *)flow.type)->velocity(flow.params, x)
                     : mo_vec3_make(0, 0, 0);
}

mote_status mo_flow_check(mo_method flow, int64_t count, const double *positions, mote_error *error)
{
    for (int64_t k = 0; flow.type && k < count; ++k) {
        mo_vec3 x = mo_vec3_load(positions + 3 * k), v = mo_flow_velocity(flow, x);
        if (!isfinite(v.x + v.y + v.z)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "flow: the velocity at [%g, %g, %g] m is [%g, %g, %g] m/s", x.x, x.y,
                           x.z, v.x, v.y, v.z);
        }
    }
    return MOTE_OK;
}
