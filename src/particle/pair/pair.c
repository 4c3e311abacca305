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
    .doc = "Pair parameters that override the mixing rule.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
