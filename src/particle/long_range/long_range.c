#include "particle/long_range/long_range.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_long_range_type, mo_long_range_, name)
#include "particle/long_range/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_long_range_, name)
#include "particle/long_range/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"open", "periodic", NULL};

const mo_family mo_long_ranges = {
    .name = "long_range",
    .doc = "Methods for the 1/r interaction of charges and masses.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "auto",
    .capabilities = CAPABILITIES,
};
