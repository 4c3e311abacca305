/* Internals of the rigid system. */
#ifndef MO_SYSTEM_RIGID_STATE_H
#define MO_SYSTEM_RIGID_STATE_H

#include "host/external_forces.h"
#include "host/integration.h"
#include "integrate/newton.h"
#include "system/rigid/def.h"
#include "system/rigid/rigid.h"

typedef struct mo_rigid {
    mo_system *system;
    mo_rigid_settings settings;
    int64_t prototype_count;
    mo_rigid_prototype *prototypes;
    mo_column *start; /* initial centre of mass */
    /* free motion */
    mo_integration integration;
    mo_dynamics dynamics;
    mo_method integrator;
    mo_newton *newton;
    mo_newton_count solved;
    bool matrix;                /* the scheme rotation_matrix, with */
    mo_column *rotation, *spin; /* R and L */
    double drift;               /* of R in the last step: largest |R^T R - 1| before Gram-Schmidt */
    int force_count;
    int64_t force_capacity;
    mo_force *forces;
    /* contacts and joints */
    mo_rigid_solver *solver;
    mo_rigid_step step;
    /* arrays of the solver, bodies and guests */
    int64_t array_capacity;
    double *arrays;
    mo_rigid_bodies bodies;
    double margin;
    int stage_free, stage_solve;
} mo_rigid;

/* Build (build.c), surfaces for drawing (skins.c). */
mote_status mo_rigid_system_create(const mo_world_def *def, mo_system *system, mote_error *error);
void mo_rigid_system_release(mo_system *system);
mote_status mo_rigid_system_add_skin(mo_rigid *rigid, const mo_body_def *body, int64_t first,
                                     int64_t count, mote_error *error);
/* Free motion (motion.c): the accelerations of the state; a step of the integrator for all rows;
 * kinematic bodies at a time. */
mote_status mo_rigid_system_evaluate(mo_system *system, double time, mote_error *error);
mote_status mo_rigid_system_advance_free(mo_rigid *rigid, const mo_step_time *now,
                                         mote_error *error);
void mo_rigid_system_prescribe(const mo_rigid *rigid, double time, double *x, double *v, double *q,
                               double *q_rate);
extern const mo_force_type mo_rigid_system_applied;

/* The scheme of a rotation matrix (rotation_matrix.c). */
mote_status mo_rotation_matrix_declare(mo_rigid *rigid, mote_error *error);
void mo_rotation_matrix_begin(mo_rigid *rigid, int64_t first);
mote_status mo_rotation_matrix_step(mo_rigid *rigid, const mo_step_time *now, mote_error *error);

mote_status mo_rigid_system_measure(mo_system *system, double time, bool virial,
                                    mote_measures *measures, mote_error *error);

#endif
