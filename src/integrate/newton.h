/*
 * Newton's method for all implicit schemes. Each scheme is one equation for the accelerations a of
 * a stage, m a = f(X + c_x a, V + c_v a, t), with X and V known: implicit Euler has X = x + h v, V
 * = v, c_x = h^2, c_v = h; the others differ only in these. A correction d = c_x da of the
 * positions solves
 *   A d = f - m a,   A = m/c_x - K - c_v/c_x D,   K = df/dx, D = df/dv.
 * The first iteration is linearised at x, v: with u = X - x, w = V - v it is A d = f(x, v) + K u +
 * D w, a = d/c_x. For implicit Euler this is (m - h D - h^2 K) dv = h (f + h K v), the standard
 * linearised scheme (D. Baraff, A. Witkin 1998, eq. 6). Prescribed particles are at their old
 * positions in it, and their displacement is part of u. K u + D w = m/c_x u - A u + D (w - c_v/c_x
 * u).
 *
 * With consistent masses (force.h) m is M = diag(m) + C. Active contacts (active.h) are eliminated:
 * with the projection S onto the free directions and the prescribed displacement t of the solid, S
 * A S d' = S (b - A t), d = d' + t. Contact forces are the projected residual m a - f of the last
 * iterate, or A d - b of the linearised scheme.
 *
 * Terms without a Jacobian (some forces, callbacks, orientations) are evaluated at the last
 * iterate; the fixed-point iteration of each orientation is relaxed by Aitken's method (B. Irons,
 * R. Tuck 1969). A correction that increases the residual sum r^2/m is halved up to six times.
 * Orientations are converged at sum (q'' - q''_before)^2 <= tolerance^2 sum q''^2.
 */
#ifndef MO_INTEGRATE_NEWTON_H
#define MO_INTEGRATE_NEWTON_H

#include "integrate/integrator.h"
#include "integrate/jacobian.h"
#include "linear/solver/solver.h"

#include <math.h>

#define MO_NEWTON_PARAMS(default_value) \
    {"iterations", \
     MO_INT, \
     MO_FIELD(mo_newton_params, iterations), \
     .initial = default_value, \
     .range = "[1, 1000]", \
     .doc = "Maximum number of Newton iterations per step; 1 is the linearised scheme."}, \
        {"tolerance", \
         MO_REAL, \
         MO_FIELD(mo_newton_params, tolerance), \
         .initial = "1e-8", \
         .range = "(0, 1)", \
         .doc = "Residual, relative to the initial one, at which Newton's method stops.", \
         .needs = "iterations>1"}, \
        {"line_search", \
         MO_BOOL, \
         MO_FIELD(mo_newton_params, line_search), \
         .initial = "true", \
         .doc = \
             "Backtracking line search: halves Newton steps, except the first, that increase the residual.", \
         .needs = "iterations>1"}, \
        {"definite", MO_BOOL, MO_FIELD(mo_newton_params, definite), .initial = "true", \
         .doc = \
             "Project the stiffness to be positive semidefinite, e.g. of compressed springs. Without " \
             "it Newton's method converges faster near a solution; if a system turns out to be " \
             "indefinite, the remaining iterations of the step use the projection."}, \
        {"matrix_free", MO_BOOL, MO_FIELD(mo_newton_params, matrix_free), .initial = "false", \
         .doc = "Matrix-free products of the Jacobian: less memory, more time."}, \
    { \
        "solver", MO_METHOD, MO_FIELD(mo_newton_params, solver), \
            .family = &mo_linear_solvers, .initial = "\"cg\"", .doc = "Linear solver." \
    }

/* Slots of every implicit scheme, in this order from MO_AUX. */
enum { MO_STAGE_X = MO_AUX, MO_STAGE_V, MO_STAGE_A, MO_BASE_X, MO_BASE_V, MO_IMPLICIT_AUX };

#define MO_NEWTON_COLUMNS \
    {"stage_x", MOTE_F64, 0, MO_DERIVED, "m", "position where the forces are evaluated"}, \
        {"stage_v", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity where the forces are evaluated"}, \
        {"stage_a",  MOTE_F64, 0, \
         MO_DERIVED, "m/s^2",  "acceleration where the forces are evaluated"}, \
        {"base_x", MOTE_F64, 0, MO_DERIVED, "m", "position without the new acceleration"}, \
    { \
        "base_v", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity without the new acceleration" \
    }

/* Solver statistics of a step, or of all steps so far. */
typedef struct mo_newton_count {
    int64_t solves, iterations, linear_iterations;
    /* Newton's method, linear systems that did not reach the tolerance */
    int64_t unfinished, unsolved;
    /* largest relative residual of Newton's method, orientations included; 0: not evaluated */
    double residual;
    double linear_residual; /* maximum */
} mo_newton_count;

void mo_newton_count_add(mo_newton_count *sum, const mo_newton_count *more);

/* X is in MO_BASE_X, V in MO_BASE_V. */
typedef struct mo_newton_stage {
    double time, c_x, c_v;
    /* slot with c_v of each row, c_x being its square; 0: equal for all rows */
    int gamma;
    double friction; /* fraction of a step's friction applied by the stage; 0: all of it, once */
    bool evaluated;  /* MO_STAGE_A has the accelerations at MO_X, MO_V already */
    /* The effect of a further force f that is constant in the step: with A d = f, x changes by
     * end_x d and v by end_v d + end_f f/m. 0: those of a scheme that ends at its stage, 1 and
     * 1/c_v, where f acts at the end of the step. */
    double end_x, end_v, end_f;
    /* slot with the velocities of the previous step, to which the scheme refers: a sudden change of
     * v changes them too; 0: none */
    int past_v;
} mo_newton_stage;

typedef struct mo_newton {
    mo_jacobian jacobian;
    mo_linear_solver solver;
    mo_work work, active_work, turn_work;
    int64_t active_capacity, collider_capacity;
    mo_active active; /* scratch, and */
    /* contact forces: the right-hand side without them */
    double *load;
    mo_newton_count count; /* since it was last reset */
    /* the last linear system, for constraints that act after the solve
     * (couple/implicit_contact.h) */
    mo_newton_stage stage;
    mo_force_args args;
    mo_system_weights weights;
    bool matrix_free;
    double *past_v; /* of its stage; NULL: none */
} mo_newton;

/* y = S A S p with the last matrix, S the projection of active contacts and fixed rows. p must be
 * in the range of S. */
void mo_newton_multiply(mo_newton *newton, const double *p, double *y);

mote_status mo_newton_create(mo_memory *memory, mo_pool *pool, const mo_newton_params *params,
                             mo_newton **newton, mote_error *error);
void mo_newton_destroy(mo_newton *newton);

/* Leaves a in MO_A, X + c_x a in MO_STAGE_X, V + c_v a in MO_STAGE_V. Errors are in
 * dynamics->status. */
void mo_newton_solve(mo_dynamics *dynamics, const mo_newton_params *params,
                     const mo_newton_stage *stage);

/* The numerical damping of implicit Euler: mo_integrator_type.amplification. */
static inline double mo_implicit_euler_amplification(double z)
{
    return 1 / sqrt(1 + z * z);
}

/* Rejects a matrix-free solve with a method that needs the matrix. */
mote_status mo_newton_check(const void *params, mote_error *error);

#endif
