/*
 * Velocity smoothing terms of viscosity models:
 *     a_i += factor sum_j V_j g_i g_j (v_j - v_i) K_ij,
 * K the kernel or its Laplacian, g a function of the density (a mean of both, so that the sum is
 * symmetric). With c_ij the coefficient of v_j - v_i in a_i for phases of one density, no damping
 * rate is above 2 sum_j max(c_ij, 0): negative coefficients (a Laplacian near the centre of most
 * kernels) are unstable at any step.
 */
#ifndef MO_FLUID_VISCOSITY_BLEND_H
#define MO_FLUID_VISCOSITY_BLEND_H

#include "fluid/sph/wall_friction.h"

typedef struct mo_blend {
    const mo_kernel *kernel; /* with support 1 */
    bool laplacian;          /* of the kernel, then factors are / support^2 */
    bool absolute;           /* v_j in place of v_j - v_i (plain.c) */
    double factor;
    mo_wall_friction wall; /* at solids */
    float *rate;           /* the column `viscous_rate`; NULL: no bound requested */
} mo_blend;

/* Adds to the column `a`, and fills `rate` if there is one. f->rate is g of the rows. Positions
 * and velocities are packed; packs other values. */
mote_status mo_fluid_blend(mo_fluid *fluid, const mo_blend *blend, mote_error *error);

#endif
