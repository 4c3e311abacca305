#include "particle/pair/pair.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_pair_type, mo_pair_, name)
#include "particle/pair/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_pair_, name)
#include "particle/pair/methods.def"
#undef MO_METHOD
};

const mo_family mo_pair_family = {
    .name = "pair",
    .doc =
        "What acts between two species in particular, instead of what the mixing rule makes of them.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
