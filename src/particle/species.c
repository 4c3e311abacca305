#include "particle/species.h"

#include <math.h>

static const mo_param SPECIES[] = {
    {"name", MO_STRING, MO_FIELD(mo_species_def, name), .required = true,
     .doc = "Name, referred to by bodies."},
    {"e", MO_REAL, MO_FIELD(mo_species_def, e), .unit = "J", .range = "[0, inf)",
     .doc = "Depth of the potential well between two particles of this species."},
    {"r0", MO_REAL, MO_FIELD(mo_species_def, r0), .unit = "m", .range = "(0, inf)",
     .doc = "Equilibrium distance of two particles of this species."},
    {"sigma", MO_REAL, MO_FIELD(mo_species_def, sigma), .unit = "m", .range = "(0, inf)",
     .doc = "Distance at which their potential is zero. Give this or r0."},
    {"charge", MO_REAL, MO_FIELD(mo_species_def, charge), .unit = "C", .initial = "0",
     .doc = "Electric charge of a particle of this species, unless its body has a `charge`."},
    {0}};

const mo_section mo_species_section = {
    "species", "A particle species; pair potentials mix the parameters of two species.",
    sizeof(mo_species_def), .params = SPECIES};

mote_status mo_species_check(const mo_list *list, mote_error *error)
{
    const mo_species_def *species = list->items;
    if (list->count > MO_SPECIES_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "species: a scene has at most %d", MO_SPECIES_MAX);
    }
    for (int64_t k = 0; k < list->count; ++k) {
        if (!isnan(species[k].r0) && !isnan(species[k].sigma)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "species[%lld].sigma: give r0 or sigma, not both", (long long)k);
        }
    }
    return MOTE_OK;
}
