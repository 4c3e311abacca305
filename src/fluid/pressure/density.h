/*
 * The constant-density part of a step, which dfsph and iisph share: from velocities v* = v + h a
 * that gravity and all terms have acted on,
 *     s_i = 1 - delta_i - h D delta*_i/Dt,    solve.h: k with h^2 L_i = s_i,    v := v* + h a(k),
 *     x := x + h v,
 * and outer iterations at the new positions. Boundary particles with pressures of their own take
 * part (layer_solve.h).
 *
 * Relaxation of the initial density error. Of the compression that is there already when a step
 * begins, in a block that was filled too densely, an over-filled closed domain, or after a solve
 * that left some. To undo it within one step takes a speed of (compression x size)/h, however small
 * h is: that is how implicit solvers explode. What v* is about to compress must be prevented all
 * the same, that is as fast as the flow itself. So of
 *     s_i = 1 - delta_i - h D delta*_i/Dt
 * only the first part is limited: a compression c = delta_i - 1 counts as
 *     min(c - surplus, most).
 * Where that is negative particles below their density, or less compressed than the average, may
 * become denser.
 *
 * most = 0.3 h w + 0.02 C^2 with w = sqrt(g/spacing), the pace at which particles fall past each
 * other (without gravity 0.03 v/spacing, and 1/s at least), and C = v h/spacing, the Courant number
 * of the fastest v: the linear prediction is wrong by the order of C^2. Without gravity both parts
 * grow with v, and the speed at which compression is undone with them: at 0.1 v/spacing and 0.05
 * C^2 eddies in a periodic box gained 2 % of their energy from a jitter of 0.1, and 74 of 250 J
 * came back within 20 ms when their strained lattice broke up.
 *
 * surplus is the average compression less 0.01 h w, if it is more than twice the tolerance and six
 * tenths of all particles are compressed, else 0. Compression that is everywhere cannot be undone
 * in a closed domain, whatever the pressure; under a free surface it is undone at that rate. Six
 * tenths and not all of them: in disordered fluid densities scatter about their average. In a fluid
 * that is within its tolerance it is 0.
 *
 * With boundaries that are contacts nothing is limited: contacts stop particles that the prediction
 * takes to go on, so what they compress is there already when it is first seen.
 *
 * Outer iterations of Newton's method. A solve makes the densities right as far as they are linear
 * in the positions; what is left at the new positions is of second order, and in the steps of an
 * impact above small tolerances. So the system is solved again there, with the boundary where it is
 * then and the lists as they were, for the density error against the target of the first solve,
 *     s_i = target_i - delta_i,    target_i = delta_i + the part of s_i that mo_recovery_source gives, at
 *                                  the start of the step,
 * and its accelerations change positions and velocities once more. The target is not 1: density
 * error from before the step, which is relaxed slowly, would be undone at once here and its
 * speed kept. In a closed domain it can never be undone, and each step would add its energy.
 *
 * Particles of a spray meet a boundary within one step, where the linear prediction sees nothing of
 * it, and are too few to show in an average: so a round is made for a single particle too, if its
 * error is above 20 tolerances and 1 %.
 *
 * To know the new densities costs an iteration or two, so they are found only if the first solve
 * began with an average residual of half the tolerance, or had to prevent 30 tolerances at one
 * particle. Contacts of geometric boundaries move particles after the step: nothing is corrected
 * there.
 *
 * A step leads from x to x + h v, so its accelerations must act along the pairs at x for angular
 * momentum to be conserved: sum m (x + h v) x v - sum m x x v0 = sum m x x (v - v0). Fluids without
 * a boundary are corrected so. Near a boundary the old gradients are no guide: F is much steeper at
 * a position that was led into it, and accelerations that make up for a weak gradient sent other
 * particles through a thin plate. Momentum is exchanged with the boundary anyway, so the gradients
 * there are those of the new positions.
 */
#ifndef MO_FLUID_PRESSURE_DENSITY_H
#define MO_FLUID_PRESSURE_DENSITY_H

#include "fluid/pressure/pressure.h"
#include "fluid/pressure/solve.h"

/* ---- relaxation of the initial density error ---- */

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

/* ---- a step ---- */

typedef struct mo_density_def {
    mo_solve_def solve;
    const char *name;    /* of the solve, in warnings */
    double tolerance;    /* of the average density error at the new positions */
    int64_t corrections; /* outer iterations at most */
    float warm;          /* part of the pressures of the last step that the solve starts from, */
    bool warm_where_compressed; /* 0 where nothing would be compressed without */
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
