/*
 * Friction of a fluid at solids, the same for every boundary method and every viscosity.
 *
 * No slip: the fluid velocity equals the solid's at its surface. Beyond the surface the velocity is
 * extrapolated linearly, v(y) = v_s + (v_i - v_s) y/d for a particle at the distance d (J. Morris,
 * P. Fox, Y. Zhu 1997, J. Comput. Phys. 136, 214), and the Laplacian of their section 3.4 over the
 * half space is a closed form: with z the depth below the particle,
 *     a_i = (2 nu/d) (v_i - v_s) integral of (dW/dr)(z/r) = -nu kappa (v_i - v_s),
 *     kappa = 2 lambda'(d)/d,    lambda' the integral of W over the plane at d.
 * Linear shear exerts the stress rho nu dv/dy on the solid: the sum over layers of kappa d is 1. On
 * a lattice the sum over the missing layers exceeds the integral by a few percent; kappa includes
 * that factor. Only the tangential part acts.
 *
 * nu = 0 is free slip.
 *
 * Implicit viscosities have the same rates as a matrix D. The reaction on a free body acts after
 * the terms; so that its impulse does not overshoot, D of its entries, explicit ones too, is
 * divided by 1 + h sum D_i/M_B, which bounds the change of the body's velocity by that of the fluid
 * relative to it.
 */
#ifndef MO_FLUID_SPH_WALL_FRICTION_H
#define MO_FLUID_SPH_WALL_FRICTION_H

#include "fluid/sph/reaction.h"

typedef struct mo_wall_friction {
    double nu;           /* kinematic viscosity at the solid [m^2/s] */
    const float *of_row; /* rows: the same of each, where nu > 0; NULL: nu */
    /* 1/s: velocities decay by this times the solid fraction of the support (xsph) */
    double blend;
    double h;      /* the step */
    float *rate;   /* upper bound of the damping rate, to which kappa nu is added; NULL: none */
    double *share; /* factors of D, one per free body; filled by mo_fluid_wall_drag */
} mo_wall_friction;

/* Adds to the column `a`. Velocities are packed. */
mote_status mo_fluid_wall_friction(mo_fluid *fluid, const mo_wall_friction *friction,
                                   mote_error *error);

/* For a backward Euler step: h D/m of the rows, six components of a symmetric tensor each, and
 * `pull`, four components, its product with the velocity of the solid. *walled: some row is near a
 * solid; otherwise nothing is written. */
mote_status mo_fluid_wall_drag(mo_fluid *fluid, const mo_wall_friction *friction, float *drag,
                               float *pull, bool *walled, mote_error *error);

/* The reactions of that friction with the packed velocities, those of the end of the step. */
mote_status mo_fluid_wall_drag_react(mo_fluid *fluid, const mo_wall_friction *friction,
                                     mote_error *error);

#endif
