/*
 * The Laplacian of the velocity by the plain SPH sum,
 *     a_i = nu sum_j V_j v_j lap W_ij/(delta_i delta_j),    nu = mu/rho0,
 * of M. Mueller, D. Charypar, M. Gross 2003, eq. 13, to be compared with the difference form of
 * mueller2003.c (their eq. 14), from which it differs by nu v_i sum_j V_j lap W_ij/(delta_i
 * delta_j). That sum does not vanish: the neighbour j = i is missing, and a kernel whose Laplacian
 * is positive is singular there. So a uniform flow is accelerated along itself, exponentially, at
 * the rate nu sum_j V_j lap W_ij: not Galilean invariant, no momentum is conserved, energy grows.
 */
#include "fluid/viscosity/blend.h"
#include "fluid/viscosity/viscosity.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct plain {
    double nu, wall;
    mo_method kernel;
} plain;

static const mo_param PARAMS[] = {
    {"nu", MO_REAL, MO_FIELD(plain, nu), .unit = "m^2/s", .initial = "1e-6", .range = "[0, inf)",
     .doc = "Kinematic viscosity; 1e-6 is that of water."},
    {"wall", MO_REAL, MO_FIELD(plain, wall), .unit = "m^2/s", .range = "[0, inf)",
     .doc =
         "Kinematic viscosity between the fluid and the boundary; default: nu (no slip); 0 is free "
         "slip."},
    {"kernel", MO_METHOD, MO_FIELD(plain, kernel), .family = &mo_kernels,
     .initial = "\"viscosity\"", .doc = "Kernel whose Laplacian is used."},
    {0}};

static void weigh_rows(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        f->rate[row] = 1 / f->total_density[row];
    }
}

static mote_status plain_accelerate(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const plain *p = self->method.params;
    float *rate = self->columns[MO_VISCOUS_RATE]->data;
    mo_kernel kernel = mo_kernel_make((const mo_kernel_type *)p->kernel.type, f->dimension, 1);
    mo_parallel_for(f->pool, f->rows, GRAIN, weigh_rows, f);
    mo_blend blend = {.kernel = &kernel,
                      .laplacian = true,
                      .absolute = true,
                      .factor = p->nu / (f->support * f->support),
                      .wall = {.nu = isnan(p->wall) ? p->nu : p->wall, .h = h, .rate = rate},
                      .rate = rate};
    return mo_fluid_blend(f, &blend, error);
}

const mo_viscosity_type mo_viscosity_plain = {
    .base = {.name = "plain",
             .summary =
                 "Explicit, by the plain SPH sum of velocities instead of their differences: "
                 "accelerates uniform flow and gains energy. To show why not; use corotational.",
             .citation = "Mueller, Charypar, Gross 2003, Symp. Computer Animation, 154, eq. 13",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(plain),
             .params = PARAMS,
             .columns = mo_viscosity_columns},
    .accelerate = plain_accelerate,
    .limit = mo_viscosity_limit,
};
