/* The list of systems. A system is a folder and one line in systems.def. */
#include "host/system.h"

#define MO_SYSTEM(name) extern const mo_system_type mo_system_##name;
#include "system/systems.def"
#undef MO_SYSTEM

static const mo_system_type *const TYPES[] = {
#define MO_SYSTEM(name) &mo_system_##name,
#include "system/systems.def"
#undef MO_SYSTEM
};

enum { COUNT = sizeof TYPES / sizeof *TYPES };

_Static_assert((int)COUNT <= (int)MO_SYSTEMS_MAX, "more systems than MO_SYSTEMS_MAX");

const mo_system_type *mo_system_type_at(int index)
{
    return index >= 0 && index < COUNT ? TYPES[index] : NULL;
}

/* A system without models has an empty family. */
static const mo_family NO_MODELS = {.name = "model"};

static const mo_family *models_of(int index)
{
    const mo_system_type *type = mo_system_type_at(index);
    return type ? (type->models ? type->models : &NO_MODELS) : NULL;
}

const mo_family mo_body_models = {
    .name = "model",
    .doc = "Deformation model, which determines the system that advances the body.",
    .part = models_of,
};
