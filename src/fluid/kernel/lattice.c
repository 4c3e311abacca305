#include "fluid/kernel/lattice.h"
#include "math/portable.h"

#include <math.h>

double mo_lattice_density(const mo_kernel *kernel, int dimension, double spacing)
{
    int reach = (int)ceil(1 / spacing), flat = dimension == 3 ? reach : 0;
    double sum = 0;
    for (int x = -reach; x <= reach; ++x) {
        for (int y = -reach; y <= reach; ++y) {
            for (int z = -flat; z <= flat; ++z) {
                sum += mo_kernel_w(kernel, spacing * sqrt((double)(x * x + y * y + z * z)));
            }
        }
    }
    return sum * mo_power(spacing, dimension);
}

void mo_lattice_moments_behind(const mo_kernel *kernel, int dimension, double spacing, int layer,
                               double *along, double *across)
{
    int reach = (int)ceil(1 / spacing), flat = dimension == 3 ? reach : 0;
    *along = *across = 0;
    for (int x = -reach; x <= reach; ++x) {
        for (int y = layer + 1; y <= reach; ++y) {
            for (int z = -flat; z <= flat; ++z) {
                double r = spacing * sqrt((double)(x * x + y * y + z * z));
                double g = -mo_kernel_gradient(kernel, r) * spacing * spacing;
                *along += g * x * x;
                *across += g * y * y;
            }
        }
    }
    *along *= mo_power(spacing, dimension);
    *across *= mo_power(spacing, dimension);
}

double mo_lattice_gradient_ratio(const mo_kernel *density, const mo_kernel *force, double spacing)
{
    double near = 0.5 * spacing;
    return mo_kernel_gradient(force, near) / mo_kernel_gradient(density, near);
}
