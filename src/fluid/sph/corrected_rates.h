/*
 * Rates of the density that are exact on linear flows, for solvers whose forces are symmetric.
 *
 * The plain rate sum_j V_j (u_i - u_j) . grad W_ij is the change of the density sum. In a lattice
 * under isochoric strain sums change by percents, and a solver that prevents this resists the flow:
 * Taylor-Green vortices at Re 100 lose 82 % of their velocity to it in 1 s
 * (docs/fluid_accuracy.md). With M_i = sum_j V_j grad W_ij (x_j - x_i)^T (P. W. Randles, L. D.
 * Libersky 1996, Comput. Methods Appl. Mech. Eng. 139, 375) rate_i = sum_j V_j (u_i - u_j) . A_i
 * grad W_ij,    A = 1 + t (M^-1 - 1), is -div u for linear u at t = 1. t goes from 0 to 1 as (d/tr
 * M)^d det M, which is 1 for isotropic neighbourhoods, goes from 0.2 to 0.4: the least eigenvalue
 * is then 0.1 to 0.2. Rows beside solids and free surfaces keep the plain rate, which includes the
 * boundary.
 */
#ifndef MO_FLUID_SPH_CORRECTED_RATES_H
#define MO_FLUID_SPH_CORRECTED_RATES_H

#include "fluid/sph/fluid.h"

/* As mo_fluid_rates with moving walls; `difference` (NULL: not wanted) is the plain rate minus this
 * one. */
void mo_fluid_corrected_rates(mo_fluid *fluid, const float *u, float *rate, float *difference);

#endif
