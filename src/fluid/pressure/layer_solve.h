/*
 * The part that boundary particles with pressures of their own (sph/layers.h) have in the system of
 * solve.h: sources as those of rows, and Jacobi steps beside theirs. Nothing is done for other
 * boundaries.
 *
 * A sample may be less dense than at rest whatever its rate, and near a free surface or below spray
 * it always is: samples below LOOSE of the rest density have no part in the divergence-free solve.
 * The residual that decides when a solve stops is that of rows alone.
 */
#ifndef MO_FLUID_PRESSURE_LAYER_SOLVE_H
#define MO_FLUID_PRESSURE_LAYER_SOLVE_H

#include "fluid/pressure/solve.h"
#include "fluid/sph/layers.h"

/* Before a solve: s_b of the velocities as they are packed. */
void mo_layers_source_divergence(mo_fluid *fluid);
void mo_layers_source_density(mo_fluid *fluid, double h, const mo_recovery *recovery);

/* s_b = target_b - delta_b of the last density solve, or 1 - delta_b. */
void mo_layers_source_target(mo_fluid *fluid);
void mo_layers_source_rest(mo_fluid *fluid);

/* In an iteration, after mo_fluid_rates of the push: one Jacobi step of all samples. */
void mo_layers_relax(mo_fluid *fluid, double span, double omega);

/* Of solvers that move positions in every iteration (pbf): pressures that are added in this one, to
 * a sum that is never negative. The first are the mean of those of the rows around. */
void mo_layers_start_positions(mo_fluid *fluid, const float *k);
void mo_layers_relax_positions(mo_fluid *fluid, double strength);

/* All pressures less by the same (closed domains). */
void mo_layers_lower(mo_fluid *fluid, float by);

#endif
