/*
 * Explicit viscosity by the Laplacian of each component of the velocity,
 *     a_i = 2 nu sum_j V_ij v_ij (x_ij . grad W_ij)/|x_ij|^2,    V_ij = 2 V_j/(delta_i + delta_j),
 * J. Morris, P. Fox, Y. Zhu 1997, J. Comput. Phys. 136, 214. nu is the kinematic viscosity in
 * m^2/s. Its viscosity is isotropic on a square or cubic lattice: nu times D = -sum_j V_j G x_a^2,
 * within some percent of 1, which `laplacian` has only on average over directions. Recommended for
 * quantitative flows. Linear momentum is conserved, angular momentum is not: rigid rotation is
 * damped at a free surface. Departs from the paper: the mean of both densities; no 0.01 R^2 beside
 * |x_ij|^2; one layer of boundary samples with the velocity of the wall, instead of layers with
 * extrapolated velocities. The stability limit follows from the column `viscous_rate`.
 */
#include "fluid/viscosity/friction.h"
#include "fluid/viscosity/viscosity.h"

#include <math.h>

typedef struct morris1997 {
    double nu, wall;
    mo_method kernel;
} morris1997;

static const mo_param PARAMS[] = {
    {"nu", MO_REAL, MO_FIELD(morris1997, nu), .unit = "m^2/s", .initial = "1e-6",
     .range = "[0, inf)", .doc = "Kinematic viscosity; 1e-6 is that of water."},
    {"wall", MO_REAL, MO_FIELD(morris1997, wall), .unit = "m^2/s", .range = "[0, inf)",
     .doc =
         "Kinematic viscosity between the fluid and the boundary; default: nu (no slip); 0 is free "
         "slip."},
    {"kernel", MO_METHOD, MO_FIELD(morris1997, kernel), .family = &mo_kernels,
     .doc = "Kernel whose gradient is used; default: that of the fluid."},
    {0}};

static mote_status morris1997_accelerate(mo_instance *self, mo_fluid *f, double h,
                                         mote_error *error)
{
    const morris1997 *m = self->method.params;
    return mo_fluid_add_friction(f,
                                 &(mo_friction){.along = false,
                                                .nu = 2 * m->nu,
                                                .wall = 2 * (isnan(m->wall) ? m->nu : m->wall),
                                                .h = h,
                                                .rate = self->columns[MO_VISCOUS_RATE]->data,
                                                .kernel = (const mo_kernel_type *)m->kernel.type},
                                 error);
}

const mo_viscosity_type mo_viscosity_morris1997 = {
    .base = {.name = "morris1997",
             .summary = "Explicit, by the Laplacian of each velocity component; in physical units, "
                        "isotropic.",
             .citation = "Morris, Fox, Zhu 1997, J. Comput. Phys. 136, 214",
             .departs =
                 "The mean of both densities; no regularisation 0.01 R^2 of the denominator; "
                 "boundaries by the friction of the boundary method instead of layers with "
                 "extrapolated velocities.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(morris1997),
             .params = PARAMS,
             .columns = mo_viscosity_columns},
    .accelerate = morris1997_accelerate,
    .limit = mo_viscosity_limit,
};
