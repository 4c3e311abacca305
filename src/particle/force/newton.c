/*
 * Newton's law of gravitation between all particles, U = -G m_i m_j/sqrt(r^2 + softening^2), by a
 * method of the family `long_range`. In a periodic domain the mean density does not attract (J. H.
 * Jeans 1902), common in cosmology.
 */
#include "particle/force/field.h"
#include "particle/force/inverse_square.h"

typedef struct newton {
    mo_method method;
    double softening, constant;
} newton;

static const mo_param PARAMS[] = {
    MO_LONG_RANGE_PARAM(newton),
    {"softening", MO_REAL, MO_FIELD(newton, softening), .unit = "m", .initial = "0",
     .range = "[0, inf)",
     .doc = "Plummer softening length: r^2 + softening^2 replaces r^2, which limits the force of "
            "close encounters."},
    {"constant", MO_REAL, MO_FIELD(newton, constant), .unit = "N m^2/kg^2", .initial = "6.6743e-11",
     .range = "(0, inf)", .doc = "Gravitational constant; 1 for N-body units."},
    {0}};

static mote_status newton_create(const void *params, const mo_force_context *context,
                                 mo_force *force, mote_error *error)
{
    const newton *p = params;
    mo_inverse_square_def def = {p->method, -p->constant, p->softening, true};
    return mo_inverse_square_create(&def, context, force, error);
}

const mo_force_type mo_field_newton = {
    .base = {.name = "newton",
             .summary = "Gravitation between all particles, with optional softening.",
             .citation = "H. C. Plummer 1911, MNRAS 71, 460 (softening)",
             .param_size = sizeof(newton),
             .params = PARAMS},
    .create = newton_create,
    MO_INVERSE_SQUARE_HOOKS,
};
