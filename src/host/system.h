/*
 * A system: rows of one store that are advanced by one method. The world accesses systems through
 * this table only, never by name; system/systems.def lists them.
 *
 * A step of the world (world/step.c) calls, in this order and each for all systems before the next:
 *     begin     sort rows, find neighbours, predict
 *     solve     from t to t + h, one system after the other in the order of systems.def
 *     finish    added and removed rows, derived columns
 * Couplings (host/coupling.h) act in between. Optional tables: editing rows, external forces,
 * implicit solves, export.
 *
 * `section` lists its keys at the top level of a scene, `body_section` its keys of a body, `models`
 * the models of its bodies; bodies without a model belong to the system that `takes_particles`.
 * Its observables, its numbers in report.json and the way its rows are drawn are part of it, too.
 */
#ifndef MO_HOST_SYSTEM_H
#define MO_HOST_SYSTEM_H

#include "collide/reactions.h"
#include "collide/rows.h"
#include "host/def.h"
#include "host/host.h"
#include "integrate/force.h"
#include "integrate/jacobian.h"
#include "integrate/newton.h"
#include "integrate/step/step.h"
#include "mote/world.h"
#include "store/store.h"

/* The columns every system of particles has. */
typedef struct mo_particle_columns {
    mo_column *id, *x, *v, *a, *mass, *inverse_mass, *radius, *inverse_diameter, *body, *age;
    /* oriented particles only: quaternion, its first and second time derivative, angular velocity
     * and moments of inertia in the body frame, torque in the world frame */
    mo_column *q, *q_rate, *q_acceleration, *w, *inertia, *torque;
    mo_column *temperature, *species, *density; /* NULL: neither system nor method declares it */
    mo_column *contact_x; /* position at the start of the step; NULL: nothing needs it */
} mo_particle_columns;

typedef struct mo_system mo_system;
struct mo_cut;
struct mo_kernel;

/* Start, length and index of a step. The next step begins exactly at `end`. */
typedef struct mo_step_time {
    double time, h, end;
    int64_t step;
} mo_step_time;

/* Adding and removing rows. */
typedef struct mo_edit_hooks {
    /* Rows from `first` on are new, their common columns filled. */
    mote_status (*added)(mo_system *system, int64_t first, mote_error *error);
    /* Removal of rows, as for a force (integrate/force.h): `remap` prepares and may fail,
     * `settle` completes it. NULL: no row indices are stored. */
    mote_status (*remap)(mo_system *system, const int64_t *map, int64_t rows, mote_error *error);
    void (*settle)(mo_system *system, const int64_t *map);
    bool accepts; /* particles added by the caller (mote_world_add) */
} mo_edit_hooks;

/* External forces: a system with this table evaluates the callbacks of its rows
 * (mo_callbacks_add_forces) and the forces that couplings attach. */
typedef struct mo_force_hooks {
    /* Attaches another force, which the system then owns and destroys. On failure it does not. */
    mote_status (*attach)(mo_system *system, const mo_force *force, mote_error *error);
    /* Adds upper bounds of the row sums of |df/dx| of the elastic forces of its bodies, without
     * attached forces, three components per particle [N/m]. */
    mote_status (*bound_stiffness)(mo_system *system, double *bound, mote_error *error);
    /* contacts with colliders may act as forces; a fluid has its boundary instead */
    bool contacts;
} mo_force_hooks;

/* Upper bounds for the stability advisor, and statistics of implicit solves. */
typedef struct mo_stability_hooks {
    /* Of the highest frequency squared. */
    mote_status (*stiffness)(mo_system *system, double time, double *square, mote_error *error);
    /* Of the rate at which damping reduces velocities [1/s]. */
    mote_status (*damping)(mo_system *system, double time, double *rate, mote_error *error);
    /* The square of the frequency of the current motion, weighted by energy; bodies at zero
     * velocity are accelerated for half of `frame`. */
    mote_status (*motion)(mo_system *system, double time, double frame, double *square,
                          mote_error *error);
    /* The integrator with its parameters; NULL params: first-order dynamics, without
     * oscillations. */
    mo_method (*integrator)(const mo_system *system);
    bool (*first_order)(const mo_system *system);
    bool (*has_explicit)(const mo_system *system);      /* some force has no Jacobian */
    mo_newton_count (*solved)(const mo_system *system); /* of the last step */
} mo_stability_hooks;

/* Static equilibria and vibrations about them (analysis/static.c, modes.c): of systems whose forces
 * have Jacobians. */
typedef struct mo_static_hooks {
    /* An error for dynamics without static equilibria. */
    mote_status (*check)(const mo_system *system, mote_error *error);
    /* Force k; NULL beyond the last. */
    const mo_force *(*force)(const mo_system *system, int k);
    mo_force_args (*arguments)(mo_system *system, double time);
    /* The Jacobian, to be released, and the version of its pattern. */
    mo_jacobian (*jacobian)(mo_system *system);
    uint64_t (*coupling)(const mo_system *system);
    /* Whether states are trials of a line search, which checks their forces itself. */
    void (*set_trial)(mo_system *system, bool trial);
    /* After the analysis: invalidates the matrix slots that forces have stored. */
    void (*end)(mo_system *system);
} mo_static_hooks;

/* For drawing and export. */
typedef struct mo_export_hooks {
    /* Fills derived columns that no step needs, and their names, up to one that is NULL: in worlds
     * that declare them. */
    void (*derive)(mo_system *system, double time);
    const char *const *derived;
    /* The kernel of its particles in a scene with this system. NULL: they have none. */
    struct mo_kernel (*kernel)(const mo_world_def *def);
    /* Elements with their stresses; NULL: there are none. */
    mote_status (*cells)(mo_system *system, double time, mote_cells *cells, mote_error *error);
    /* Whether there are elements without a stress, which transmit forces (a plane NULL); and their
     * sections with a plane. May be NULL. */
    bool (*cut)(const mo_system *system, const struct mo_cut *plane);
} mo_export_hooks;

/* Limits of the energy balance (world/energy_drift.h). */
typedef struct mo_energy_budget {
    bool open;       /* unmeasured external work */
    bool stores;     /* stored energy that is not measured */
    int64_t warm_up; /* steps before the first measurement */
} mo_energy_budget;

enum { MO_NUMBERS_MAX = 32 }; /* named quantities of all systems of a world */

/* Entries of a list of the scene that a column refers to by index, for snapshots. */
typedef struct mo_name_table {
    const char *path;       /* of the list: "species" */
    const char *column;     /* column with the indices */
    int64_t count, allowed; /* entries, and valid indices of the column: 0 to allowed - 1 */
    const char *(*name)(const void *items, int64_t k); /* NULL: entries have no names */
    const void *items;
} mo_name_table;
enum { MO_NAME_TABLES_MAX = 8 };

/* A number of report.json. */
typedef struct mo_report_number {
    const char *name;
    double value; /* not finite: null */
    bool whole;   /* a count */
} mo_report_number;

/* The part of a system in report.json. */
typedef struct mo_report_hooks {
    /* Numbers of the run, at most MO_NUMBERS_MAX, written as an object with the name of the system,
     * which is null in scenes without it; returns how many. NULL: none. */
    int (*summary)(const mo_system *system, double time, mo_report_number *numbers);
    /* Kinds of its rows in "particles", up to one that is NULL: 0 in scenes without it. The array
     * NULL: one kind with the name of the system, in scenes with it. */
    const char *const *kinds;
    /* The rows of each kind; NULL: all are of the first one. */
    void (*count)(const mo_system *system, const mo_world_def *def, int64_t *counts);
} mo_report_hooks;

typedef struct mo_system_type {
    mo_descriptor base; /* name, summary */
    const mo_section *section, *body_section;
    const mo_family *models;
    const mo_family *observables; /* its own, mo_observable_type (host/observable.h); NULL: none */
    bool takes_particles;
    bool shapes;          /* its bodies may be made of shapes, which collide: rows are no points */
    bool solves_contacts; /* contacts with colliders are part of its solve */
    bool equal_steps;     /* a change of h is expensive: automatic steps stay equal if possible */
    /* Checks of its part of a scene beyond the tables. May be NULL. */
    mote_status (*check)(const mo_world_def *def, mo_memory *memory, mote_error *error);
    /* Whether a scene requires it. */
    bool (*wanted)(const mo_world_def *def);
    /* Builds the system; its type and host are set, the rest is zero. On failure nothing is
     * allocated. */
    mote_status (*create)(const mo_world_def *def, mo_system *system, mote_error *error);
    void (*destroy)(mo_system *system);

    /* may be NULL */
    mote_status (*begin)(mo_system *system, const mo_step_time *now, mote_error *error);
    mote_status (*solve)(mo_system *system, const mo_step_time *now, mote_error *error);
    /* may be NULL */
    mote_status (*finish)(mo_system *system, const mo_step_time *now, mote_error *error);

    /* Its step limit; NULL: none. Depends on the scene alone, so that it is the same in a
     * resumed run. */
    mo_step_bound (*limit)(const mo_system *system);
    /* Computes the accelerations of the current state. */
    mote_status (*evaluate)(mo_system *system, double time, mote_error *error);
    /* x or v were changed externally: integrators discard their history. May be NULL. */
    void (*disturb)(mo_system *system);
    /* Adds energies, mass and momenta; `virial`: with the virial and quantities derived from it. */
    mote_status (*measure)(mo_system *system, double time, bool virial, mote_measures *measures,
                           mote_error *error);
    /* Fills its fields of the public step report; NULL: none. */
    void (*report)(mo_system *system, mote_step_report *report);
    /* Named quantities of the last step, into `numbers` (at most MO_NUMBERS_MAX); returns their
     * number: the same ones in the same order in every state. May be NULL. */
    int (*numbers)(const mo_system *system, mote_quantity *numbers);
    /* The reactions of its last step on the colliders, if requested by the host; NULL: none. */
    const mo_reactions *(*reactions)(const mo_system *system);
    /* Warnings about the step that has just ended. May be NULL. */
    mote_status (*health)(mo_system *system, const mo_step_time *now, mote_step_report *report,
                          mote_error *error);
    void (*budget)(const mo_system *system, const mo_world_def *def, mo_energy_budget *budget);
    /* Energy exchanged without work [J]; NULL: none. */
    double (*slack)(mo_system *system, double time);
    /* Whether rows are reordered during the run; NULL: they are not. */
    bool (*resorts)(const mo_system *system);
    /* Lists of the scene that its columns refer to; returns their number. May be NULL. */
    int (*name_tables)(const mo_system *system, mo_name_table *tables);
    /* after divergence: the quantity that limits the time step, and a remedy */
    const char *remedy;
    const char *slow_remedy; /* remedy for a few particles that are too fast */

    const mo_edit_hooks *edit;              /* NULL: rows cannot be edited */
    const mo_force_hooks *force_hooks;      /* NULL: no external forces */
    const mo_stability_hooks *stability;    /* NULL: no stability limit except `limit` */
    const mo_static_hooks *statics;         /* NULL: no static equilibria */
    const mo_export_hooks *export;          /* NULL: no derived data */
    const mo_report_hooks *reported;        /* NULL: one kind of rows, no numbers */
    const struct mo_drawing_hooks *drawing; /* NULL: rows have the looks of their bodies */
} mo_system_type;

/* Names, ranges of rows, and drawing data. */
typedef struct mo_body_surface {
    int64_t first, count; /* of its triangles */
    bool solid;           /* closed */
    int64_t first_tetrahedron, tetrahedra;
} mo_body_surface;

typedef struct mo_body_table {
    int64_t count, capacity, scene_count; /* scene_count: those of the scene */
    mote_body *list;
    int64_t edge_count, triangle_count; /* pairs and triples of rows, for drawing and export */
    int32_t *edges, *triangles;
    int64_t tetrahedron_count; /* four rows each, for contact */
    int32_t *tetrahedra;
    /* of the scene's bodies, before rows are removed; NULL: none */
    mo_body_surface *surfaces;
    int64_t skin_count, skin_capacity; /* embedded surfaces, see skin.h */
    struct mo_skin *skins;
} mo_body_table;

/* Force callbacks of the caller (mote_world_add_force). */
enum { MO_CALLBACKS_MAX = 16 };
typedef struct mo_callbacks {
    int count;
    struct {
        mote_force_fn *function;
        void *context;
    } list[MO_CALLBACKS_MAX];
} mo_callbacks;

struct mo_system {
    const mo_system_type *type;
    mo_host *host;
    int32_t number; /* index in the world's list, used in contacts */
    mo_store *store;
    mo_particle_columns columns;
    /* destination of `evaluate`: accelerations, or velocities in first-order dynamics */
    mo_column *rate;
    void *state;
    mo_body_table bodies;
    int64_t first_id, built; /* first id and number of the scene's rows */
    int64_t evaluations;
    mo_callbacks callbacks;
    int64_t grown_from;       /* the first row added by the last step; -1: none */
    mo_contact_count contact; /* with colliders, in the last step */
    double contact_offset;    /* contact with colliders begins at this distance, in radii */
};

/* The system of this type in a world; NULL: there is none. */
const mo_system *mo_world_system(const mote_world *world, const mo_system_type *type);

/* Declares the common columns of systems of particles. */
mote_status mo_particle_columns_declare(mo_system *system, mote_error *error);

/* After its creation: finds the columns with a common meaning that it or its methods declare. */
void mo_particle_columns_find(mo_system *system);

/* Declares `contact_x`, for couplings that need the path of a step. */
mote_status mo_particle_columns_declare_contact_x(mo_system *system, mote_error *error);

/* Releases the body table and the store. */
void mo_system_release(mo_system *system);

/* Prepends the scene's path to an error message; `format` may name `index`. */
mote_status mo_at_path(mote_status status, mote_error *error, const char *format, long long index);

/* The name of the body that a row belongs to. */
const char *mo_system_body_name(const mo_system *system, int64_t row);

/* The description of a particle in messages: id, body and system. */
enum { MO_PARTICLE_NAME = 160 };
void mo_particle_name(const mo_system *system, int64_t row, char name[MO_PARTICLE_NAME]);

/* The particles of a system for contact search. */
mo_contact_rows mo_system_contact_rows(const mo_system *system);

/* Whether its dynamics are of first order: v follows from the forces. */
bool mo_system_first_order(const mo_system *system);

/* Whether contacts with colliders act on it as forces. */
bool mo_system_sums_contacts(const mo_system *system);

/* Adds the forces of the callbacks on the rows [first, last). */
void mo_callbacks_add_forces(const mo_callbacks *callbacks, const mo_force_args *args,
                             int64_t first, int64_t last);

/* After a step: increments `age` of all rows. */
void mo_system_count_age(mo_system *system);

/* Removes the rows with removed[row] != 0 and everything that refers to them; row indices stored
 * by couplings are updated. On failure nothing is changed. */
mote_status mo_system_remove(mo_system *system, const uint8_t *removed, mote_error *error);

/* Copies all columns of a row, except its id, to another row. */
void mo_system_copy_row(mo_system *system, int64_t from, int64_t to);

/* Moves the rows with removed[row] != 0 to another system, where they are appended with their
 * ids and the values of all common columns, as the last body if it has this name, else as a new
 * one. On failure nothing is changed. */
mote_status mo_system_transfer(mo_system *from, const uint8_t *removed, mo_system *to,
                               const char *body, mote_error *error);

#endif
