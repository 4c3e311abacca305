/*
 * The system of implicit solvers: k_i >= 0 (k = p/delta^2 [Pa]) such that the accelerations
 *     a_i = -(1/rho0) (sum_j V_j (k_i + k_j) grad W_ij + k_i wall_i)
 * change the density over h^n (n = 2 on positions, 1 on velocities) by the source:
 *     h^n L_i = s_i,    L_i = sum_j V_j (a_i - a_j) . grad W_ij + a_i . wall_i.
 * Free bodies contribute to L_i (sph/response.h). Where k is 0 the density may stay below: no
 * tension.
 *
 * V_i L_i is symmetric in k, so this is a quadratic program with k >= 0. Projected Jacobi steps (M.
 * Ihmsen et al. 2014, section 3.3) start from an extrapolated point y (Y. Nesterov 1983; A. Beck,
 * M. Teboulle 2009, SIAM J. Imaging Sci. 2, 183):
 *   k'_i = max(0, y_i - omega (s_i/h^n - L_i(y)) rho0/diagonal_i),  y := k' + (t - 1)/t' (k' - k),
 * t' = (1 + sqrt(1 + 4 t^2))/2; iterations grow with the depth in particles, not with its square.
 * Momentum is reset where (y - k') . (k' - k) > 0 (B. O'Donoghue, E. Candes 2015, Found. Comput.
 * Math. 15, 715, eq. 13). The result is k, never y. A few plain steps first (MO_SOLVE_SMOOTH) keep
 * the error smooth in quiescent fluid. In closed domains a constant pressure is in the null space:
 * k is lowered by its minimum after each step, and the mean of h^n L_i - s_i, the incompatible part
 * of the right-hand side, is excluded from the residual. Stopping criterion: the mean of h^n L_i(y)
 * - s_i where positive, a predicted compression. docs/fluids.md has derivations and measurements.
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
    /* of the mean residual; may be larger than the tolerance of the scene */
    double tolerance;
    double omega;
    int least, most; /* iterations */
    int accelerated; /* iterations before acceleration, 1: immediately; 0: never */
    /* k never decreases and grows by positive residuals (J. Bender, D. Koschier 2017), instead
     * of k >= 0 */
    bool growing;
} mo_solve_def;

typedef struct mo_solve_result {
    int iterations;
    double begun, residual; /* initial and final */
    double worst;           /* the largest -s_i */
    double hopeless;        /* the null-space part of the residual, in a closed domain */
} mo_solve_result;

/* k is the initial guess and the result; source is s_i; span is h^n. On return f->acceleration
 * has the accelerations of k. */
mote_status mo_solve_pressure(mo_fluid *fluid, const mo_solve_def *def, const float *source,
                              double span, float *k, mo_solve_result *result, mote_error *error);

/* The largest -s_i: the maximum predicted compression. */
mote_status mo_solve_worst(mo_fluid *fluid, const float *source, double *worst, mote_error *error);

/* Records a solve in the fluid's report: iterations and mean compression, with the tolerance of
 * the scene. Iterations are summed by the caller. */
void mo_solve_note(mo_fluid *fluid, const char *solve, bool divergence, int iterations,
                   double residual, double tolerance);

/* The same for a result, whose residuals are in units of `unit`. */
void mo_solve_note_result(mo_fluid *fluid, const char *solve, bool divergence,
                          const mo_solve_result *result, double unit, double tolerance);

/* In a closed domain subtracts the minimum k from all; returns it in *by. */
mote_status mo_solve_lower(mo_fluid *fluid, float *k, float *by, mote_error *error);

/* ---- relaxation of the initial density error ---- */

/*
 * Of the compression c = delta_i - 1 at the start of a step, in an over-filled domain or after an
 * unconverged solve, s_i includes min(c - surplus, most): correcting all of it within one step
 * would require a speed of (compression x size)/h. Compression predicted by v* is prevented in
 * full.
 *
 *   most = 0.3 h w + 0.02 C^2,    w = sqrt(g/spacing), without gravity max(0.03 v/spacing, 1/s),
 *
 * the free-fall rate over a spacing, and C = v h/spacing the largest Courant number: the linear
 * prediction has an error of the order of C^2. surplus is the average compression minus 0.01 h w,
 * if that exceeds twice the tolerance and six tenths of all particles are compressed: in a closed
 * domain it cannot be corrected by any pressure. Below twice the tolerance it is the average
 * compression of a closed domain, 0 with a free surface. docs/fluids.md has measurements.
 */
typedef struct mo_recovery {
    float surplus, most;
    /* the solver's; then the residual at which the fluid still recovers, infinite: any */
    double tolerance;
} mo_recovery;

/* From relative densities (one per row), their mean compression, and the packed velocities. */
mote_status mo_recovery_find(mo_fluid *fluid, const mo_fluid_step *now, const float *density,
                             double mean, mo_recovery *recovery, mote_error *error);

/* The pace w above [1/s], and the largest speed. */
mote_status mo_recovery_pace(mo_fluid *fluid, double time, double *pace, double *speed,
                             mote_error *error);

/* s_i without the contribution of the flow. */
MO_INLINE float mo_recovery_source(const mo_recovery *r, float density)
{
    float over = density - 1 - r->surplus;
    return over < r->most ? -over : -r->most;
}

/* ---- the constant-density part of a step ---- */

/*
 * From velocities v* = v + h a after gravity and all terms,
 *   s_i = 1 - delta_i - h D delta*_i/Dt, with 1 - delta_i limited as above,    h^2 L_i = s_i,
 *   v := v* + h a(k),    x := x + h v,
 * and outer (Newton) iterations: the error at the new positions is of second order, and in impacts
 * above small tolerances. The system is solved again there, on the lists of the step, for the
 * density error relative to the target of the first solve, target_i = delta_i + the limited part of
 * s_i at the start. Iterations continue while the average error exceeds the tolerance, or that of a
 * single particle 20 tolerances and 1 %, as in spray hitting a boundary.
 *
 * Angular momentum is conserved if accelerations act along the pairs at the initial x: sum m (x + h
 * v) x v - sum m x x v0 = sum m x x (v - v0). Fluids without a boundary are corrected so. Near a
 * boundary F is much steeper at the new positions, and momentum is exchanged anyway, so the
 * gradients there are those of the new positions.
 */
typedef struct mo_density_def {
    mo_solve_def solve;
    const char *name;           /* of the solve, in warnings */
    double tolerance;           /* of the average density error at the new positions */
    int64_t corrections;        /* outer iterations at most */
    float warm;                 /* fraction of the last pressures used as initial guess, */
    bool warm_where_compressed; /* 0 for rows that would not be compressed otherwise */
    bool at_once;   /* the initial density error is corrected in this step, not relaxed */
    bool corrected; /* D delta*_i/Dt by sph/corrected_rates.h; target_i then includes its error */
} mo_density_def;

/* One value per row each; `more` is scratch space. */
typedef struct mo_density_columns {
    float *k;           /* pressures: of the last step, then of this one */
    const float *other; /* pressures that acted in this step before (NULL: none), for output */
    float *target, *more;
} mo_density_columns;

/* With velocities packed; adds to the report and ends the stages `pressure` and `advance`. */
mote_status mo_density_step(mo_fluid *fluid, const mo_density_def *def, const mo_fluid_step *now,
                            const mo_density_columns *columns, mote_error *error);

#endif
