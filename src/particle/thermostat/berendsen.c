/*
 * Weak coupling to a heat bath (H. J. C. Berendsen et al. 1984, J. Chem. Phys. 81, 3684, eq. 11):
 *     v' = lambda v,    lambda^2 = 1 + (h/tau) (T_0/T - 1),
 * so that T relaxes exponentially with the time constant tau. Velocities are relative to the mean,
 * which conserves momentum. lambda^2 is at least 0.
 */
#include "particle/thermostat/thermostat.h"

#include <math.h>

static const mo_param PARAMS[] = {MO_THERMOSTAT_TEMPERATURE(mo_thermostat_def),
                                  MO_THERMOSTAT_TIME(mo_thermostat_def),
                                  MO_THERMOSTAT_BODIES(mo_thermostat_def),
                                  {0}};

static double berendsen_factor(const mo_thermostat_step *step)
{
    double square =
        step->measured > 0 ? 1 + fmin(step->ratio, 1) * (step->target / step->measured - 1) : 1;
    return sqrt(fmax(square, 0));
}

const mo_thermostat_type mo_thermostat_berendsen = {
    .base = {.name = "berendsen",
             .summary = "Scales velocities so that the temperature relaxes exponentially; "
                        "fluctuations are smaller than those of a canonical ensemble.",
             .citation = "H. J. C. Berendsen, J. P. M. Postma, W. F. van Gunsteren, A. DiNola, J. "
                         "R. Haak 1984, J. Chem. Phys. 81, 3684, eq. 11",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(mo_thermostat_def),
             .params = PARAMS},
    .factor = berendsen_factor,
};
