#include "geometry/bound/bound.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_bound_type, mo_bound_, name)
#include "geometry/bound/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_bound_, name)
#include "geometry/bound/methods.def"
#undef MO_METHOD
};

const mo_family mo_bounds = {
    .name = "bound",
    .doc = "Bounding volumes of a hierarchy. All of them give the same intersections; they differ "
           "in tightness and cost.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
