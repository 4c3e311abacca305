/*
 * Corotated linear elasticity by operator splitting (T. Kugelstadt, D. Koschier, J. Bender 2018,
 * "Fast corotated FEM using operator splitting", Comput. Graph. Forum 37(8), 149), for linear
 * tetrahedra:
 *     psi = mu |F - R|^2 + lambda/2 tr^2(R^T F - I).
 * With the rotations R fixed for a step, the stretch part has the stiffness K (x) I with the
 * constant n x n matrix K_ab = sum 2 mu V g_a . g_b, the same for x, y and z: an implicit Euler
 * step (M (1 + h alpha) + (h^2 + h beta) K) dv = h (f - alpha M v - sum V P g), P = 2 mu (F(x + (h
 * + beta) v) - R), is one factorisation for all steps and three back-substitutions per step. The
 * volume part, of rank one per element, follows by conjugate gradients without a matrix ("weak").
 * The splitting has an error: stretch and volume forces are each many times the load and cancel
 * only in their sum. "iterated" solves for the sum, by conjugate gradients with the factored
 * stretch matrix as the preconditioner: every iteration is one stretch solve and one volume
 * product, and the condition number is at most 1 + 3 lambda/(2 mu), whatever the mesh and the step.
 *
 * Rotations are those of x at the start of the step, or ("predicted") of x + h v, which equals it
 * in static equilibrium: with those of the start, a rotating element is held back by the fixed R,
 * so bending and tumbling are damped. The solve does not conserve angular momentum; for bodies
 * without fixed nodes it is restored by a rigid rotation. docs/fast_corotated.md has the
 * derivations.
 */
#ifndef MO_SOLID_FAST_COROTATED_H
#define MO_SOLID_FAST_COROTATED_H

#include "linear/supernodal.h"
#include "linear/work.h"
#include "solid/model/fem_state.h"

/* Parameters of a body; those from `coupling` on are the same for all bodies of a system. */
typedef struct mo_fast_corotated_params {
    double young, poisson, damping_mass, damping_stiffness;
    const char *coupling, *rotations;
    double tolerance;
    int64_t iterations, rotation_updates;
} mo_fast_corotated_params;

typedef struct mo_fast_corotated_body {
    int64_t first, count; /* rows */
    double damping;       /* alpha [1/s] */
} mo_fast_corotated_body;

/* Iterations and relative residual of the conjugate gradients in the last step. */
typedef struct mo_fast_corotated_count {
    int64_t iterations, factorisations;
    double residual;
} mo_fast_corotated_count;

typedef struct mo_fast_corotated {
    mo_memory *memory;
    mo_fem fem; /* the elements, for energy and stress */
    bool iterated, predicted;
    double tolerance;
    int64_t iterations, rotation_updates;
    int64_t body_count, body_capacity;
    mo_fast_corotated_body *bodies;
    /* the pattern, values of A and the factor */
    mo_block_pattern pattern;
    mo_block_matrix matrix;
    int64_t value_capacity, mass_capacity;
    double *value;
    mo_supernodal factor;
    bool analysed, factored;
    double factor_h;
    double *factor_mass; /* effective masses of the factor; 0: fixed */
    /* of a step: R g_k and the volume factor of every batch, ten vectors of four lanes each */
    int64_t batch_capacity;
    double *rotated;
    double *diagonal; /* preconditioner of the volume part: 1/(m + h^2 trace/3) */
    int64_t diagonal_capacity;
    mo_work work, conjugate;
    mo_fast_corotated_count count;
} mo_fast_corotated;

/* The rows and state of one step. */
typedef struct mo_fast_corotated_step {
    mo_pool *pool;
    int64_t rows;
    double h;
    const double *x, *f;               /* positions, external forces */
    const double *mass, *inverse_mass; /* 0: prescribed */
    double *v;                         /* velocities; of prescribed rows those of the end */
} mo_fast_corotated_step;

void mo_fast_corotated_init(mo_fast_corotated *fast, mo_memory *memory);
void mo_fast_corotated_release(mo_fast_corotated *fast);

/* A body whose first node is row `first`. */
mote_status mo_fast_corotated_add(mo_fast_corotated *fast, const mo_fast_corotated_params *params,
                                  const mo_mesh *mesh, int64_t first, mote_error *error);
/* After all bodies. */
mote_status mo_fast_corotated_finish(mo_fast_corotated *fast, int64_t rows, mote_error *error);

/* Replaces v by the velocities at the end of the step. */
mote_status mo_fast_corotated_advance(mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                                      mote_error *error);

/* Removal of rows (integrate/force.h). */
mote_status mo_fast_corotated_remap(mo_fast_corotated *fast, const int64_t *map, int64_t rows,
                                    mote_error *error);
void mo_fast_corotated_settle(mo_fast_corotated *fast, const int64_t *map);

/* ---- between the files of this folder ---- */

/* The factor of A for this step; the matrix is factored again only if h, masses or fixed rows
 * changed (factor.c). */
mote_status mo_fast_corotated_factor(mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                                     mote_error *error);

/* h as used in matrices: rounded to 32 bits, so that steps that differ by rounding share a
 * factor. */
double mo_fast_corotated_h(double h);

/* Rotations at x + `along` v, stored with the gradients, and rhs = h (stretch forces) (elements.c);
 * with `volume` also those of the volume part, at v. */
void mo_fast_corotated_stretch(mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                               const double *predicted, double along, bool volume, double *rhs);
/* rhs = h (volume forces) at the velocities v. */
void mo_fast_corotated_volume(const mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                              const double *v, double *rhs);
/* y = (h^2 + h beta) K_volume p + `other`; NULL: plus M p. */
void mo_fast_corotated_product(const mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                               const double *other, const double *p, double *y);

/* Solves for dv by conjugate gradients (conjugate.c): of M + K_volume, or with `stretch` of A +
 * K_volume, preconditioned by the factor. */
mote_status mo_fast_corotated_conjugate(mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                                        bool stretch, double *rhs, double *dv, mote_error *error);

#endif
