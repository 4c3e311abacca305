/* Depth and distance of the potential between two given species. */
#include "particle/pair/pair.h"

#include <math.h>

static const mo_param PARAMS[] = {
    {"between", MO_REFERENCE, .list = true, MO_FIELD(mo_pair_def, between), .required = true,
     .target = "species", .doc = "The two species; one name: pairs within that species."},
    {"e", MO_REAL, MO_FIELD(mo_pair_def, e), .unit = "J", .required = true, .range = "[0, inf)",
     .doc = "Depth of the potential well."},
    {"r0", MO_REAL, MO_FIELD(mo_pair_def, r0), .unit = "m", .range = "(0, inf)",
     .doc = "Equilibrium distance. Give this or sigma."},
    {"sigma", MO_REAL, MO_FIELD(mo_pair_def, sigma), .unit = "m", .range = "(0, inf)",
     .doc = "Distance at which the potential is zero."},
    {0}};

static mote_status species_pair_check(const void *params, mote_error *error)
{
    const mo_pair_def *p = params;
    if (p->between.count < 1 || p->between.count > 2) {
        return mo_fail(error, MOTE_ERROR_INPUT, "between: give one species or two, not %lld",
                       (long long)p->between.count);
    }
    if (isnan(p->r0) == isnan(p->sigma)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "r0: give exactly one of r0 and sigma");
    }
    return MOTE_OK;
}

const mo_pair_type mo_pair_species_pair = {
    .base = {.name = "species_pair",
             .summary = "Depth and distance of the potential between two species.",
             .param_size = sizeof(mo_pair_def),
             .params = PARAMS,
             .check = species_pair_check},
};
