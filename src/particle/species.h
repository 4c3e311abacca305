/* Particle species, for pair potentials. */
#ifndef MO_PARTICLE_SPECIES_H
#define MO_PARTICLE_SPECIES_H

#include "base/param.h"

typedef struct mo_species_def {
    const char *name;
    double e, r0, sigma, charge;
} mo_species_def;

enum { MO_SPECIES_MAX = 64 };

extern const mo_section mo_species_section;

/* Checks beyond the table: too many species, two distances. */
mote_status mo_species_check(const mo_list *species, mote_error *error);

#endif
