/*
 * Langevin dynamics: friction against a medium at rest and random forces of its molecules, dv =
 * -v/tau dt + sqrt(2 k_B T/(m tau)) dW. The exact solution over a step (G. E. Uhlenbeck, L. S.
 * Ornstein 1930, Phys. Rev. 36, 823),
 *     v' = c v + sqrt((1 - c^2) k_B T/m) xi,    c = exp(-h/tau),
 * follows the step of the integrator. Departs from G. Bussi, M. Parrinello 2007, Phys. Rev. E 75,
 * 056707, who take half of it before and half after the step. It samples the canonical ensemble;
 * momentum is not conserved.
 */
#include "particle/thermostat/thermostat.h"

#include <math.h>

static const mo_param PARAMS[] = {MO_THERMOSTAT_TEMPERATURE(mo_thermostat_def),
                                  MO_THERMOSTAT_TIME(mo_thermostat_def),
                                  {"seed", MO_INT, MO_FIELD(mo_thermostat_def, seed),
                                   .initial = "0", .range = "[0, inf)",
                                   .doc = "Seed of the random velocities."},
                                  MO_THERMOSTAT_BODIES(mo_thermostat_def),
                                  {0}};

static double langevin_factor(const mo_thermostat_step *step)
{
    return exp(-step->ratio);
}

static double langevin_noise(const mo_thermostat_step *step)
{
    return -expm1(-2 * step->ratio) * step->target;
}

const mo_thermostat_type mo_thermostat_langevin = {
    .base = {.name = "langevin",
             .summary = "Friction and random velocities: canonical ensemble, Brownian motion.",
             .citation = "G. E. Uhlenbeck, L. S. Ornstein 1930, Phys. Rev. 36, 823; G. Bussi, M. "
                         "Parrinello 2007, Phys. Rev. E 75, 056707",
             .departs = "One full step of friction and noise follows each step of the integrator, "
                        "instead of half a step before and after it.",
             .param_size = sizeof(mo_thermostat_def),
             .params = PARAMS},
    .factor = langevin_factor,
    .noise = langevin_noise,
};
