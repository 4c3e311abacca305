/*
 * Coulomb's law between charged particles, U = q_i q_j/(4 pi eps_0 eps_r r), by a method of the
 * family `long_range`. Charges are those of bodies or species, in coulomb.
 */
#include "particle/force/field.h"
#include "particle/force/inverse_square.h"

typedef struct coulomb {
    mo_method method;
    double permittivity, constant;
} coulomb;

static const mo_param PARAMS[] = {
    MO_LONG_RANGE_PARAM(coulomb),
    {"permittivity", MO_REAL, MO_FIELD(coulomb, permittivity), .initial = "1", .range = "(0, inf)",
     .doc = "Relative permittivity of the medium."},
    {"constant", MO_REAL, MO_FIELD(coulomb, constant), .unit = "N m^2/C^2",
     .initial = "8.9875517862e9", .range = "(0, inf)",
     .doc = "Coulomb constant 1/(4 pi eps_0); 1 for reduced units."},
    {0}};

static mote_status coulomb_create(const void *params, const mo_force_context *context,
                                  mo_force *force, mote_error *error)
{
    const coulomb *p = params;
    mo_inverse_square_def def = {p->method, p->constant / p->permittivity, 0, false};
    return mo_inverse_square_create(&def, context, force, error);
}

const mo_force_type mo_field_coulomb = {
    .base = {.name = "coulomb",
             .summary = "Coulomb force between all charged particles.",
             .citation = "E. Tiesinga et al. 2021, Rev. Mod. Phys. 93, 025010 (constants)",
             .param_size = sizeof(coulomb),
             .params = PARAMS},
    .create = coulomb_create,
    MO_INVERSE_SQUARE_HOOKS,
};
