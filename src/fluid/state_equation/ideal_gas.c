/* A gas at constant temperature, p = k rho: the pressure at rest density is positive, so it expands
 * until confined. */
#include "fluid/state_equation/state_equation.h"

typedef struct ideal_gas {
    double stiffness;
} ideal_gas;

static const mo_param PARAMS[] = {{"stiffness", MO_REAL, MO_FIELD(ideal_gas, stiffness),
                                   .unit = "m^2/s^2", .initial = "100", .range = "(0, inf)",
                                   .doc = "k, the square of the speed of sound."},
                                  {0}};

static double ideal_gas_pressure(const void *params, double rho0, double delta)
{
    const ideal_gas *p = params;
    return p->stiffness * rho0 * delta;
}

static double ideal_gas_sound_square(const void *params, double rho0)
{
    (void)rho0;
    const ideal_gas *p = params;
    return p->stiffness;
}

const mo_state_equation_type mo_state_equation_ideal_gas = {
    .base = {.name = "ideal_gas",
             .summary = "Ideal gas: p = k rho; expands until confined by boundaries.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(ideal_gas),
             .params = PARAMS},
    .pressure = ideal_gas_pressure,
    .sound_square = ideal_gas_sound_square,
    .gas = true,
};
