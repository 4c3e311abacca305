#include "solid/contact/detection.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_contact_detection_type, mo_contact_detection_, name)
#include "solid/contact/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_contact_detection_, name)
#include "solid/contact/methods.def"
#undef MO_METHOD
};

const mo_family mo_contact_detections = {
    .name = "contact_detection",
    .doc = "Detection of contacts between deformable bodies.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};
