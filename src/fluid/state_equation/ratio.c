/*
 * p = k (rho/rho0 - 1): linear with a modulus in Pa, independent of the rest density.
 */
#include "fluid/state_equation/state_equation.h"

typedef struct ratio {
    double stiffness;
} ratio;

static const mo_param PARAMS[] = {{"stiffness", MO_REAL, MO_FIELD(ratio, stiffness), .unit = "Pa",
                                   .initial = "1e6", .range = "(0, inf)",
                                   .doc = "k, the bulk modulus; 2.2e9 is that of water."},
                                  {0}};

static double ratio_pressure(const void *params, double rho0, double delta)
{
    (void)rho0;
    const ratio *p = params;
    return p->stiffness * (delta - 1);
}

static double ratio_sound_square(const void *params, double rho0)
{
    const ratio *p = params;
    return p->stiffness / rho0;
}

const mo_state_equation_type mo_state_equation_ratio = {
    .base = {.name = "ratio",
             .summary = "Linear in the density ratio: p = k (rho/rho0 - 1).",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(ratio),
             .params = PARAMS},
    .pressure = ratio_pressure,
    .sound_square = ratio_sound_square,
};
