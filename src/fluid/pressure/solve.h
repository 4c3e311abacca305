/*
 * The system that implicit solvers share: numbers k_i >= 0 (k = p/delta^2 [Pa]) such that the accelerations
 *     a_i = -(1/rho0) (sum_j V_j (k_i + k_j) grad W_ij + k_i wall_i)
 * change the density, over a time of h^n (n = 2 if they are to act on places, 1 on velocities), by what is asked for:
 *     h^n L_i = s_i,    L_i = sum_j V_j (a_i - a_j) . grad W_ij + a_i . wall_i.
 * Bodies that are free to move accelerate too, and take a part of L_i (boundary/response.h).
 * By relaxed Jacobi steps on the diagonal -diagonal_i/rho0 of L (M. Ihmsen et al. 2014, section 3.3, with the terms of
 * the walls written out):
 *     k_i := max(0, k_i - omega (s_i/h^n - L_i) rho0/diagonal_i).
 * Where k is held at 0 the density may stay below: fluids are not pulled together.
 *
 * Closed tanks. Without a free surface anywhere one pressure more for all of the fluid moves nothing, and fluid that has less
 * room than it needs is compressed whatever k is: Jacobi steps would raise k for ever, and what is noise in the sum of
 * gradients would blow the fluid up. So where one pressure for all pushes nobody (fluid.h: `bare`) and nobody is in the open (density) k is lowered by its least
 * after each step, and what a step raises all k by is left out of the residual that decides when to stop: what remains is
 * compressed evenly. Under a surface k is what it is: a fluid at rest has some in its uppermost layer too.
 *
 * The residual is h^n L_i - s_i where that is positive, a predicted compression, and its mean decides when to stop.
 */
#ifndef MO_FLUID_PRESSURE_SOLVE_H
#define MO_FLUID_PRESSURE_SOLVE_H

#include "fluid/sph/fluid.h"

typedef struct mo_solve_def {
    double tolerance; /* of the mean residual: where it stops, which may be before what the scene asks for */
    double omega;
    int least, most; /* iterations */
} mo_solve_def;

typedef struct mo_solve_result {
    int iterations;
    double begun, residual; /* at the start and at the end */
    double hopeless;        /* the part of the residual that no k can change, in a closed tank */
} mo_solve_result;

/* k is where it starts and what comes out; source is s_i; span is h^n. After it f->push holds the accelerations of k. */
mote_status mo_solve_pressure(mo_fluid *fluid, const mo_solve_def *def, const float *source, double span,
                              float *k, mo_solve_result *result, mote_error *error);

/* Into the fluid's report: a solve made so many iterations and left a mean compression, where the scene asks for a tolerance. Its
   iterations are counted by the caller. */
void mo_solve_note(mo_fluid *fluid, const char *solve, bool divergence, int iterations, double residual,
                   double tolerance);

/* The same of a result, whose residuals are in units of `unit`. */
void mo_solve_note_result(mo_fluid *fluid, const char *solve, bool divergence, const mo_solve_result *result,
                          double unit, double tolerance);

/* In a tank that is full takes the least k from all of them; *by is how much that was. */
mote_status mo_solve_lower(mo_fluid *fluid, float *k, float *by, mote_error *error);

#endif
