/*
 * The system that implicit solvers share: numbers k_i >= 0 (k = p/delta^2 [Pa]) such that the
 * accelerations
 *     a_i = -(1/rho0) (sum_j V_j (k_i + k_j) grad W_ij + k_i wall_i)
 * change the density, over a time of h^n (n = 2 if they are to act on positions, 1 on velocities),
 * by what is asked for:
 *     h^n L_i = s_i,    L_i = sum_j V_j (a_i - a_j) . grad W_ij + a_i . wall_i.
 * Bodies that are free to move accelerate too, and take a part of L_i (boundary/response.h). Where
 * k is 0 the density may stay below: fluids are not pulled together.
 *
 * V_i L_i is symmetric in k, so this is a quadratic program with k >= 0. Projected Jacobi steps on
 * the diagonal -diagonal_i/rho0 of L (M. Ihmsen et al. 2014, section 3.3) start from an
 * extrapolated point y (Y. Nesterov 1983; A. Beck, M. Teboulle 2009, SIAM J. Imaging Sci. 2, 183):
 *     k'_i = max(0, y_i - omega (s_i/h^n - L_i(y)) rho0/diagonal_i),    y := k' + (t - 1)/t' (k' -
 *         k),
 *     t' = (1 + sqrt(1 + 4 t^2))/2,
 * so that iterations grow with the depth of a fluid in particles and not with its square. Momentum
 * that leads the wrong way, (y - k') . (k' - k) > 0, is dropped: t = 1 (B. O'Donoghue, E. Candes
 * 2015, Found. Comput. Math. 15, 715, eq. 13). The result is k, never y: what is extrapolated may
 * push where nothing is compressed.
 *
 * Where it stops, the error of plain steps is smooth and the same in every step of a quiescent
 * fluid; that of accelerated ones is neither, and excites it: 30 times the kinetic energy in a
 * still tank of 20 rows. A few plain steps first are enough to prevent that (MO_SOLVE_SMOOTH;
 * docs/fluids.md has numbers).
 *
 * Closed domains. Without a free surface a constant pressure is in the null space, and over-filled
 * domains make the right-hand side incompatible: the iteration would raise k for ever, and the
 * noise in the sum of gradients would accelerate the fluid. So where one pressure for all
 * accelerates no particle (fluid.h: `bare`) and none lacks neighbours (density) k is lowered by its
 * minimum after each step. There sum_i V_i L_i = 0 whatever k is, so that the mean of h^n L_i - s_i
 * is the incompatible part: it is left out of the residual that decides when to stop, and what
 * remains is compressed evenly. Under a free surface k is unique: a quiescent
 * fluid has some in its uppermost layer too.
 *
 * The residual is h^n L_i(y) - s_i where that is positive, a predicted compression, and its mean
 * decides when to stop.
 */
#ifndef MO_FLUID_PRESSURE_SOLVE_H
#define MO_FLUID_PRESSURE_SOLVE_H

#include "fluid/pressure/pressure.h"

/* Consecutive iterations that end with every k above 0: a domain without free surface is then
 * over-filled; a single one may be an overshoot. */
enum { MO_SOLVE_LIFTS = 3 };

/* For `accelerated`, in quiescent fluid. */
enum { MO_SOLVE_SMOOTH = 12 };

typedef struct mo_solve_def {
    /* of the mean residual: where it stops, which may be before what the scene asks for */
    double tolerance;
    double omega;
    int least, most; /* iterations */
    int accelerated; /* iterations after which momentum is used, 1: at once; 0: never */
    /* k grows only, by the residuals above 0 (J. Bender, D. Koschier 2017), instead of k >= 0 */
    bool growing;
} mo_solve_def;

typedef struct mo_solve_result {
    int iterations;
    double begun, residual; /* at the start and at the end */
    double worst;           /* the largest -s_i */
    double hopeless;        /* the part of the residual that no k can change, in a closed tank */
} mo_solve_result;

/* k is where it starts and what comes out; source is s_i; span is h^n. After it f->push holds the
 * accelerations of k. */
mote_status mo_solve_pressure(mo_fluid *fluid, const mo_solve_def *def, const float *source,
                              double span, float *k, mo_solve_result *result, mote_error *error);

/* The largest -s_i: the most that a particle is compressed, or would be. */
mote_status mo_solve_worst(mo_fluid *fluid, const float *source, double *worst, mote_error *error);

/* Into the fluid's report: a solve made so many iterations and left a mean compression, where the
 * scene asks for a tolerance. Its iterations are counted by the caller. */
void mo_solve_note(mo_fluid *fluid, const char *solve, bool divergence, int iterations,
                   double residual, double tolerance);

/* The same of a result, whose residuals are in units of `unit`. */
void mo_solve_note_result(mo_fluid *fluid, const char *solve, bool divergence,
                          const mo_solve_result *result, double unit, double tolerance);

/* In a tank that is full takes the least k from all of them; *by is how much that was. */
mote_status mo_solve_lower(mo_fluid *fluid, float *k, float *by, mote_error *error);

/* ---- relaxation of the initial density error ---- */

/*
 * Of the compression c = delta_i - 1 that is there already when a step begins, in an over-filled
 * domain or after a solve that left some, s_i counts min(c - surplus, most): to undo all of it
 * within one step takes a speed of (compression x size)/h, however small h is. What v* is about to
 * compress is prevented in full.
 *
 *     most = 0.3 h w + 0.02 C^2,    w = sqrt(g/spacing), without gravity max(0.03 v/spacing, 1/s),
 *
 * the pace at which particles fall past each other, and C = v h/spacing, the Courant number of the
 * fastest: the linear prediction is wrong by the order of C^2. surplus is the average compression
 * less 0.01 h w, if that is more than twice the tolerance and six tenths of all particles are
 * compressed, else 0: in a closed domain it cannot be undone whatever the pressure.
 * docs/fluids.md ("More fluid than room") has numbers.
 */
typedef struct mo_recovery {
    float surplus, most;
    double
        /* the solver's; then what its solve may leave so that the fluid still recovers, infinite:
         * anything */
        tolerance;
} mo_recovery;

/* From densities (a number a row, in those at rest), their mean compression, and velocities as they
 * are packed. */
mote_status mo_recovery_find(mo_fluid *fluid, const mo_fluid_step *now, const float *density,
                             double mean, mo_recovery *recovery, mote_error *error);

/* The pace w above [1/s], and the largest speed. */
mote_status mo_recovery_pace(mo_fluid *fluid, double time, double *pace, double *speed,
                             mote_error *error);

/* s_i without the flow's part. */
MO_INLINE float mo_recovery_source(const mo_recovery *r, float density)
{
    float over = density - 1 - r->surplus;
    return over < r->most ? -over : -r->most;
}

/* ---- the constant-density part of a step ---- */

/*
 * From velocities v* = v + h a that gravity and all terms have acted on,
 *     s_i = 1 - delta_i - h D delta*_i/Dt, with 1 - delta_i limited as above,    h^2 L_i = s_i,
 *     v := v* + h a(k),    x := x + h v,
 * and outer iterations of Newton's method: what is left at the new positions is of second order,
 * and in the steps of an impact above small tolerances. So the system is solved again there, on the
 * lists of the step, for the density error against what the first solve aimed at, target_i =
 * delta_i + the limited part of s_i at the start; against 1 it would undo at once what is relaxed
 * slowly, and keep the speed. A round is made while the average error is above the tolerance, or
 * that of a single particle above 20 tolerances and 1 %, as in sprays that meet a boundary.
 *
 * A step leads from x to x + h v, so its accelerations must act along the pairs at x for angular
 * momentum to be conserved: sum m (x + h v) x v - sum m x x v0 = sum m x x (v - v0). Fluids without
 * a boundary are corrected so. Near a boundary the old gradients are no guide: F is much steeper at
 * a position that was led into it. Momentum is exchanged with the boundary anyway, so the gradients
 * there are those of the new positions.
 */
typedef struct mo_density_def {
    mo_solve_def solve;
    const char *name;    /* of the solve, in warnings */
    double tolerance;    /* of the average density error at the new positions */
    int64_t corrections; /* outer iterations at most */
    float warm;          /* part of the pressures of the last step that the solve starts from, */
    bool warm_where_compressed; /* 0 where nothing would be compressed without */
    bool at_once; /* the density error at the start is corrected in this step, not relaxed */
} mo_density_def;

/* A number a row each; `more` is scratch space. */
typedef struct mo_density_columns {
    float *k;           /* pressures: of the last step, then of this one */
    const float *other; /* pressures that acted in this step before (NULL: none), to be shown */
    float *target, *more;
} mo_density_columns;

/* With velocities packed; adds to the report and ends the stages `pressure` and `advance`. */
mote_status mo_density_step(mo_fluid *fluid, const mo_density_def *def, const mo_fluid_step *now,
                            const mo_density_columns *columns, mote_error *error);

#endif
