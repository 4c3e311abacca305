/*
 * The quintic B-spline (J. P. Morris 1996, thesis, Monash University): f = (1 - q)^5 - 6 (2/3 -
 * q)+^5 + 15 (1/3 - q)+^5. Below 1/3, where the powers cancel at the centre, f'/q is expanded: -5
 * (8/9 - 8 q^2 + 10 q^3).
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

static const mo_param PARAMS[] = {{0}};

static double fifth(double a)
{
    return mo_square(a * a) * a;
}

static double quintic_value(int dimension, double q)
{
    (void)dimension;
    return fifth(1 - q) - 6 * fifth(mo_plus(2.0 / 3 - q)) + 15 * fifth(mo_plus(1.0 / 3 - q));
}

static double quintic_gradient(int dimension, double q)
{
    (void)dimension;
    if (q < 1.0 / 3) {
        return -5 * (8.0 / 9 - 8 * q * q + 10 * mo_cube(q));
    }
    double outer = mo_square(1 - q), middle = mo_square(mo_plus(2.0 / 3 - q));
    return -5 * (outer * outer - 6 * middle * middle) / q;
}

static double quintic_laplacian(int dimension, double q)
{
    double curvature = 20 * (mo_cube(1 - q) - 6 * mo_cube(mo_plus(2.0 / 3 - q)) +
                             15 * mo_cube(mo_plus(1.0 / 3 - q)));
    return curvature + (dimension - 1) * quintic_gradient(dimension, q);
}

const mo_kernel_type mo_kernel_quintic = {
    .base = {.name = "quintic",
             .summary = "Quintic B-spline: smoother than cubic, for a larger support.",
             .citation = "J. P. Morris 1996, thesis, Monash University",
             .capabilities = MO_KERNEL_SMOOTH | MO_KERNEL_DENSITY | MO_PORTABLE,
             .params = PARAMS},
    .factor = {243.0 / 40, 15309 / (478 * MO_KERNEL_PI), 2187 / (40 * MO_KERNEL_PI)},
    .form = {MO_KERNEL_QUINTIC, MO_KERNEL_QUINTIC, MO_KERNEL_QUINTIC},
    .spacings = 3,
    .value = quintic_value,
    .gradient = quintic_gradient,
    .laplacian = quintic_laplacian,
};
