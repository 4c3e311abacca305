#include "fluid/surface_tension/surface_tension.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_surface_tension_type, mo_surface_tension_, name)
#include "fluid/surface_tension/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_surface_tension_, name)
#include "fluid/surface_tension/methods.def"
#undef MO_METHOD
};

static const char *const PROPERTIES[] = {"three dimensions", "distances of solids", "no shifting",
                                         NULL};

const mo_family mo_surface_tensions = {
    .name = "surface_tension",
    .doc = "Surface tensions of free surfaces, and adhesion to solids.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "surface_energy",
    .capabilities = PROPERTIES,
};
