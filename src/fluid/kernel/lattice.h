/*
 * Kernel sums on the initial lattice, for checks before a run. Dimensionless; kernels have support
 * 1, and the spacing is relative to it.
 */
#ifndef MO_FLUID_KERNEL_LATTICE_H
#define MO_FLUID_KERNEL_LATTICE_H

#include "fluid/kernel/kernel.h"

/* The summation density of a lattice relative to the rest density: 1 for an exact integral. The
 * excess is an initial density error. */
double mo_lattice_density(const mo_kernel *kernel, int dimension, double spacing);

/* The part of M = sum_j V_j grad W_ij (x_j - x_i)^T of the particles behind a plane of a lattice,
 * for a particle in the layer of this number above it (0: the first): its components along the
 * plane and across it. */
void mo_lattice_moments_behind(const mo_kernel *kernel, int dimension, double spacing, int layer,
                               double *along, double *across);

/* The gradient of the force kernel relative to that of the density kernel at half a spacing.
 * Pressure of a close pair grows with the latter, its repulsion with the former: if the former
 * is small, close pairs are not separated, and their pressure accelerates other particles. 1 for
 * equal kernels. */
double mo_lattice_gradient_ratio(const mo_kernel *density, const mo_kernel *force, double spacing);

#endif
