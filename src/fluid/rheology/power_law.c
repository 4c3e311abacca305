/*
 * The power law of W. Ostwald 1925, Kolloid-Z. 36, 99, and A. de Waele 1923,
 *     nu(g) = nu (g/g0)^(n - 1),
 * n < 1 for shear thinning, n > 1 for shear thickening. Without bounds it is singular at rest; it
 * is continued by a Newtonian fluid below `least` and above `most` times nu.
 */
#include "fluid/rheology/rheology.h"

#include <math.h>

typedef struct power_law {
    double exponent, rate, least, most;
} power_law;

static const mo_param PARAMS[] = {
    {"exponent", MO_REAL, MO_FIELD(power_law, exponent), .required = true, .range = "[0.05, 3]",
     .doc = "Flow index n: below 1 shear thinning, above 1 shear thickening."},
    {"rate", MO_REAL, MO_FIELD(power_law, rate), .unit = "1/s", .initial = "1", .range = "(0, inf)",
     .doc = "Shear rate at which the viscosity is nu."},
    {"least", MO_REAL, MO_FIELD(power_law, least), .initial = "0.01", .range = "[0, 1]",
     .doc = "Lower bound of the viscosity, relative to nu."},
    {"most", MO_REAL, MO_FIELD(power_law, most), .initial = "100", .range = "[1, inf)",
     .doc = "Upper bound of the viscosity, relative to nu; that of shear thinning fluid at rest."},
    {0}};

static double power_law_viscosity(const void *params, double nu, double rate)
{
    const power_law *p = params;
    double factor = pow(rate / p->rate, p->exponent - 1);
    return nu * (factor < p->least ? p->least : factor > p->most ? p->most : factor);
}

const mo_rheology_type mo_rheology_power_law = {
    .base = {.name = "power_law",
             .summary = "Power law between two bounds: shear thinning or thickening.",
             .citation = "Ostwald 1925, Kolloid-Z. 36, 99; de Waele 1923",
             .param_size = sizeof(power_law),
             .params = PARAMS},
    .viscosity = power_law_viscosity,
};
