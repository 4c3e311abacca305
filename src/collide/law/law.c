#include "collide/law.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_contact_law_type, mo_contact_law_, name)
#include "collide/law/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_contact_law_, name)
#include "collide/law/methods.def"
#undef MO_METHOD
};

const mo_family mo_contact_laws = {
    .name = "contact_law",
    .doc = "Contact laws between colliders and particles.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
