/*
 * Explicit viscosity by the Laplacian of the velocity, with central pair forces,
 *     a_i = 2 (d + 2) nu sum_j V_ij (v_ij . x_ij)/|x_ij|^2 grad W_ij,    V_ij = 2 V_j/(delta_i +
 *         delta_j),
 * J. Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, 543, with the factor 2 (d + 2) of P. Cleary,
 * J. Monaghan 1999. It is zero for rigid motions and conserves linear and angular momentum. nu is
 * the kinematic viscosity in m^2/s. Boundary particles have the collider's velocity and a separate
 * viscosity (`wall`). Departs from the papers: the mean of both densities, so that the force is
 * symmetric; no 0.01 R^2 beside |x_ij|^2, which would lower the viscosity by 3 to 8 %.
 *
 * The viscosity depends on the particle arrangement through T_abcd = -(d + 2) sum_j V_j G x_a x_b
 * x_c x_d/|x|^2, isotropic (T_xxyy = 1, T_xxxx = 3) in the limit of many neighbours. On a square or
 * cubic lattice T_xxyy, which resists shear along the axes, is too small by the excess of T_xxxx:
 * T_xxxx + (d - 1) T_xxyy = (d + 2) D, with D = -sum_j V_j G x_a^2, within some percent of 1. So
 * the directional average is correct, too small along the axes and too large along the diagonals.
 * Disordered particles, more neighbours, or a kernel that is flat near the centre (poly6) reduce
 * the anisotropy; morris1997 is isotropic on any lattice. The stability limit follows from the
 * column `viscous_rate`.
 */
#include "fluid/viscosity/friction.h"
#include "fluid/viscosity/viscosity.h"

#include <math.h>

typedef struct laplacian {
    double nu, wall;
    mo_method kernel;
} laplacian;

static const mo_param PARAMS[] = {
    {"nu", MO_REAL, MO_FIELD(laplacian, nu), .unit = "m^2/s", .initial = "1e-6",
     .range = "[0, inf)", .doc = "Kinematic viscosity; 1e-6 is that of water."},
    {"wall", MO_REAL, MO_FIELD(laplacian, wall), .unit = "m^2/s", .range = "[0, inf)",
     .doc =
         "Kinematic viscosity between the fluid and the boundary; default: nu (no slip); 0 is free "
         "slip."},
    {"kernel", MO_METHOD, MO_FIELD(laplacian, kernel), .family = &mo_kernels,
     .doc = "Kernel whose gradient is used; default: that of the fluid."},
    {0}};

static mote_status laplacian_accelerate(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    const laplacian *l = self->method.params;
    double factor = 2 * (f->dimension + 2);
    return mo_fluid_add_friction(f,
                                 &(mo_friction){.along = true,
                                                .nu = factor * l->nu,
                                                .wall = isnan(l->wall) ? l->nu : l->wall,
                                                .h = h,
                                                .rate = self->columns[MO_VISCOUS_RATE]->data,
                                                .kernel = (const mo_kernel_type *)l->kernel.type},
                                 error);
}

const mo_viscosity_type mo_viscosity_laplacian = {
    .base =
        {.name = "laplacian",
         .summary = "Explicit, by the Laplacian of the velocity with radial velocity differences; "
                    "in physical units.",
         .citation =
             "Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, 543; Cleary, Monaghan 1999, J. Comput. "
             "Phys. 148, 227",
         .departs =
             "The mean of both densities makes the pair force symmetric; the regularisation 0.01 "
             "R^2 of the denominator, which lowers the viscosity by 3 to 8 %, is omitted.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(laplacian),
         .params = PARAMS,
         .columns = mo_viscosity_columns},
    .accelerate = laplacian_accelerate,
    .limit = mo_viscosity_limit,
};
