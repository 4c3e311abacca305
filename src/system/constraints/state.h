/* Internals of the constraints system. */
#ifndef MO_SYSTEM_CONSTRAINTS_STATE_H
#define MO_SYSTEM_CONSTRAINTS_STATE_H

#include "collide/contact_set.h"
#include "constraint/attached_body.h"
#include "constraint/set.h"
#include "constraint/solver/solver.h"
#include "host/external_forces.h"
#include "host/kinematics.h"
#include "host/system.h"
#include "system/constraints/collider_contacts.h"
#include "system/constraints/face_contacts.h"

extern const mo_system_type mo_system_constraints;

typedef struct mo_constraint_body {
    int64_t first, count; /* rows */
    double damping;       /* of deviations from rigid motion [1/s] */
} mo_constraint_body;

typedef struct mo_constraint_system {
    mo_system *system;
    const mo_constraint_solver_type *solver;
    const void *solver_params;
    void *solver_state;
    int64_t substeps, iterations;
    int64_t used;        /* iterations of a step */
    uint64_t generation; /* of rows and sets */
    /* four components per row: positions with inverse masses, in iterations and at the start of
     * the substep; corrections and their number; see mo_constraint_problem */
    mo_column *p, *start, *change, *base;
    mo_external_forces forces;
    mo_kinematics kinematics;
    int64_t set_count, set_capacity;
    mo_constraint_set *sets, *remapped; /* remapped: during a removal */
    int64_t body_count, body_capacity;
    mo_constraint_body *bodies;
    mo_attached_bodies attached;
    mo_collider_contacts contacts;
    mo_face_contacts faces;
    mo_constraint_contacts surfaces, remapped_surfaces; /* remapped: during a removal */
    mo_constraint_residual residual;                    /* of the last substep */
    int stage_predict, stage_project, stage_contact;
} mo_constraint_system;

/* Whether the scene attaches nodes of position-based bodies to rigid ones. */
bool mo_constraint_system_attaches(const mo_world_def *def);

/* Builds the system (build.c). */
mote_status mo_constraint_system_create(const mo_world_def *def, mo_system *system,
                                        mote_error *error);
void mo_constraint_system_release(mo_system *system);

/* Sums (measure.c). */
mote_status mo_constraint_system_measure(mo_system *system, double time, bool virial,
                                         mote_measures *measures, mote_error *error);

/* The elastic energy of all sets above that of their rest shapes [J]. */
mote_status mo_constraint_system_energy(mo_constraint_system *c, double *energy, mote_error *error);

/* Damping of the deviations from rigid motion (damping.c). */
mote_status mo_constraint_system_damp(mo_constraint_system *c, double h, mote_error *error);

extern const mo_edit_hooks mo_constraint_system_edit;

#endif
