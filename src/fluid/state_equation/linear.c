/* p = k (rho - rho0): M. Desbrun, M.-P. Gascuel 1996; M. Mueller, D. Charypar, M. Gross 2003, eq.
 * 12. */
#include "fluid/state_equation/state_equation.h"

typedef struct linear {
    double stiffness;
} linear;

static const mo_param PARAMS[] = {{"stiffness", MO_REAL, MO_FIELD(linear, stiffness),
                                   .unit = "m^2/s^2", .initial = "1000", .range = "(0, inf)",
                                   .doc = "k, the square of the speed of sound."},
                                  {0}};

static double linear_pressure(const void *params, double rho0, double delta)
{
    const linear *p = params;
    return p->stiffness * rho0 * (delta - 1);
}

static double linear_sound_square(const void *params, double rho0)
{
    (void)rho0;
    const linear *p = params;
    return p->stiffness;
}

const mo_state_equation_type mo_state_equation_linear = {
    .base =
        {.name = "linear",
         .summary = "Linear: p = k (rho - rho0).",
         .citation =
             "Desbrun, Gascuel 1996, Eurographics Workshop on Animation; Mueller, Charypar, Gross 2003, "
             "Symp. Computer Animation, eq. 12",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(linear),
         .params = PARAMS},
    .pressure = linear_pressure,
    .sound_square = linear_sound_square,
};
