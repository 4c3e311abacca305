#include "io/format/format.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_format_type, mo_format_, name)
#include "io/format/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_format_, name)
#include "io/format/methods.def"
#undef MO_METHOD
};

const mo_family mo_formats = {
    .name = "format",
    .doc = "File formats of the frames of a run.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

mote_status mo_format_check_single(const char *name, const double *values, int64_t count,
                                   int components, mote_error *error)
{
    for (int64_t k = 0; k < count; ++k) {
        if (fabs(values[k]) > FLT_MAX && isfinite(values[k])) {
            return mo_fail(
                error, MOTE_ERROR_NUMERIC,
                "output: \"%s\" is %g in row %" PRId64
                ", and single precision ends at %.3g; leave the field out, or write vtp or vtu "
                "with \"single\": false",
                name, values[k], k / components, FLT_MAX);
        }
    }
    return MOTE_OK;
}
