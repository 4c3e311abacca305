/* What a fluid is made from, as a scene says it: plain structs with their parameter tables. */
#ifndef MO_FLUID_DEF_H
#define MO_FLUID_DEF_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct mo_phase_def {
    const char *name;
    double density;
    mo_list fill; /* mo_method: shapes */
    mo_vec3 velocity;
} mo_phase_def;

typedef struct mo_fluid_def {
    int64_t dimension;
    double spacing, support, mass_scale;
    mo_method kernel, neighbors, pressure, viscosity, boundary;
    mo_list phases; /* mo_phase_def */
} mo_fluid_def;

extern const mo_section mo_fluid_section, mo_phase_section;

/* Whether the scene has one. */
bool mo_fluid_def_present(const mo_fluid_def *def);

/* What no table can say. */
mote_status mo_fluid_def_check(const mo_fluid_def *def, mote_error *error);

#endif
