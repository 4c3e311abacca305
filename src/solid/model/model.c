#include "solid/model/model.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_model_type, mo_model_, name)
#include "solid/model/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) &mo_model_##name.force.base,
#include "solid/model/methods.def"
#undef MO_METHOD
};

const mo_family mo_models = {
    .name = "model",
    .doc = "Deformation models of bodies.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
