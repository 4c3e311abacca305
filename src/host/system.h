/*
 * A system: rows of one store that are advanced together. The world knows systems only through this table.
 */
#ifndef MO_HOST_SYSTEM_H
#define MO_HOST_SYSTEM_H

#include "base/timer.h"
#include "integrate/newton.h"
#include "integrate/step/step.h"
#include "math/vec3.h"
#include "mote/world.h"
#include "store/store.h"

/* The columns every system of particles has. */
typedef struct mo_particle_columns {
    mo_column *id, *x, *v, *a, *mass, *inverse_mass, *radius, *inverse_diameter, *body, *age;
    mo_column *contact_x; /* only where there are colliders */
    /* only where something is oriented: quaternion, its first and second rate, angular velocity and moments
       of inertia in the body's frame, torque in the world's */
    mo_column *q, *q_rate, *q_acceleration, *w, *inertia, *torque;
} mo_particle_columns;

typedef struct mo_system mo_system;

/* When a step begins, how long it is, and how many were before it. The next step begins at `end`, to the bit. */
typedef struct mo_step_time {
    double time, h, end;
    int64_t step;
} mo_step_time;

typedef struct mo_system_type {
    const char *name;
    /* Takes the system from time to time + h. */
    mote_status (*step)(mo_system *system, const mo_step_time *now, mo_stages *stages, mote_error *error);
    /* Fills the accelerations of the state as it is. */
    mote_status (*evaluate)(mo_system *system, double time, mote_error *error);
    /* Something outside changed x or v. */
    void (*disturb)(mo_system *system);
    /* Adds kinetic, potential and elastic energy, mass and momenta. */
    /* `virial`: with the virial and what follows from it, which costs as much as the energy */
    mote_status (*measure)(mo_system *system, double time, bool virial, mote_measures *measures,
                           mote_error *error);
    /* An upper bound of the highest frequency squared. */
    mote_status (*stiffness)(mo_system *system, double time, double *square, mote_error *error);
    /* An upper bound of how fast damping takes velocities [1/s]; NULL: none does. */
    mote_status (*damping)(mo_system *system, double time, double *rate, mote_error *error);
    /* What it asks of its steps; NULL: nothing. Follows from the scene alone, so that a resumed run finds the same. */
    mo_step_bound (*bound)(const mo_system *system);
    /* Rows from `first` on are new, their usual columns filled. */
    mote_status (*added)(mo_system *system, int64_t first, mote_error *error);
    /* Rows are to be removed, as for a force (integrate/force.h): `remap` prepares and may fail,
       `settle` ends it. NULL: nothing hangs on rows. */
    mote_status (*remap)(mo_system *system, const int64_t *map, int64_t rows, mote_error *error);
    void (*settle)(mo_system *system, const int64_t *map);
    /* Whether rows change their order while it runs; NULL: they do not. */
    bool (*resorts)(const mo_system *system);
    mote_status (*add_force)(mo_system *system, mote_force_fn *force, void *context, mote_error *error);
    /* What it says of its last step; NULL: nothing. */
    void (*report)(const mo_system *system, mote_step_report *report);
    /* How many forces of the caller's own there are; and takes over those of another system of its kind. */
    int (*callbacks)(const mo_system *system);
    void (*adopt_callbacks)(mo_system *system, const mo_system *from);
    /* Fills the columns that follow from the state and that no step needs (stresses, densities to
       be shown); and elements with theirs. NULL: there are none. */
    void (*derive)(mo_system *system, double time);
    mote_status (*cells)(mo_system *system, double time, mote_cells *cells, mote_error *error);
    void (*destroy)(mo_system *system);
} mo_system_type;

/* The columns that every system of particles has. */
mote_status mo_particle_columns_declare(mo_system *system, mote_error *error);

/* Puts the scene's path in front of what a part of it complained about; `format` may name `index`. */
mote_status mo_at_path(mote_status status, mote_error *error, const char *format, long long index);

/* Removes the rows with gone[row] != 0 and everything that ends in them. On failure nothing has
   changed. */
mote_status mo_system_remove(mo_system *system, const uint8_t *gone, mote_error *error);

struct mo_system {
    const mo_system_type *type;
    mo_memory *memory;
    mo_pool *pool;
    mo_store *store;
    mo_particle_columns columns;
    mo_column *felt; /* where `evaluate` puts what moves the particles: accelerations, or velocities in
                        first-order dynamics */
    void *state;
    int64_t built; /* rows that the scene made; their ids are the numbers below this */
    int64_t evaluations;
    int64_t contacts;           /* in the last step */
    int64_t crossings;          /* and those of them that began with the centre beyond a surface */
    int64_t grown_from;         /* the first of the rows that the last step has added; -1: none were */
    bool touches_late;          /* contacts are a net behind walls that push: they begin at half a radius */
    struct mo_contacts *solids; /* that implicit steps feel; NULL: none */
    bool has_explicit;          /* some force has no Jacobian */
    const char *not_implicit;   /* a force without a Jacobian, if the integrator is implicit; else NULL */
    mo_newton_count solved;     /* in the last step; all 0 if nothing implicit was solved */
    /* for drawing and export: pairs and triples of rows */
    int64_t edge_count, triangle_count;
    int32_t *edges, *triangles;
    int64_t skin_count, skin_capacity; /* surfaces that ride on bodies, see skin.h */
    struct mo_skin *skins;
    int64_t body_count, body_capacity;
    mote_body *bodies;
};

#endif
