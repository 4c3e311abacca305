#include "io/format/format.h"

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
    .doc = "Result formats: how the frames of a run are written to files.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
