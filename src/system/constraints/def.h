/* The part of a scene that the constraints system reads: its section, and the models of bodies. */
#ifndef MO_SYSTEM_CONSTRAINTS_DEF_H
#define MO_SYSTEM_CONSTRAINTS_DEF_H

#include "host/def.h"

typedef struct mo_constraint_system_def {
    mo_method solver;
    int64_t substeps, iterations; /* 0: the default of the solver */
} mo_constraint_system_def;

/* Parameters of the models pbd and xpbd. */
typedef struct mo_position_based {
    mo_list constraints; /* mo_method; empty: mo_constraint_defaults */
    double damping;      /* 1/s */
    double thickness;    /* of surfaces in contact; NaN: mo_surface_thickness */
    double friction, static_friction;
    bool self;
} mo_position_based;

extern const mo_section mo_constraint_system_section;
extern const mo_family mo_position_based_models;

const mo_constraint_system_def *mo_constraint_system_def_of(const mo_world_def *def);

/* Whether a model is xpbd. */
bool mo_constraint_system_extended(const mo_descriptor *model);

/* Checks beyond the tables. */
mote_status mo_constraint_system_def_check(const mo_world_def *def, mo_memory *memory,
                                           mote_error *error);

#endif
