/*
 * The Jacobian of a system of forces: one matrix of 3x3 blocks, or one matrix-free product, summed
 * over all forces.
 *
 * The system matrix is A = inertia M - K - damping D with the mass matrix M, positive definite if
 * definite parts are requested. Dirichlet rows (inverse mass 0) are eliminated by
 * mo_jacobian_eliminate, which replaces their rows and columns by the identity; before, a product
 * with A transfers their motion to the others. The constrained directions of active contacts
 * (active.h) are eliminated likewise.
 *
 * The pattern is collected once and again when its number `epoch` changes: rows were added or
 * removed, pairs were searched again.
 */
#ifndef MO_INTEGRATE_JACOBIAN_H
#define MO_INTEGRATE_JACOBIAN_H

#include "collide/active.h"
#include "integrate/force.h"

typedef struct mo_jacobian {
    mo_memory *memory;
    mo_pool *pool;
    const mo_force *forces;
    int force_count;
    const double *inverse_mass; /* of the current rows */
    const mo_active *active;    /* active contacts; NULL: none */
    mo_block_pattern pattern;
    mo_block_matrix matrix;
    bool laid_out, diagonal;
    uint64_t epoch;  /* of the layout */
    uint64_t number; /* changes with the pattern, for dependent data */
} mo_jacobian;

void mo_jacobian_release(mo_jacobian *jacobian);

/* MO_DF_DX | MO_DF_DV | MO_DF_DA, of all forces together. */
unsigned mo_jacobian_parts(const mo_jacobian *jacobian);

/* Whether all position-dependent forces use args->before. */
bool mo_jacobian_is_mixed(const mo_jacobian *jacobian);

/* Lays out the matrix for the current couplings, or for the diagonal alone. */
mote_status mo_jacobian_lay_out(mo_jacobian *jacobian, const mo_force_args *args, uint64_t epoch,
                                bool diagonal, mote_error *error);

/* Coefficients of A: row i has mass[i] * inertia on its diagonal, or mass[i] / gamma[3 i]^2. The
 * weight of damping, 1/gamma, is common to all rows, as A must be symmetric: where rows differ
 * it is approximate for a few. With consistent masses rows do not differ. */
typedef struct mo_system_weights {
    double inertia, damping;
    const double *gamma; /* NULL: `inertia` is used */
    bool definite;
} mo_system_weights;

static inline double mo_row_inertia(const mo_system_weights *w, int64_t row)
{
    return w->gamma ? 1 / (w->gamma[3 * row] * w->gamma[3 * row]) : w->inertia;
}

/* Fills the matrix with A. The forces have been evaluated at the same x and v. */
void mo_jacobian_fill(mo_jacobian *jacobian, const mo_force_args *args,
                      const mo_system_weights *weights);
/* Eliminates fixed rows and contact constraints from the matrix. */
void mo_jacobian_eliminate(mo_jacobian *jacobian);

/* y = (along_x K + along_v D) p of all rows, without the matrix. */
void mo_jacobian_multiply(mo_jacobian *jacobian, const mo_force_args *args,
                          const mo_jacobian_ask *ask, const double *p, double *y);

/* y = A p matrix-free, with the identity in fixed rows: a mo_apply_fn. */
typedef struct mo_jacobian_product {
    mo_jacobian *jacobian;
    const mo_force_args *args;
    mo_system_weights weights;
} mo_jacobian_product;
void mo_jacobian_apply(void *product, const double *p, double *y);

/* The same of all of A: active contacts are not projected. */
void mo_jacobian_apply_unprojected(const mo_jacobian_product *product, const double *p, double *y);

#endif
