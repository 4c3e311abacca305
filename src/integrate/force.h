/*
 * What a force looks like to the system that sums forces.
 *
 * Owner computes: a force is asked for the rows [first, last) and adds to f of these rows only. A spring
 * between two ranges is computed by both. So no two threads write the same place, no atomics and no colouring
 * are needed, the same bits come out on any number of threads, and all forces on a block of rows are summed
 * while the block is in the cache. The ranges are always the blocks of MO_FORCE_GRAIN rows, in any order: a
 * force with lists of its own (springs, elements) may sort them by block beforehand.
 *
 * Jacobians, for implicit schemes, are the owner's too: K = df/dx and D = df/dv of the rows [first, last), either as 3x3
 * blocks added into a matrix with a fixed pattern, or as a product with a vector. The scheme asks for the combination that
 * it needs, along_x K + along_v D, so that one matrix is filled instead of two. The order of calls:
 *   couple    once, and again after rows were removed or (forces with a range) the pairs changed: which rows it couples;
 *   place     when the matrix is laid out: looks up the slots of its blocks and keeps them, so that filling searches
 *             nothing. Blocks may be missing from the matrix (slot -1): a matrix of the diagonal alone is what a
 *             matrix-free solver makes its preconditioner of. Such blocks are left out;
 *   prepare   as before an evaluation of forces, at the same x and v;
 *   fill      adds the blocks of its rows, by block of rows, any number of threads;
 *   multiply  adds to y of its rows the product with p, likewise; the same numbers as the filled matrix up to rounding.
 * Matrices are symmetric: a force gives the symmetric part that matters and says in its file what it leaves out. Asked for a
 * `definite` one it clamps what would make -K indefinite (a squeezed spring's transverse stiffness); without, the Jacobian is
 * exact, as Newton's method near a solution and natural frequencies want it. A force without a Jacobian leaves `jacobian` 0:
 * implicit schemes take it as it is at the last iterate, explicitly in the first.
 *
 * Inertia that couples rows (consistent masses) is a force too: with M = diag(mass) + C it is -C a, so C is -df/da. `add` leaves it out,
 * since accelerations are what is looked for; those who solve ask for the part along_a. Rows of C sum to 0.
 */
#ifndef MO_INTEGRATE_FORCE_H
#define MO_INTEGRATE_FORCE_H

#include "base/pool.h"
#include "linear/block_matrix.h"
#include "neighbor/pairs.h"

enum { MO_FORCE_GRAIN = 4096 };

typedef struct mo_force_args {
    double time;
    int64_t rows;
    const double *x, *v, *mass;
    double *f;
    /* oriented particles only, else NULL: quaternions, angular velocities in the body's frame, torques in the
     * world's */
    const double *q, *w;
    double *torque;
    const mo_pairs *pairs; /* for the forces with a range; else NULL */
    /* Where the rows were one correction ago; NULL: nowhere. Then df/dx, unless it has to be definite, is that of a mixed method, in
       which stresses are unknowns beside the places: they are those that the correction was to bring about (analysis/static.c). */
    const double *before;
} mo_force_args;

/* What a force has Jacobians of. */
enum {
    MO_DF_DX = 1u << 0,
    MO_DF_DV = 1u << 1,
    MO_DF_DA = 1u << 2,
    MO_DF_MIXED = 1u << 3 /* it heeds args->before */
};

/* What is asked for: along_x df/dx + along_v df/dv + along_a df/da. */
typedef struct mo_jacobian_ask {
    double along_x, along_v;
    bool definite;
    double along_a;
} mo_jacobian_ask;

typedef struct mo_force {
    const char *name;
    void *instance;
    double range; /* it acts between particles nearer than this and reads args->pairs; 0: it does not */
    /* Rows from `first` on are new: fills what it keeps in columns. May be NULL. */
    mote_status (*begin)(void *instance, const mo_force_args *args, int64_t first, mo_pool *pool,
                         mote_error *error);
    /* Before the ranges of one evaluation, from the calling thread. May be NULL. */
    mote_status (*prepare)(void *instance, const mo_force_args *args, mo_pool *pool, mote_error *error);
    void (*add)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    /* After a step of h: takes what else it keeps in columns to args->time. May be NULL. */
    mote_status (*advance)(void *instance, const mo_force_args *args, double h, mo_pool *pool,
                           mote_error *error);
    /* The energy that belongs to these rows, so that the sum over all blocks is the whole; NULL if it has
     * none. */
    double (*energy)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    /* The sum of r . f over the pairs of these rows, half of a pair for each; NULL if it has no pairs. */
    double (*virial)(const void *instance, const mo_force_args *args, int64_t first, int64_t last);
    /* Adds what C has of the kinetic energy (first) and of the angular momentum (the other three) of these rows; NULL if
       there is no C. */
    void (*inertia)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double sum[4]);
    /* Adds to bound[3 row + c] an upper bound of the sum over all columns of |df/dx| in the row of component c [N/m]:
       by Gershgorin's theorem no frequency is above sqrt(max bound/mass); with C the bound is
       that much larger. For the stability advisor; NULL if the force
       has no stiffness. */
    void (*stiffness)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound);
    /* The same of |df/dv| [kg/s]; NULL if the force does not depend on velocities, or not worth mentioning. */
    void (*damping)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double *bound);
    /* Rows are to be removed, all or nothing: map[old row] is the new row or -1, `rows` how many
       are left. `remap` builds what the force keeps of rows anew beside the old, which stays in
       use; `settle` ends every remap, of any outcome: with the map it puts the new in the place of
       the old and cannot fail, with NULL it drops the new. Both NULL if it keeps no rows. */
    mote_status (*remap)(void *instance, const int64_t *map, int64_t rows, mote_error *error);
    void (*settle)(void *instance, const int64_t *map);
    unsigned jacobian; /* MO_DF_DX | MO_DF_DV; 0: it has none, and the next four are NULL */
    /* Announces the pairs of rows it couples. NULL if it couples no row but with itself. */
    mote_status (*couple)(const void *instance, const mo_force_args *args, mo_memory *memory,
                          mo_block_pattern *pattern, mote_error *error);
    /* Keeps where its blocks are in a matrix. NULL if it uses matrix->diagonal alone. */
    mote_status (*place)(void *instance, const mo_block_matrix *matrix, mote_error *error);
    void (*fill)(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                 mo_block_matrix *matrix, int64_t first, int64_t last);
    /* p and y have three numbers a row, and p room for one behind the last. */
    void (*multiply)(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                     const double *p, double *y, int64_t first, int64_t last);
    /* Of a force whose couplings come and go by themselves (contacts): a number that changes with them. NULL: they do not, or are
       those of the pairs. */
    uint64_t (*coupling)(const void *instance);
    /* Adds to volume[row] that of a row's elements, at rest, and to the six numbers stress + 6 row their Cauchy stresses (11 22 33 12 13 23)
       times it. NULL: it has no stress. */
    void (*stress)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                   double *volume, double *stress);
    /* Writes its elements, each once: four rows (the fourth of a triangle is -1) and six numbers of stress; returns how many there
       are. Both NULL: counts them. NULL: it has none. */
    int64_t (*cells)(const void *instance, const mo_force_args *args, int32_t *rows, double *stress);
    /* A search for a state of rest, or for vibrations about one, begins at x, has moved on to x, has ended (x is NULL): what depends on velocities in motion and on the way
       that rows have gone here (dry friction) is measured from there on. NULL: there is no such thing. */
    mote_status (*rest)(void *instance, const double *x, mote_error *error);
    /* flat[row] = 1 of the rows that are made for the x-y plane: what they are made of knows no third axis. NULL: there are none. */
    void (*flatten)(const void *instance, uint8_t *flat);
    double stride; /* how far rows may go at once for it not to lose sight of what is near them; 0: any way */
    bool elastic;  /* the energy is elastic (else potential) */
    /* An upper bound of the energy that comes and goes without work, as of pairs that cross
       a cut-off [J]; NULL: none does. */
    double (*slack)(const void *instance, const mo_force_args *args);
    bool open; /* it may do work that its energy does not account for: wind, heat */
    void (*destroy)(void *instance, mo_memory *memory); /* NULL if there is nothing to release */
} mo_force;

#endif
