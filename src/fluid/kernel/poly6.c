/*
 * f = (1 - q^2)^3 (M. Mueller, D. Charypar, M. Gross 2003, Particle-based fluid simulation for
 * interactive applications, eq. 20): no square root. Its gradient vanishes towards the centre, so
 * as a pressure kernel it allows clustering.
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

static const mo_param PARAMS[] = {{0}};

static double poly6_value(int dimension, double q)
{
    (void)dimension;
    return mo_cube(1 - q * q);
}

static double poly6_gradient(int dimension, double q)
{
    (void)dimension;
    return -6 * mo_square(1 - q * q);
}

static double poly6_laplacian(int dimension, double q)
{
    double rest = 1 - q * q;
    return 24 * q * q * rest - 6 * dimension * rest * rest;
}

const mo_kernel_type mo_kernel_poly6 = {
    .base = {.name = "poly6",
             .summary = "(1 - q^2)^3: evaluated without a square root, for densities.",
             .citation = "M. Mueller, D. Charypar, M. Gross 2003, SCA, 154, eq. 20",
             .capabilities = MO_KERNEL_SMOOTH | MO_KERNEL_DENSITY | MO_PORTABLE,
             .params = PARAMS},
    .factor = {35.0 / 32, 4 / MO_KERNEL_PI, 315 / (64 * MO_KERNEL_PI)},
    .form = {MO_KERNEL_POLY6, MO_KERNEL_POLY6, MO_KERNEL_POLY6},
    .spacings = 2,
    .value = poly6_value,
    .gradient = poly6_gradient,
    .laplacian = poly6_laplacian,
};
