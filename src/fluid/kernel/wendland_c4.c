/*
 * H. Wendland 1995, Adv. Comput. Math. 4, 389, the function of class C4:
 * f = (1 - q)^6 (1 + 6 q + 35/3 q^2) in 2D and 3D, (1 - q)^5 (1 + 5 q + 8 q^2) in 1D.
 */
#include "fluid/kernel/kernel.h"
#include "fluid/kernel/shapes.h"

static const mo_param PARAMS[] = {{0}};

static double wendland_c4_value(int dimension, double q)
{
    double s = 1 - q;
    return dimension == 1 ? mo_square(s * s) * s * (1 + 5 * q + 8 * q * q)
                          : mo_cube(s * s) * (1 + 6 * q + 35.0 / 3 * q * q);
}

static double wendland_c4_gradient(int dimension, double q)
{
    double s = 1 - q;
    return dimension == 1 ? -14 * mo_square(s * s) * (1 + 4 * q)
                          : -56.0 / 3 * mo_square(s * s) * s * (1 + 5 * q);
}

static double wendland_c4_laplacian(int dimension, double q)
{
    double s = 1 - q,
           /* q (f'/q)' */
        bend = dimension == 1 ? 280 * mo_cube(s) * q * q : 560 * mo_square(s * s) * q * q;
    return bend + dimension * wendland_c4_gradient(dimension, q);
}

const mo_kernel_type mo_kernel_wendland_c4 = {
    .base =
        {.name = "wendland_c4",
         .summary = "Wendland kernel of class C4: no pairing instability; smoother, for a larger "
                    "support.",
         .citation =
             "H. Wendland 1995, Adv. Comput. Math. 4, 389; W. Dehnen, H. Aly 2012, MNRAS 425, 1068",
         .capabilities = MO_KERNEL_SMOOTH | MO_KERNEL_POSITIVE | MO_KERNEL_DENSITY | MO_PORTABLE,
         .params = PARAMS},
    .factor = {3.0 / 2, 9 / MO_KERNEL_PI, 495 / (32 * MO_KERNEL_PI)},
    .form = {MO_KERNEL_BELL, MO_KERNEL_WENDLAND_C4, MO_KERNEL_WENDLAND_C4},
    .spacings = 2.5,
    .bell = {4, {5, 8, 0}, {-14, -56, 0}},
    .value = wendland_c4_value,
    .gradient = wendland_c4_gradient,
    .laplacian = wendland_c4_laplacian,
};
