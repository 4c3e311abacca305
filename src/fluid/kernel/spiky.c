/*
 * f = (1 - q)^3 (M. Desbrun, M.-P. Gascuel 1996, Smoothed particles): a gradient that increases
 * towards the centre, against clustering. At the centre itself it is undefined; see MO_KERNEL_CORE.
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

#include <math.h>

static const mo_param PARAMS[] = {{0}};

static double spiky_value(int dimension, double q)
{
    (void)dimension;
    return mo_cube(1 - q);
}

static double spiky_gradient(int dimension, double q)
{
    (void)dimension;
    return -3 * mo_square(1 - q) / fmax(q, MO_KERNEL_CORE);
}

static double spiky_laplacian(int dimension, double q)
{
    return 6 * (1 - q) + (dimension - 1) * spiky_gradient(dimension, q);
}

const mo_kernel_type mo_kernel_spiky = {
    .base = {.name = "spiky",
             .summary = "(1 - q)^3: non-zero gradient at the centre, for pressure forces.",
             .citation = "M. Desbrun, M.-P. Gascuel 1996, Computer Animation and Simulation, 61",
             .capabilities = MO_KERNEL_POSITIVE | MO_KERNEL_DENSITY | MO_PORTABLE,
             .params = PARAMS},
    .factor = {2, 10 / MO_KERNEL_PI, 15 / MO_KERNEL_PI},
    .form = {MO_KERNEL_SPIKY, MO_KERNEL_SPIKY, MO_KERNEL_SPIKY},
    .spacings = 2,
    .value = spiky_value,
    .gradient = spiky_gradient,
    .laplacian = spiky_laplacian,
};
