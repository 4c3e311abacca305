/*
 * H. Wendland 1995, Adv. Comput. Math. 4, 389, the function of class C6: f = (1 - q)^8 (1 + 8 q +
 * 25 q^2 + 32 q^3) in 2D and 3D, (1 - q)^7 (1 + 7 q + 19 q^2 + 21 q^3) in 1D. Narrow: at a support
 * of two spacings lattice sums have an error of 17 %.
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

static const mo_param PARAMS[] = {{0}};

static double wendland_c6_value(int dimension, double q)
{
    double s = 1 - q;
    return dimension == 1 ? mo_cube(s * s) * s * (1 + q * (7 + q * (19 + 21 * q)))
                          : mo_square(mo_square(s * s)) * (1 + q * (8 + q * (25 + 32 * q)));
}

static double wendland_c6_gradient(int dimension, double q)
{
    double s = 1 - q;
    return dimension == 1 ? -6 * mo_cube(s * s) * (3 + q * (18 + 35 * q))
                          : -22 * mo_cube(s * s) * s * (1 + q * (7 + 16 * q));
}

static double wendland_c6_laplacian(int dimension, double q)
{
    double s = 1 - q, bend = dimension == 1 ? 336 * mo_square(s * s) * s * q * q * (1 + 5 * q)
                                            /* q (f'/q)' */
                                            : 528 * mo_cube(s * s) * q * q * (1 + 6 * q);
    return bend + dimension * wendland_c6_gradient(dimension, q);
}

const mo_kernel_type mo_kernel_wendland_c6 = {
    .base =
        {.name = "wendland_c6",
         .summary =
             "Wendland kernel of class C6: no pairing instability; for supports of three spacings "
             "and more.",
         .citation =
             "H. Wendland 1995, Adv. Comput. Math. 4, 389; W. Dehnen, H. Aly 2012, MNRAS 425, 1068",
         .capabilities = MO_KERNEL_SMOOTH | MO_KERNEL_POSITIVE | MO_KERNEL_DENSITY | MO_PORTABLE,
         .params = PARAMS},
    .factor = {55.0 / 32, 78 / (7 * MO_KERNEL_PI), 1365 / (64 * MO_KERNEL_PI)},
    .form = {MO_KERNEL_BELL, MO_KERNEL_WENDLAND_C6, MO_KERNEL_WENDLAND_C6},
    .spacings = 3,
    .bell = {6, {7, 19, 21}, {-18, -108, -210}},
    .value = wendland_c6_value,
    .gradient = wendland_c6_gradient,
    .laplacian = wendland_c6_laplacian,
};
