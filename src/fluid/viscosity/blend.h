/*
 * What viscosities are made of that pull velocities together, whatever way the particles lie:
 *     a_i += factor sum_j V_j g_i g_j (v_j - v_i) K_ij + wall sum_b V_b g_i (v_b - v_i) K_ib,
 * K the kernel or its Laplacian, g a function of the density (a mean of both, so that the sum is symmetric).
 */
#ifndef MO_FLUID_VISCOSITY_BLEND_H
#define MO_FLUID_VISCOSITY_BLEND_H

#include "fluid/fluid.h"

typedef struct mo_blend {
    const mo_kernel *kernel; /* with support 1 */
    bool laplacian;          /* of the kernel, then factors are / support^2 */
    double factor, wall;
} mo_blend;

/* Adds to the column `a`. f->rate holds g of the rows. Places and velocities are packed; packs numbers of its own. */
void mo_fluid_blend(mo_fluid *fluid, const mo_blend *blend);

#endif
