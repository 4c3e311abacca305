/* The part of a scene that the forces system reads: top-level keys, and those of its bodies. */
#ifndef MO_SYSTEM_FORCES_DEF_H
#define MO_SYSTEM_FORCES_DEF_H

#include "host/def.h"
#include "particle/species.h"
#include "system/forces/growth.h"

typedef struct mo_forces_def {
    mo_method integrator, neighbors;
    const char *dynamics; /* "second_order" or "first_order" */
    double speed_limit, speed_change_limit, boltzmann;
    mo_list species;     /* mo_species_def */
    mo_list thermostats; /* mo_method */
} mo_forces_def;

typedef struct mo_forces_body_def {
    bool oriented;
    mo_vec3 inertia, turned;
    const char *axes; /* "turned", "random" or "normals" */
    int64_t axes_seed;
    double temperature; /* NaN: no random velocities */
    int64_t seed;
    mo_reference species;
    double charge; /* NaN: that of the species */
    mo_growth_def growth;
} mo_forces_body_def;

extern const mo_section mo_forces_section, mo_forces_body_section;

const mo_forces_def *mo_forces_def_of(const mo_world_def *def);
const mo_forces_body_def *mo_forces_body_of(const mo_body_def *body);

/* Checks beyond the tables. */
mote_status mo_forces_def_check(const mo_world_def *def, mo_memory *memory, mote_error *error);

#endif
