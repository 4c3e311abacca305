/*
 * P. Carreau 1972, Rheological equations from molecular network theories, Trans. Soc. Rheol. 16,
 * 99:
 *     nu(g) = nu_inf + (nu - nu_inf) (1 + (time g)^2)^((n - 1)/2),
 * nu at rest and nu_inf at high shear rates.
 */
#include "fluid/rheology/rheology.h"

#include <math.h>

typedef struct carreau1972 {
    double exponent, time, least;
} carreau1972;

static const mo_param PARAMS[] = {
    {"exponent", MO_REAL, MO_FIELD(carreau1972, exponent), .required = true, .range = "[0, 3]",
     .doc = "Flow index n: below 1 shear thinning, above 1 shear thickening."},
    {"time", MO_REAL, MO_FIELD(carreau1972, time), .unit = "s", .required = true,
     .range = "(0, inf)",
     .doc = "Relaxation time: the viscosity is nu at shear rates far below its inverse."},
    {"least", MO_REAL, MO_FIELD(carreau1972, least), .initial = "0", .range = "[0, 1]",
     .doc = "Viscosity at infinite shear rate, relative to nu."},
    {0}};

static double carreau1972_viscosity(const void *params, double nu, double rate)
{
    const carreau1972 *p = params;
    double g = p->time * rate, factor = pow(1 + g * g, 0.5 * (p->exponent - 1));
    return nu * (p->least + (1 - p->least) * factor);
}

const mo_rheology_type mo_rheology_carreau1972 = {
    .base = {.name = "carreau1972",
             .summary = "Carreau fluid: Newtonian at rest, a power law at high shear rates.",
             .citation = "Carreau 1972, Trans. Soc. Rheol. 16, 99",
             .param_size = sizeof(carreau1972),
             .params = PARAMS},
    .viscosity = carreau1972_viscosity,
};
