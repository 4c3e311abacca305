/*
 * H. Wendland 1995, Adv. Comput. Math. 4, 389, the function of class C2:
 * f = (1 - q)^4 (1 + 4 q) in 2D and 3D, (1 - q)^3 (1 + 3 q) in 1D.
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

static const mo_param PARAMS[] = {{0}};

static double wendland_c2_value(int dimension, double q)
{
    double s = 1 - q;
    return dimension == 1 ? mo_cube(s) * (1 + 3 * q) : mo_square(s * s) * (1 + 4 * q);
}

static double wendland_c2_gradient(int dimension, double q)
{
    double s = 1 - q;
    return dimension == 1 ? -12 * mo_square(s) : -20 * mo_cube(s);
}

static double wendland_c2_laplacian(int dimension, double q)
{
    double s = 1 - q, bend = dimension == 1 ? 24 * s * q : 60 * mo_square(s) * q; /* q (f'/q)' */
    return bend + dimension * wendland_c2_gradient(dimension, q);
}

const mo_kernel_type mo_kernel_wendland_c2 = {
    .base =
        {.name = "wendland_c2",
         .summary = "Wendland kernel of class C2: no pairing instability; the cheapest Wendland "
                    "kernel.",
         .citation =
             "H. Wendland 1995, Adv. Comput. Math. 4, 389; W. Dehnen, H. Aly 2012, MNRAS 425, 1068",
         .capabilities = MO_KERNEL_SMOOTH | MO_KERNEL_POSITIVE | MO_KERNEL_DENSITY | MO_PORTABLE,
         .params = PARAMS},
    .factor = {5.0 / 4, 7 / MO_KERNEL_PI, 21 / (2 * MO_KERNEL_PI)},
    .form = {MO_KERNEL_BELL, MO_KERNEL_WENDLAND_C2, MO_KERNEL_WENDLAND_C2},
    .spacings = 2,
    .bell = {2, {3, 0, 0}, {-12, 0, 0}},
    .value = wendland_c2_value,
    .gradient = wendland_c2_gradient,
    .laplacian = wendland_c2_laplacian,
};
