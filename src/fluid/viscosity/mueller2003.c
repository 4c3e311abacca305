/*
 * Explicit viscosity by the Laplacian of the kernel, as in M. Mueller, D. Charypar, M. Gross 2003,
 * eq. 14,
 *     a_i = nu sum_j V_j (v_j - v_i) lap W_ij/(delta_i delta_j),    nu = mu/rho0,
 * with a kernel whose Laplacian is nowhere negative (their `viscosity`): other kernels accelerate
 * close neighbours. Linear momentum is conserved, angular momentum is not. In physical units: on a
 * lattice with a support of two spacings it gives 0.988 nu. The stability limit follows from the
 * column `viscous_rate`.
 */
#include "fluid/viscosity/blend.h"
#include "fluid/viscosity/viscosity.h"

#include <math.h>

enum { GRAIN = 4096 };

typedef struct mueller2003 {
    double nu, wall;
    mo_method kernel;
} mueller2003;

static const mo_param PARAMS[] = {
    {"nu", MO_REAL, MO_FIELD(mueller2003, nu), .unit = "m^2/s", .initial = "1e-6",
     .range = "[0, inf)", .doc = "Kinematic viscosity; 1e-6 is that of water."},
    {"wall", MO_REAL, MO_FIELD(mueller2003, wall), .unit = "m^2/s", .range = "[0, inf)",
     .doc =
         "Kinematic viscosity between the fluid and the boundary; default: nu (no slip); 0 is free "
         "slip."},
    {"kernel", MO_METHOD, MO_FIELD(mueller2003, kernel), .family = &mo_kernels,
     .initial = "\"viscosity\"", .doc = "Kernel whose Laplacian is used."},
    {0}};

static void weigh_rows(void *context, int64_t first, int64_t last)
{
    const mo_fluid *f = context;
    for (int64_t row = first; row < last; ++row) {
        f->rate[row] = 1 / f->total_density[row];
    }
}

static mote_status mueller2003_accelerate(mo_instance *self, mo_fluid *f, double h,
                                          mote_error *error)
{
    const mueller2003 *p = self->method.params;
    double scale = 1 / (f->support * f->support), wall = isnan(p->wall) ? p->nu : p->wall;
    mo_kernel kernel = mo_kernel_make((const mo_kernel_type *)p->kernel.type, f->dimension, 1);
    mo_parallel_for(f->pool, f->rows, GRAIN, weigh_rows, f);
    float *rate = self->columns[MO_VISCOUS_RATE]->data;
    mo_blend blend = {.kernel = &kernel,
                      .laplacian = true,
                      .factor = p->nu * scale,
                      .wall = {.nu = wall, .h = h, .rate = rate},
                      .rate = rate};
    return mo_fluid_blend(f, &blend, error);
}

const mo_viscosity_type mo_viscosity_mueller2003 = {
    .base = {.name = "mueller2003",
             .summary = "Explicit, by the Laplacian of the kernel; in physical units.",
             .citation = "Mueller, Charypar, Gross 2003, Symp. Computer Animation, 154, eq. 14",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(mueller2003),
             .params = PARAMS,
             .columns = mo_viscosity_columns},
    .accelerate = mueller2003_accelerate,
    .limit = mo_viscosity_limit,
};
