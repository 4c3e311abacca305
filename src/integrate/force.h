/*
 * What a force looks like to the system that sums forces.
 *
 * Owner computes: a force is asked for the rows [first, last) and adds to f of these rows only. A spring
 * between two ranges is computed by both. So no two threads write the same place, no atomics and no colouring
 * are needed, the same bits come out on any number of threads, and all forces on a block of rows are summed
 * while the block is in the cache. The ranges are always the blocks of MO_FORCE_GRAIN rows, in any order: a
 * force with lists of its own (springs, elements) may sort them by block beforehand.
 */
#ifndef MO_INTEGRATE_FORCE_H
#define MO_INTEGRATE_FORCE_H

#include "base/pool.h"
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
} mo_force_args;

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
    /* Adds to bound[3 row + c] an upper bound of the sum over all columns of |df/dx| in the row of component c [N/m]:
       by Gershgorin's theorem no frequency is above sqrt(max bound/mass). For the stability advisor; NULL if the force
       has no stiffness. */
    void (*stiffness)(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound);
    /* Rows were removed: map[old row] is the new row or -1, `rows` how many are left. NULL if it keeps no
     * rows. */
    mote_status (*remap)(void *instance, const int64_t *map, int64_t rows, mote_error *error);
    bool elastic;                                       /* the energy is elastic (else potential) */
    void (*destroy)(void *instance, mo_memory *memory); /* NULL if there is nothing to release */
} mo_force;

#endif
