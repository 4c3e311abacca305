/*
 * Boundary particles with their own pressures (sph/layers.h) in the system of solve.h: sources like
 * those of rows, and simultaneous Jacobi steps. No effect for other boundaries.
 *
 * A sample may be below the rest density at any rate, and near a free surface or below spray it
 * always is: samples below LOOSE of the rest density are excluded from the divergence-free solve.
 * The stopping criterion uses the residual of rows alone.
 */
#ifndef MO_FLUID_PRESSURE_LAYER_SOLVE_H
#define MO_FLUID_PRESSURE_LAYER_SOLVE_H

#include "fluid/pressure/solve.h"
#include "fluid/sph/layers.h"

/* Before a solve: s_b of the packed velocities. */
void mo_layers_source_divergence(mo_fluid *fluid);
void mo_layers_source_density(mo_fluid *fluid, double h, const mo_recovery *recovery);

/* s_b = target_b - delta_b of the last density solve, or 1 - delta_b. */
void mo_layers_source_target(mo_fluid *fluid);
void mo_layers_source_rest(mo_fluid *fluid);

/* In an iteration, after mo_fluid_rates of the pressure acceleration: one Jacobi step of all
 * samples. */
void mo_layers_relax(mo_fluid *fluid, double span, double omega);

/* For solvers that move positions in every iteration (pbf): increments of pressures whose sum is
 * non-negative. The first are the mean of those of the adjacent rows. */
void mo_layers_start_positions(mo_fluid *fluid, const float *k);
void mo_layers_relax_positions(mo_fluid *fluid, double strength);

/* Lowers all pressures by a constant (closed domains). */
void mo_layers_lower(mo_fluid *fluid, float by);

#endif
