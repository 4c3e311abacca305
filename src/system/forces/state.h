/* Internals of the forces system. */
#ifndef MO_SYSTEM_FORCES_STATE_H
#define MO_SYSTEM_FORCES_STATE_H

#include "host/external_forces.h"
#include "host/integration.h"
#include "host/kinematics.h"
#include "integrate/force.h"
#include "integrate/integrator.h"
#include "system/forces/forces.h"
#include "system/forces/growth.h"
#include "system/forces/pair_source.h"
#include "system/forces/speed_limit.h"
#include "system/forces/thermostats.h"

enum { MO_MODELS_MAX = 32 };

typedef struct mo_forces {
    mo_system *system;
    mo_dynamics dynamics;
    const mo_integrator_type *integrator;
    const void *integrator_params;
    mo_newton *newton; /* implicit integrators only */
    mo_integration integration;
    mo_speed_limit limit;
    mo_thermostat_list thermostats;
    bool oriented;
    bool first_order;
    mo_column *sink,
        *zero; /* first-order dynamics: the schemes' x, and the velocities passed to forces */
    double boltzmann;
    mo_list species;   /* mo_species_def */
    bool has_explicit; /* some force has no Jacobian */
    /* a force without a Jacobian, if the integrator is implicit; else NULL */
    const char *not_implicit;
    mo_newton_count solved; /* in the last step; all 0 without implicit solves */
    /* active contact constraints of its implicit solve, */
    mo_contact_set active;
    mo_reactions reactions; /* and their reactions, if requested by the host */
    mo_pair_source source;
    /* one per model, one of all loads, those of the scene, and attached ones */
    int force_count;
    int64_t force_capacity;
    mo_force *forces;
    mo_kinematics kinematics;
    mo_growth *growth; /* NULL: no body grows */
    mo_stages *stages;
    int stage_forces, stage_advance;
    int64_t cell_row_capacity, cell_stress_capacity;
    int32_t *cell_rows; /* of the last mo_forces_cells */
    double *cell_stress;
    struct mo_mass *mass;   /* solver of consistent masses; NULL: lumped */
    double h;               /* of the step in progress */
    int64_t probe_capacity; /* size of `probe`, the memory for bounds and frequencies */
    double *probe;
} mo_forces;

/* Appends a force, which the system then owns. */
mote_status mo_forces_add(mo_forces *forces, const mo_force *force, mote_error *error);

/* Force arguments of the slots x and v, with the last neighbour lists. */
mo_force_args mo_forces_arguments(mo_forces *forces, double time, int x, int v);

/* For implicit integrators: creates the solver; binds it to the current rows. */
mote_status mo_forces_open_newton(mo_forces *forces, mote_error *error);
/* Determines the forces without a Jacobian. */
mote_status mo_forces_judge_jacobians(mo_forces *forces);

/* Consistent masses (force.h): creates the solver if needed; a = M^-1 f from f/m in `a`; the
 * accelerations of kinematic particles, 0 of all others; and the contribution of C to
 * measurements. */
mote_status mo_mass_open(mo_forces *forces, mote_error *error);
void mo_mass_close(mo_forces *forces);
mote_status mo_mass_solve(mo_forces *forces, const mo_force_args *args, double *a,
                          mote_error *error);
void mo_mass_prescribed(const mo_forces *forces, double time, double *a);

/* Stresses: fills the columns `stress` and `von_mises`, if there are any. */
void mo_forces_derive(mo_system *system, double time);
/* The elements and their stress, in arrays owned by the system. */
mote_status mo_forces_cells(mo_system *system, double time, mote_cells *cells, mote_error *error);
/* Sections of the model `elements`; false: there are none. */
bool mo_forces_cut(const mo_system *system, const struct mo_cut *plane);

/* Its rows in report.json: of bodies with a model, and free particles. */
extern const mo_report_hooks mo_forces_reported;

/* The purpose of an evaluation: a force without its hook need not prepare for it. */
typedef enum mo_forces_purpose {
    MO_FOR_FORCES,
    MO_FOR_ENERGY,
    MO_FOR_STIFFNESS,
    MO_FOR_DAMPING
} mo_forces_purpose;

/* Before all ranges of an evaluation: neighbours, and `prepare` of the forces. */
mote_status mo_forces_prepare(mo_forces *forces, mo_force_args *args, mo_forces_purpose why,
                              mote_error *error);

/* Energies, momenta, virial; upper bounds of the highest frequency squared and of the rate of
 * damping (measure.c). */
mote_status mo_forces_measure(mo_system *system, double time, bool virial, mote_measures *measures,
                              mote_error *error);
mote_status mo_forces_stiffness(mo_system *system, double time, double *square, mote_error *error);
mote_status mo_forces_damping(mo_system *system, double time, double *rate, mote_error *error);
/* The square of the frequency of the current motion (motion.c), and memory for this and for
 * bounds. */
mote_status mo_forces_motion(mo_system *system, double time, double frame, double *square,
                             mote_error *error);
mote_status mo_forces_probe(mo_forces *forces, int64_t count, double **probe, mote_error *error);

/* Force arguments of the current state. */
mo_force_args mo_forces_now(const mo_forces *forces, double time);

/* The forces' Jacobian, to be released, and the version of its pattern. */
mo_jacobian mo_forces_jacobian(mo_forces *forces);
uint64_t mo_forces_coupling(const mo_forces *forces);

/* For static and modal analysis. */
extern const mo_static_hooks mo_forces_statics;

/* Adding and removing rows. */
extern const mo_edit_hooks mo_forces_edit;

void mo_forces_release(mo_system *system);

#endif
