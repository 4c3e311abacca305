/*
 * mote/world.h: a world is built from a scene and advanced step by step.
 *
 * Any number of worlds may exist in a process. Only one thread at a time may call into a world; it
 * uses its own worker threads. Results do not depend on their number.
 *
 * A world has systems ("fluid", "forces"; found by mote_world_system_find). Each system's particles
 * are the rows of named columns: "x" position [m], "v" velocity [m/s], "mass" [kg], "id", ... A
 * pointer to a column stays valid until the number of rows changes; a row's identity is its "id",
 * not its index.
 *
 * Ids are unique in a world and never reused; those of the scene's particles count from 0, system
 * by system. Bodies are numbered through all systems, and a body's `first` is a row of its own
 * `system`.
 */
#ifndef MOTE_WORLD_H
#define MOTE_WORLD_H

#include "mote/base.h"
#include "mote/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_world mote_world;

/* `config` may be NULL. */
mote_status mote_world_create(const mote_scene *scene, MOTE_OPTIONAL const mote_config *config,
                              mote_world **world, mote_error *error);
void mote_world_destroy(MOTE_OPTIONAL mote_world *world);

/* Report of one step. The texts are valid as long as the world. */
typedef struct mote_step_report {
    int64_t step;           /* steps taken so far, this one included */
    double time;            /* after the step [s] */
    double dt;              /* the step's size [s] */
    const char *limited_by; /* the active limit: "fixed", "courant", "max", "min", "frame" */
    double courant;         /* max over particles of |v| dt / diameter */
    int64_t courant_id;     /* id of that particle, if it is above 1; else -1 */
    int courant_system;     /* its system; else -1 */
    int64_t contacts;       /* particles in contact with colliders */
    /* fluid particles that penetrated the boundary and were projected back */
    int64_t penetrations;
    int64_t evaluations; /* number of force evaluations */
    /* implicit integrators, else 0: iterations of Newton's method and of the linear solver, and
     * relative residuals: of Newton's method (0 with a single iteration) and the largest of the
     * linear systems */
    int64_t newton_iterations, linear_iterations;
    double newton_residual, linear_residual;
    int warning_count; /* different warnings so far, see mote_world_warning */
    /* Fluids; 0 without one. Density errors are relative, compression only, by summation at the
     * positions at the start of the step. Residuals are those of the solver. */
    double density_error, density_error_max; /* average and maximum */
    int iterations, divergence_iterations;
    double residual, divergence_residual;
} mote_step_report;

/* One step, its size chosen by the scene's step control. `report` may be NULL. */
mote_status mote_world_step(mote_world *world, MOTE_OPTIONAL mote_step_report *report,
                            mote_error *error);

/* Steps until `time` is reached: exactly, if the step control and the integrator may shorten a
 * step, else to the nearest step. `report` is of the last step. A time that is not finite, or more
 * than a step before the world's, is MOTE_ERROR_USAGE. */
mote_status mote_world_advance(mote_world *world, double time,
                               MOTE_OPTIONAL mote_step_report *report, mote_error *error);

double mote_world_time(const mote_world *world);
int64_t mote_world_steps(const mote_world *world);

/* Warnings, each with its remedy: one row per kind, with the number of occurrences. Beyond the last
 * the text is "". */
typedef struct mote_warning {
    const char *text;
    int64_t count;
    double first_time;
} mote_warning;
int mote_world_warning_count(const mote_world *world);
mote_warning mote_world_warning(const mote_world *world, int index);

/* Systems and their columns. */
int mote_world_system_count(const mote_world *world);
const char *mote_world_system_name(const mote_world *world, int system);
int mote_world_system_find(const mote_world *world, const char *name); /* -1 if there is none */
int64_t mote_world_rows(const mote_world *world, int system);
int mote_world_column_count(const mote_world *world, int system);
/* False if there is none; `column` may be NULL to test for existence. */
bool mote_world_column(const mote_world *world, int system, int index,
                       MOTE_OPTIONAL mote_column *column);
bool mote_world_column_find(const mote_world *world, int system, const char *name,
                            MOTE_OPTIONAL mote_column *column);

/* The periodic domain: along the axes with periodic[k], from low[k] to high[k] [m]. The columns
 * have unwrapped positions. */
typedef struct mote_domain {
    bool periodic[3];
    double low[3], high[3];
} mote_domain;
mote_domain mote_world_domain(const mote_world *world);

/* Must be called after x or v (or q and q_rate, from which w follows) was written through a column:
 * integrators then discard their history. */
void mote_world_invalidate(mote_world *world, int system);

/* Bodies are named ranges of a system's rows. One that does not exist has no name and the system
 * -1. */
typedef struct mote_body {
    const char *name;
    int system;
    int64_t first, count;
} mote_body;
int mote_world_body_count(const mote_world *world);
mote_body mote_world_body(const mote_world *world, int index);
bool mote_world_body_find(const mote_world *world, const char *name, MOTE_OPTIONAL mote_body *body);

/* Joints of rigid bodies, in the order of the scene; those with nodes of deformable bodies last.
 * Forces and torques are means over the last step, 0 before the first. */
typedef struct mote_joint {
    const char *name;   /* in the scene; default "jointN" */
    const char *type;   /* "ball", "hinge", ... */
    int64_t copy;       /* number in a chain, else 0 */
    double point[3];    /* the joint's point on the first body [m] */
    double force[3];    /* on the first body at this point [N]; the opposite acts on the second */
    double torque[3];   /* on the first body about this point [N m] */
    double coordinate;  /* hinge: angle [rad]; slider: displacement, distance: distance [m] */
    double error;       /* distance between the joined points, or of a distance [m] */
    double angle_error; /* between the joined axes [rad] */
} mote_joint;
int64_t mote_world_joint_count(const mote_world *world);
/* False if there is none; `joint` may be NULL to test for existence. */
bool mote_world_joint(const mote_world *world, int64_t index, MOTE_OPTIONAL mote_joint *joint);
bool mote_world_joint_find(const mote_world *world, const char *name, int64_t copy,
                           MOTE_OPTIONAL mote_joint *joint);

/* Adds particles, which form a new body; NULL means zero, masses of 1 kg. Pointers to columns are
 * invalid afterwards. On failure the world is unchanged. */
typedef struct mote_particles {
    const char *name; /* NULL: "bodyN" */
    int64_t count;
    const double *x, *v; /* three components per particle */
    const double *mass;
    double radius; /* 0: no size */
    /* Worlds with oriented bodies only: quaternions (w, x, y, z; NULL: identity), angular
     * velocities in the particle's frame [rad/s], moments of inertia [kg m^2] (NULL: of balls of
     * the radius; without a radius the particles are not oriented). */
    const double *q, *w, *inertia;
} mote_particles;
mote_status mote_world_add(mote_world *world, const mote_particles *particles,
                           MOTE_OPTIONAL mote_body *body, mote_error *error);

/* Removes the rows of a system with removed[row] != 0 (one entry per row), and their springs, edges
 * and triangles. On failure the world is unchanged. A system without rows is valid. */
mote_status mote_world_remove(mote_world *world, int system, const uint8_t *removed,
                              mote_error *error);

/* Stiffness of the current state and the resulting time step limits. */
typedef struct mote_advice {
    const char *integrator;
    int order;
    /* largest stable step without damping [s]; 0 = unconditionally unstable, infinite =
     * unconditionally stable */
    double stable_step;
    /* the integrator of this world, with its parameters; others use defaults */
    bool current;
    double step;     /* the world's next step [s] */
    double accuracy; /* (omega step)^2/12, relative truncation error of leapfrog */
    /* largest stable step with damping (springs, elements, forces) [s]; smaller in explicit
     * schemes */
    double damped_step;
} mote_advice;
/* Upper bound of the highest angular frequency [rad/s]; 0 without stiffness. */
mote_status mote_world_frequency(mote_world *world, double *omega, mote_error *error);
/* Upper bound of the damping rate [1/s]; 0 without damping. */
mote_status mote_world_damping(mote_world *world, double *rate, mote_error *error);
/* Advice for each integrator at that frequency and damping; false beyond the last, and in
 * first-order dynamics, which has no oscillations. */
bool mote_world_advice(const mote_world *world, double omega, double rate, int index,
                       MOTE_OPTIONAL mote_advice *advice);

/* The size of the next step [s], and the active limit ("courant", "stability", "accuracy", "frame",
 * ...; docs/scenes.md lists them). */
double mote_world_step_size(const mote_world *world, MOTE_OPTIONAL const char **limited_by);

/* Solves for static equilibrium of the "forces" system and sets its velocities to zero. Prescribed
 * particles are at their positions at `time`. Contacts with colliders are unilateral constraints;
 * plane bodies stay in their plane. MOTE_ERROR_NUMERIC if the solve does not converge. */
typedef struct mote_static_options {
    double time;      /* [s] */
    double tolerance; /* residual force, relative to the load */
    int iterations;   /* at most */
} mote_static_options;
typedef struct mote_static_report {
    int64_t iterations, linear_iterations, evaluations;
    double force;        /* residual force: l2 norm [N] */
    double residual;     /* the same relative to the load */
    double displacement; /* largest displacement of a particle [m] */
} mote_static_report;
mote_static_options mote_static_options_default(void);
/* `options` and `report` may be NULL. */
mote_status mote_world_solve_static(mote_world *world,
                                    MOTE_OPTIONAL const mote_static_options *options,
                                    MOTE_OPTIONAL mote_static_report *report, mote_error *error);

/* The lowest natural frequencies of undamped vibrations about the current state. Active contacts
 * with colliders are fixed; plane bodies move in their plane. Writes `count` (at most
 * MOTE_MODES_MAX) angular frequencies [rad/s], ascending (0 for rigid-body modes), and, unless it
 * is NULL, the mode shapes: count times three components for each row of the "forces" system, 0 for
 * fixed particles, normalised to sum m |u|^2 = 1. */
enum { MOTE_MODES_MAX = 150 };
mote_status mote_world_modes(mote_world *world, int count, double *omega,
                             MOTE_OPTIONAL double *shapes, mote_error *error);

/* Edges (pairs of rows) and triangles (triples of rows) of a system, for drawing and export: their
 * number, and, unless `rows` is NULL, their rows. */
int64_t mote_world_edges(const mote_world *world, int system, MOTE_OPTIONAL const int32_t **rows);
int64_t mote_world_triangles(const mote_world *world, int system,
                             MOTE_OPTIONAL const int32_t **rows);

/* For drawing and export: computes the derived columns of the current state; it does not affect the
   next step. Finite elements: "stress" (11 22 33 12 13 23) and "von_mises" of the nodes, where
   there are any. Fluids: "density" at the current positions, and the "pressure" of an equation of
   state; the pressure of an implicit solver is that of the last step. */
void mote_world_derive(mote_world *world);
/* The elements with their stresses; valid until the next call. */
typedef struct mote_cells {
    int64_t count;
    const int32_t *rows;  /* four each; the fourth of a triangle is -1 */
    const double *stress; /* six each [Pa] */
} mote_cells;
mote_status mote_world_cells(mote_world *world, int system, mote_cells *cells, mote_error *error);

/* Embedded surface meshes of the bodies of a system (a body's "skin" in a scene), for drawing and
 * export. */
typedef struct mote_skin {
    const char *body; /* its name */
    int64_t vertices, triangles;
    const int32_t *corners; /* three vertices per triangle, counter-clockwise from outside */
} mote_skin;
int mote_world_skin_count(const mote_world *world, int system);
bool mote_world_skin(const mote_world *world, int system, int index, MOTE_OPTIONAL mote_skin *skin);
/* A column interpolated to the vertices by barycentric weights: "x" gives their positions. `values`
 * has the column's number of components for each vertex. False if there is no such real-valued
 * column. */
bool mote_world_skin_interpolate(const mote_world *world, int system, int index, const char *column,
                                 double *values);

/* A force callback, added to the "forces" system in every force evaluation; in a world without
 * bodies, to the fluid in every step. It is called for ranges of rows [first, last) that do not
 * overlap, from several threads at once: it adds to f inside the range, may read all rows, and
 * writes nothing else. For results that do not depend on threads it must depend on the rows
 * alone. */
typedef struct mote_force_view {
    double time;
    int64_t first, last;
    const double *x, *v, *mass; /* of all rows; x and v have three components per row */
    double *f;                  /* of all rows [N] */
    /* orientation (w, x, y, z) and angular velocity in the body frame [rad/s]; NULL without
     * oriented bodies */
    const double *q, *w;
    double *torque; /* in the world frame [N m]; NULL likewise */
} mote_force_view;
typedef void mote_force_fn(void *context, const mote_force_view *view);
mote_status mote_world_add_force(mote_world *world, mote_force_fn *force,
                                 MOTE_OPTIONAL void *context, mote_error *error);

/* Sums over the world, in double precision and in an order that does not depend on threads. */
typedef struct mote_measures {
    double mass;
    double kinetic, potential, elastic; /* [J]; potential: gravity and external fields */
    double momentum[3];                 /* [kg m/s] */
    double angular_momentum[3];         /* about the origin [kg m^2/s] */
    /* kinetic temperature of the "forces" system [K] */
    double temperature;
    double virial;   /* sum of r . f over the pairs of pair forces [J] */
    double pressure; /* by the virial [Pa]; NaN unless the domain is periodic along all axes */
} mote_measures;
mote_status mote_world_measure(mote_world *world, mote_measures *measures, mote_error *error);

/* Named values of the last step reported by the systems of a world; a run's table has a column for
 * each. Their number and names do not change during the lifetime of a world. */
/* Reduction over several steps. */
typedef enum mote_reduction { MOTE_LAST, MOTE_MEAN, MOTE_MAX, MOTE_SUM } mote_reduction;
typedef struct mote_quantity {
    const char *system, *name;
    const char *unit; /* "1" if dimensionless */
    mote_reduction reduction;
    double value;
} mote_quantity;
int mote_world_quantity_count(const mote_world *world);
/* Beyond the last the name is NULL. */
mote_quantity mote_world_quantity(const mote_world *world, int index);

/* Fluid statistics of the steps of this world; zero without a fluid. */
typedef struct mote_fluid_summary {
    int64_t particles; /* now */
    int64_t boundary;  /* boundary particles */
    int64_t steps;
    int64_t iterations, divergence_iterations;
    int iterations_max; /* of one solve */
    /* steps in which a solve reached its maximum iterations above its tolerance */
    int64_t unconverged;
    /* of these, steps in which the divergence-free solve did */
    int64_t divergence_unconverged;
    /* largest relative residuals */
    double residual_max, divergence_residual_max;
    /* number of density error samples: initial states of steps except the first */
    int64_t states;
    double density_error_sum, density_error_max;
    int64_t emitted, removed;
    int64_t penetrations; /* particles that penetrated the boundary and were projected back */
    /* particles removed at the start because of overlaps */
    int64_t culled;
} mote_fluid_summary;
mote_fluid_summary mote_world_fluid(const mote_world *world);

/* Current density error: the average and the maximum of density/rest density - 1 where positive, by
 * summation. Performs a new neighbour search; does not change the world. */
mote_status mote_world_density_error(mote_world *world, MOTE_OPTIONAL double *mean,
                                     MOTE_OPTIONAL double *max, mote_error *error);

/* The scene's "observables": vector-valued measurements, such as a distribution. Each has a name
 * ("radial_distribution"; further ones of a kind are numbered) and gives `size` values with a label
 * each: a name with its unit, or the centre of a bin. Measuring does not change the world. Values
 * that are not finite are MOTE_ERROR_NUMERIC. */
int mote_world_observable_count(const mote_world *world);
const char *mote_world_observable_name(const mote_world *world, int index);
int64_t mote_world_observable_size(const mote_world *world, int index);
void mote_world_observable_label(const mote_world *world, int index, int64_t number, char *label,
                                 size_t size);
mote_status mote_world_observe(mote_world *world, int index, double *values, mote_error *error);

/* A hash of x and v (and q, w) of all particles by id, independent of the storage order. */
uint64_t mote_world_state_hash(mote_world *world);

/* Time by stage, and the load of the threads. */
typedef struct mote_stage {
    const char *name;
    double seconds;
} mote_stage;
int mote_world_stage_count(const mote_world *world);
mote_stage mote_world_stage(const mote_world *world, int index);
int mote_world_threads(const mote_world *world);
int64_t mote_world_worker_blocks(const mote_world *world, int worker);

/* Current memory of the world, and its number of allocations. */
int64_t mote_world_memory(const mote_world *world);
int64_t mote_world_allocations(const mote_world *world);

#ifdef __cplusplus
}
#endif
#endif
