#include "host/action/action.h"

#include "geometry/shape/shape.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_action_type, mo_action_, name)
#include "host/action/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_action_, name)
#include "host/action/methods.def"
#undef MO_METHOD
};

const mo_family mo_actions = {
    .name = "action",
    .doc = "Timed tools on particles: grab, push, add, delete, heat.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

bool mo_action_contains(const mo_action_def *def, const mo_action_rows *rows, int64_t row,
                        const double *displacement)
{
    double p[3];
    if (!def->region.type) {
        return true;
    }
    for (int k = 0; k < 3; ++k) {
        double back = displacement ? displacement[k] : 0;
        p[k] = mo_domain_wrap(&rows->domain, k, rows->x[3 * row + k] - back);
    }
    return mo_shape_contains(def->region, (mo_vec3){p[0], p[1], p[2]});
}

mote_status mo_action_check(const void *params, mote_error *error)
{
    const mo_action_def *def = params;
    return def->until < def->time
               ? mo_fail(error, MOTE_ERROR_INPUT, "until: %g s is before the time of %g s",
                         def->until, def->time)
               : MOTE_OK;
}
