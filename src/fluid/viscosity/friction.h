/*
 * What viscosities are made of that follow from the slope of a kernel, G = (dW/dr)/r so that grad W_ij = G x_ij:
 *     along x_ij    a_i += nu sum_j V_ij G ((v_ij . x_ij)/|x_ij|^2) x_ij
 *     whole         a_i += nu sum_j V_ij G v_ij
 * with V_ij = 2 V_j/(delta_i + delta_j), so that forces are equal and opposite, delta with V_b W of the walls (`crowd`), which are
 * samples at rest density that move as the wall does.
 */
#ifndef MO_FLUID_VISCOSITY_FRICTION_H
#define MO_FLUID_VISCOSITY_FRICTION_H

#include "fluid/fluid.h"

typedef struct mo_friction {
    bool along; /* x_ij, or the whole of v_ij */
    double nu, wall;
    const mo_kernel_type *kernel; /* NULL: the fluid's */
} mo_friction;

/* Adds to the column `a`. Places, velocities and densities are packed; packs numbers of its own. */
void mo_fluid_rub(mo_fluid *fluid, const mo_friction *friction);

#endif
