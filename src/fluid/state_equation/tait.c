/*
 * Tait's equation p = kappa rho0/gamma ((rho/rho0)^gamma - 1): F. Murnaghan 1944; as Tait's
 * equation in J. Monaghan 1994 and M. Becker, M. Teschner 2007, eq. 7, with gamma = 7. kappa is the
 * square of the speed of sound. gamma is an integer, so that no pow() is needed.
 */
#include "fluid/state_equation/state_equation.h"

typedef struct tait {
    double stiffness;
    int64_t gamma;
} tait;

static const mo_param PARAMS[] = {
    {"stiffness", MO_REAL, MO_FIELD(tait, stiffness), .unit = "m^2/s^2", .initial = "1000",
     .range = "(0, inf)",
     .doc = "kappa, the square of the speed of sound at rest density; 100 times the square of the "
            "maximum flow speed keeps the density error within 1 %."},
    {"gamma", MO_INT, MO_FIELD(tait, gamma), .initial = "7", .range = "[1, 12]",
     .doc = "The exponent."},
    {0}};

static double tait_pressure(const void *params, double rho0, double delta)
{
    const tait *p = params;
    double power = 1;
    for (int64_t k = 0; k < p->gamma; ++k) {
        power *= delta;
    }
    return p->stiffness * rho0 / (double)p->gamma * (power - 1);
}

static double tait_sound_square(const void *params, double rho0)
{
    (void)rho0;
    const tait *p = params;
    return p->stiffness;
}

const mo_state_equation_type mo_state_equation_tait = {
    .base =
        {.name = "tait",
         .summary = "Tait's equation: p = kappa rho0/gamma ((rho/rho0)^gamma - 1).",
         .citation =
             "Monaghan 1994, J. Comput. Phys. 110, 399; Becker, Teschner 2007, Symp. Computer Animation, "
             "eq. 7",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(tait),
         .params = PARAMS},
    .pressure = tait_pressure,
    .sound_square = tait_sound_square,
};
