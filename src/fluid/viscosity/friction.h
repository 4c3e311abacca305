/*
 * Pair sums of viscosity models with the kernel gradient factor G = (dW/dr)/r, grad W_ij = G x_ij:
 *     along x_ij    a_i += nu sum_j V_ij G ((v_ij . x_ij)/|x_ij|^2) x_ij
 *     whole         a_i += nu sum_j V_ij G v_ij
 * with V_ij = 2 V_j/(delta_i + delta_j), so that forces are equal and opposite, delta with the
 * integral of W over solids (`total_density`). Friction at solids is sph/wall_friction.h's.
 *
 * Phases of several rest densities: nu is theirs, rho0 nu differs, and stress is the same on both
 * sides of an interface if a pair has the harmonic mean of both, 2 rho0_i rho0_j/(rho0_i + rho0_j)
 * (P. Cleary, J. Monaghan 1999, for heat; X. Hu, N. Adams 2006). Forces are equal and opposite, and
 * a light phase is at most twice as viscous next to a heavy one: with the arithmetic mean the
 * factor would be half the density ratio, with a smaller stable step in proportion.
 *
 * Each row gets an upper bound of the damping rate in the column `viscous_rate`, from which the
 * largest stable step follows (docs/fluids.md derives it): with c_ij the coefficient of -v_ij in
 * a_i for a single phase, and n = x_ij/|x_ij|, the largest eigenvalue of
 *     along x_ij    2 sum_j c_ij n n^T
 *     whole         2 sum_j c_ij    (times the unit matrix),
 * and beside it the damping rate of friction at solids. With the harmonic mean phases of other
 * densities do not change it. The second is the trace of the first, no less than its eigenvalues,
 * and needs no extra work: it replaces the first where it is far from limiting the step.
 */
#ifndef MO_FLUID_VISCOSITY_FRICTION_H
#define MO_FLUID_VISCOSITY_FRICTION_H

#include "fluid/sph/fluid.h"

typedef struct mo_friction {
    bool along;                   /* along x_ij, or the full v_ij */
    double nu, h;                 /* nu with the form's factor; h: the step */
    double wall;                  /* kinematic viscosity at solids (sph/wall_friction.h) */
    float *rate;                  /* the column `viscous_rate` */
    const mo_kernel_type *kernel; /* NULL: the fluid's */
} mo_friction;

/* Adds to the column `a` and fills `rate`. Positions, velocities and densities are packed; packs
 * other values. */
mote_status mo_fluid_add_friction(mo_fluid *fluid, const mo_friction *friction, mote_error *error);

#endif
