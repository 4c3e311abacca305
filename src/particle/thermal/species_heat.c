/* Thermal properties of one species: specific heat, strength curve, melting point, latent heat. */
#include "particle/thermal/thermal.h"

static const mo_param PARAMS[] = {
    {"of", MO_REFERENCE, MO_FIELD(mo_thermal_def, of), .required = true, .target = "species",
     .doc = "The species."},
    {"specific_heat", MO_REAL, MO_FIELD(mo_thermal_def, values.specific_heat), .unit = "J/(kg K)",
     .range = "(0, inf)", .doc = "Specific heat capacity. Default: that of the force."},
    {"strength", MO_CURVE, MO_FIELD(mo_thermal_def, values.strength),
     .doc = "Scale factor of the potential as a function of temperature, [[T, s], ...]; must not "
            "increase. Default: that of the force."},
    MO_THERMAL_PARAMS(mo_thermal_def, values),
    {0}};

static mote_status species_heat_check(const void *params, mote_error *error)
{
    return mo_thermal_check(&((const mo_thermal_def *)params)->values, error);
}

const mo_thermal_type mo_thermal_species_heat = {
    .base = {.name = "species_heat",
             .summary = "Specific heat, strength, melting point and latent heat of a species.",
             .citation = "V. Voller, M. Cross 1981, Int. J. Heat Mass Transf. 24, 545",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(mo_thermal_def),
             .params = PARAMS,
             .check = species_heat_check},
};
