/*
 * Velocity rescaling (L. V. Woodcock 1971, Chem. Phys. Lett. 10, 257): v' = sqrt(T_0/T) v after
 * every step, relative to the mean velocity. The temperature is exact, without fluctuations.
 */
#include "particle/thermostat/thermostat.h"

#include <math.h>

static const mo_param PARAMS[] = {
    MO_THERMOSTAT_TEMPERATURE(mo_thermostat_def), MO_THERMOSTAT_BODIES(mo_thermostat_def), {0}};

static double rescale_factor(const mo_thermostat_step *step)
{
    return step->measured > 0 ? sqrt(step->target / step->measured) : 1;
}

const mo_thermostat_type mo_thermostat_rescale = {
    .base = {.name = "rescale",
             .summary = "Scales velocities to the exact temperature after every step.",
             .citation = "L. V. Woodcock 1971, Chem. Phys. Lett. 10, 257",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(mo_thermostat_def),
             .params = PARAMS},
    .factor = rescale_factor,
};
