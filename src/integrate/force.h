/*
 * Forces: descriptors (methods), and forces of a system (a descriptor and its instance).
 *
 * Owner computes: a force is evaluated for the rows [first, last) and adds to f of these rows only.
 * A spring between two ranges is computed by both. So no two threads write the same memory, no
 * atomics and no colouring are needed, results are bitwise identical on any number of threads, and
 * all forces on a block of rows are summed while the block is in the cache. The ranges are always
 * blocks of MO_FORCE_GRAIN rows, in any order: a force with element lists (springs, elements) may
 * sort them by block beforehand.
 *
 * Rejected: a table of functions by value in every force (a descriptor with another name, filled by
 * hand and incomplete), and one descriptor for pair forces with another for models (two lists of
 * the same hooks).
 */
#ifndef MO_INTEGRATE_FORCE_H
#define MO_INTEGRATE_FORCE_H

#include "base/param.h"
#include "base/pool.h"
#include "linear/block_matrix.h"
#include "neighbor/domain.h"
#include "neighbor/pairs.h"
#include "store/store.h"

enum { MO_FORCE_GRAIN = 4096, MO_FORCE_COLUMNS_MAX = 8 };

/* Capabilities. External: the force on a particle depends on its own x, v, mass and columns only,
 * without stored row indices; so it acts on any system, sorted or not. Scoped: it may be limited to
 * bodies (integrate/force_scope.h). */
enum { MO_FORCE_EXTERNAL = 1u << 0, MO_FORCE_SCOPED = 1u << 1 };

typedef struct mo_force_args {
    double time;
    int64_t rows;
    const double *x, *v, *mass;
    double *f;
    /* oriented particles only, else NULL: quaternions, angular velocities in the body frame,
       torques in the world frame */
    const double *q, *w;
    double *torque;
    const mo_pairs *pairs; /* for the forces with a range; else NULL */
    /* Positions one Newton iteration ago; NULL: none. Then df/dx, unless it has to be definite, is
       that of a mixed method, in which stresses are additional unknowns, predicted by the iteration
       (analysis/static.c). */
    const double *before;
} mo_force_args;

/* Surface triangles of the bodies of a system: three rows each, and whether the surface that each
   belongs to encloses a volume. */
typedef struct mo_force_faces {
    int64_t count;
    const int32_t *rows;
    const uint8_t *closed;
} mo_force_faces;

/* The system that a force is created for. */
typedef struct mo_force_context {
    mo_memory *memory;
    mo_store *store; /* NULL in unit tests of a force */
    mo_domain domain;
    mo_list species;      /* mo_species_def */
    mo_force_faces faces; /* valid while the force is created */
} mo_force_context;

/* Derivatives that a Jacobian has. */
enum {
    MO_DF_DX = 1u << 0,
    MO_DF_DV = 1u << 1,
    MO_DF_DA = 1u << 2,
    MO_DF_MIXED = 1u << 3 /* df/dx uses args->before */
};

/* The requested combination: along_x df/dx + along_v df/dv + along_a df/da. */
typedef struct mo_jacobian_ask {
    double along_x, along_v;
    bool definite;
    double along_a;
} mo_jacobian_ask;

/*
 * Jacobians, for implicit schemes, are also computed by owners: K = df/dx and D = df/dv of the rows
 * [first, last), either as 3x3 blocks added into a matrix with a fixed pattern, or as a product
 * with a vector. The scheme requests the combination it needs, so that one matrix is filled instead
 * of two. The order of calls: couple (once, and again after rows were removed or, for forces with a
 * range, the pairs changed), find_slots (when the matrix is laid out), prepare (as before an
 * evaluation of forces, at the same x and v), then fill or multiply, by block of rows, on any
 * number of threads.
 *
 * Matrices are symmetric: a force gives the symmetric part and documents the neglected part. For a
 * `definite` one it clamps the terms that make -K indefinite (the transverse stiffness of a
 * compressed spring); otherwise the Jacobian is exact, as Newton's method near a solution and
 * natural frequencies need it. Implicit schemes treat a force without a Jacobian explicitly in the
 * first iteration, then at the last iterate.
 *
 * Consistent masses are also a force: with M = diag(mass) + C it is -C a, so C is -df/da. `add`
 * omits it, since accelerations are the unknowns; solvers request the part along_a. Rows of C sum
 * to 0.
 */
typedef struct mo_force_jacobian {
    /* MO_DF_DX
     *  ... available; an instance may have fewer */
    unsigned derivatives;
    /* Adds the pairs of rows it couples to the pattern. NULL if it couples no different rows. */
    mote_status (*couple)(const void *instance, const mo_force_args *args, mo_memory *memory,
                          mo_block_pattern *pattern, mote_error *error);
    /* Looks up and stores the slots of its blocks in a matrix. Missing blocks (slot -1) are
     * skipped: a matrix-free solver builds its preconditioner from the diagonal alone. NULL if it
     * uses matrix->diagonal, or searches. */
    mote_status (*find_slots)(void *instance, const mo_block_matrix *matrix, mote_error *error);
    void (*fill)(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                 mo_block_matrix *matrix, int64_t first, int64_t last);
    /* Adds to y of its rows the product with p; equal to the filled matrix up to rounding. p and y
     * have three components per row, and p one value of padding. */
    void (*multiply)(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                     const double *p, double *y, int64_t first, int64_t last);
    /* For a force with variable couplings (contacts): a number that changes with them. NULL: they
       are constant, or those of the pairs. */
    uint64_t (*coupling)(const void *instance);
} mo_force_jacobian;

/* Stresses for output. Components: 11 22 33 12 13 23. */
typedef struct mo_force_stress {
    /* Adds the rest volume of a row's elements to volume[row], and their Cauchy stresses times it
       to the six components at stress + 6 row. */
    void (*nodes)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                  double *volume, double *stress);
    /* Writes its elements, each once: four rows (the fourth of a triangle is -1) and six
     * components of stress; returns their number. Both NULL: counts them. May be NULL. */
    int64_t (*cells)(const void *instance, const mo_force_args *args, int32_t *rows,
                     double *stress);
} mo_force_stress;

/* For static equilibrium and natural frequencies. Each hook may be NULL. */
typedef struct mo_force_statics {
    /* A static solve begins at x, has accepted the iterate x, or has ended (x NULL). For forces
       that depend on velocity in motion and on tangential displacement here (dry friction). */
    mote_status (*accept)(void *instance, const double *x, mote_error *error);
    /* mask[row] = 1 for the rows of plane elements, which have no stiffness along z. */
    void (*mark_planar)(const void *instance, uint8_t *mask);
} mo_force_statics;

typedef struct mo_force mo_force;

/* Hooks may be NULL unless a comment says otherwise. Those for a range of rows run on any
 * thread. */
typedef struct mo_force_type {
    mo_descriptor base; /* at least a name; its columns are declared before `create` */
    bool elastic;       /* the energy is elastic (else potential) */
    bool row_energy;    /* the energy may be requested for single rows: of pair potentials */
    /* Sets force->instance and the members that differ between instances. NULL: the parameters are
       the instance. */
    mote_status (*create)(const void *params, const mo_force_context *context, mo_force *force,
                          mote_error *error);
    void (*destroy)(void *instance, mo_memory *memory);
    /* Rows from `first` on are new: initialises its columns. */
    mote_status (*begin)(void *instance, const mo_force_args *args, int64_t first, mo_pool *pool,
                         mote_error *error);
    /* Before the ranges of one evaluation, from the calling thread. */
    mote_status (*prepare)(void *instance, const mo_force_args *args, mo_pool *pool,
                           mote_error *error);
    /* Never NULL. */
    void (*add)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    /* After a step of h: integrates its internal variables to args->time. */
    mote_status (*advance)(void *instance, const mo_force_args *args, double h, mo_pool *pool,
                           mote_error *error);
    /* The energy share of these rows; the sum over all blocks is the total. */
    double (*energy)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    /* The sum of r . f over the pairs of these rows, half of a pair for each. */
    double (*virial)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    /* Adds the contribution of C to the kinetic energy (first) and to the angular momentum (the
       other three) of these rows. Needed with MO_DF_DA. */
    void (*inertia)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double sum[4]);
    /* Adds to bound[3 row + c] an upper bound of the sum over all columns of |df/dx| in the row of
       component c [N/m]: by Gershgorin's theorem no angular frequency is above sqrt(max
       bound/mass); the bound is larger by the condition of M if masses are coupled. NULL: no
       stiffness. */
    void (*stiffness)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound);
    /* The same of |df/dv| [kg/s]. NULL: the force does not depend on velocities. */
    void (*damping)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double *bound);
    /* An upper bound of the energy that changes without work, as of pairs that cross a cut-off [J].
     */
    double (*slack)(const void *instance, const mo_force_args *args);
    /* Removal of rows as a transaction: map[old row] is the new row or -1, `rows` the remaining
     * number. `remap` builds new tables of rows beside the old ones; `settle` commits them and
     * cannot fail, or with NULL discards them. Both NULL if it stores no rows. */
    mote_status (*remap)(void *instance, const int64_t *map, int64_t rows, mote_error *error);
    void (*settle)(void *instance, const int64_t *map);
    const mo_force_jacobian *jacobian;
    const mo_force_stress *stress;
    const mo_force_statics *statics;
} mo_force_type;

/* A force in a system. */
struct mo_force {
    const mo_force_type *type;
    void *instance;
    double range;         /* between particles nearer than this, by args->pairs; 0: it has none */
    unsigned derivatives; /* of its Jacobian, MO_DF_DX | ...; 0: none */
    double stride;        /* largest displacement in an iteration of a static solve; 0: unlimited */
    bool open;            /* it may do work that its energy does not include: wind, heat */
    bool evolves;         /* it has internal variables (temperature, plastic strain) to advance */
    bool attached;        /* by a coupling: excluded from the stiffness of the system's bodies */
    /* In the order of base.columns; NULL without a store. */
    mo_column *column[MO_FORCE_COLUMNS_MAX];
};

/* Creates a force of a type; nothing has to be destroyed after a failure. */
mote_status mo_force_create(const mo_force_type *type, const void *params,
                            const mo_force_context *context, mo_force *force, mote_error *error);
void mo_force_destroy(mo_force *force, mo_memory *memory);

/* After the sums of `stress->nodes` of all forces: the mean stresses of the rows [first, last), and
 * in place of the volumes their equivalent (von Mises) stresses. */
void mo_force_mean_stresses(int64_t first, int64_t last, double *volume, double *stress);

#endif
