/*
 * The cubic B-spline (J. J. Monaghan, J. C. Lattanzio 1985, Astron. Astrophys. 149, 135):
 * f = 1 - 6 q^2 + 6 q^3 below 1/2, 2 (1 - q)^3 above.
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

static const mo_param PARAMS[] = {{0}};

static double cubic_value(int dimension, double q)
{
    (void)dimension;
    return q < 0.5 ? 1 - 6 * q * q * (1 - q) : 2 * mo_cube(1 - q);
}

static double cubic_gradient(int dimension, double q)
{
    (void)dimension;
    return q < 0.5 ? 18 * q - 12 : -6 * mo_square(1 - q) / q;
}

static double cubic_laplacian(int dimension, double q)
{
    double curvature = q < 0.5 ? 36 * q - 12 : 12 * (1 - q);
    return curvature + (dimension - 1) * cubic_gradient(dimension, q);
}

const mo_kernel_type mo_kernel_cubic = {
    .base = {.name = "cubic",
             .summary = "Cubic B-spline: the standard kernel of incompressible solvers.",
             .citation = "J. J. Monaghan, J. C. Lattanzio 1985, Astron. Astrophys. 149, 135",
             .capabilities = MO_KERNEL_SMOOTH | MO_KERNEL_DENSITY | MO_PORTABLE,
             .params = PARAMS},
    .factor = {4.0 / 3, 40 / (7 * MO_KERNEL_PI), 8 / MO_KERNEL_PI},
    .form = {MO_KERNEL_CUBIC, MO_KERNEL_CUBIC, MO_KERNEL_CUBIC},
    .spacings = 2,
    .value = cubic_value,
    .gradient = cubic_gradient,
    .laplacian = cubic_laplacian,
};
