/*
 * The kernel whose Laplacian is a multiple of 1 - q and so never negative (M. Mueller, D. Charypar,
 * M. Gross 2003, eq. 22). That fixes it in every dimension, with f = f' = 0 at q = 1:
 *
 *     1D  (1 - q)^3
 *     2D  q^2/4 - q^3/9 - ln(q)/6 - 5/36                     f'/q = -(1 - q)^2 (1 + 2 q) / (6 q^2)
 *     3D  -q^3/2 + q^2 + 1/(2 q) - 1 = (1 - q)^3 (1 + q) / (2 q)
 *                                                            f'/q = -(1 - q)^2 (1 + 2 q + 3 q^2) /
 *                                                                (2 q^3)
 *
 * It is singular at the centre in 2D and 3D, but integrable; see MO_KERNEL_CORE. The Laplacian here
 * is that of the formula, without the point source at the center.
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

#include <math.h>

static const mo_param PARAMS[] = {{0}};

static double viscosity_value(int dimension, double q)
{
    double core = fmax(q, MO_KERNEL_CORE);
    switch (dimension) {
    case 1:
        return mo_cube(1 - q);
    case 2:
        return mo_plus(core * core / 4 - mo_cube(core) / 9 - log(core) / 6 - 5.0 / 36);
    default:
        return mo_cube(1 - core) * (1 + core) / (2 * core);
    }
}

static double viscosity_gradient(int dimension, double q)
{
    double core = fmax(q, MO_KERNEL_CORE);
    switch (dimension) {
    case 1:
        return -3 * mo_square(1 - q) / core;
    case 2:
        return -mo_square(1 - core) * (1 + 2 * core) / (6 * core * core);
    default:
        return -mo_square(1 - core) * (1 + 2 * core + 3 * core * core) / (2 * mo_cube(core));
    }
}

static double viscosity_laplacian(int dimension, double q)
{
    return (dimension == 2 ? 1 : 6) * (1 - q);
}

const mo_kernel_type mo_kernel_viscosity = {
    .base = {.name = "viscosity",
             .summary = "The kernel with the Laplacian 1 - q, for viscous forces by lap W.",
             .citation = "M. Mueller, D. Charypar, M. Gross 2003, SCA, 154, eq. 22",
             .capabilities = MO_KERNEL_POSITIVE,
             .params = PARAMS},
    .factor = {2, 40 / MO_KERNEL_PI, 15 / (2 * MO_KERNEL_PI)},
    .form = {MO_KERNEL_SPIKY, MO_KERNEL_VISCOSITY_2D, MO_KERNEL_VISCOSITY_3D},
    .spacings = 2,
    .value = viscosity_value,
    .gradient = viscosity_gradient,
    .laplacian = viscosity_laplacian,
};
