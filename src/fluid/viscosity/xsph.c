/*
 * XSPH: velocities relax towards those of their neighbours in each step,
 *     v_i := v_i + epsilon sum_j V_j (v_j - v_i) W_ij/sqrt(delta_i delta_j),
 * J. Monaghan 1989, J. Comput. Phys. 82, 1; with position based fluids by M. Macklin, M. Mueller
 * 2013, eq. 17. Linear momentum is conserved, angular momentum is not. It has no physical units: it
 * acts once per step, so that twice as many steps damp twice as much; for a given viscosity use
 * `laplacian`. Departs from the papers: the geometric mean of the densities, symmetric as their
 * arithmetic one; the difference changes the velocity itself and not only the advection.
 */
#include "fluid/viscosity/blend.h"
#include "fluid/viscosity/viscosity.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct xsph {
    double epsilon, wall;
    mo_method kernel;
} xsph;

static const mo_param PARAMS[] = {
    {"epsilon", MO_REAL, MO_FIELD(xsph, epsilon), .initial = "0.01", .range = "[0, 1]",
     .doc = "Coefficient epsilon: fraction of the velocity difference to the neighbours removed "
            "per step."},
    {"wall", MO_REAL, MO_FIELD(xsph, wall), .range = "[0, 1]",
     .doc = "The same between the fluid and the boundary; default: epsilon; 0 is free slip."},
    {"kernel", MO_METHOD, MO_FIELD(xsph, kernel), .family = &mo_kernels,
     .doc = "Kernel that weights the neighbours; default: that of the fluid."},
    {0}};

static void weigh_rows(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        f->rate[row] = 1 / sqrtf(f->total_density[row]);
    }
}

static mote_status xsph_accelerate(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const xsph *x = self->method.params;
    double wall = isnan(x->wall) ? x->epsilon : x->wall;
    mo_parallel_for(f->pool, f->rows, GRAIN, weigh_rows, f);
    mo_kernel kernel = x->kernel.type
                           ? mo_kernel_make((const mo_kernel_type *)x->kernel.type, f->dimension, 1)
                           : f->kernel;
    return mo_fluid_blend(f,
                          &(mo_blend){.kernel = &kernel,
                                      .factor = x->epsilon / h,
                                      .wall = {.blend = wall / h, .h = h}},
                          error);
}

const mo_viscosity_type mo_viscosity_xsph = {
    .base =
        {.name = "xsph",
         .summary =
             "XSPH velocity smoothing: velocities relax towards the average of their neighbours in "
             "every step; no physical units.",
         .citation =
             "Monaghan 1989, J. Comput. Phys. 82, 1; Macklin, Mueller 2013, ACM Trans. Graph. 32, "
             "104, eq. 17",
         .departs =
             "The geometric mean of the densities instead of the arithmetic one; the velocity "
             "itself changes and not only the advection.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(xsph),
         .params = PARAMS},
    .accelerate = xsph_accelerate,
};
