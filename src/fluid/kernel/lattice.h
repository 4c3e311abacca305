/*
 * What a kernel does on the lattice that fluids start from, to tell before a run whether it can
 * work. Both numbers have no scale; kernels have support 1, so that the spacing is a part of it.
 */
#ifndef MO_FLUID_KERNEL_LATTICE_H
#define MO_FLUID_KERNEL_LATTICE_H

#include "fluid/kernel/kernel.h"

/* The density of a lattice at rest as its sum gives it: 1 if the sum were an integral. What is
 * above is compression that a fluid starts with, however far apart its particles are. */
double mo_lattice_density(const mo_kernel *kernel, int dimension, double spacing);

/* How steep the kernel of the force is where two particles are half a spacing apart, in parts of
 * that of the density. Pressure grows with the latter as two come near, and holds them apart by the
 * former: where it is flat they are not held, and their pressure drives the others instead. 1 for
 * one and the same kernel. */
double mo_lattice_grip(const mo_kernel *density, const mo_kernel *force, double spacing);

#endif
