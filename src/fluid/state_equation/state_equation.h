/*
 * The family of equations of state: the pressure of a fluid that is compressed a little. Densities
 * come as delta, the density in units of the rest density rho0.
 *
 * The stiffness decides how much the fluid gives way and how fast sound is in it; the time step
 * must resolve sound (pressure/wcsph.h). To keep the density within 1 % the speed of sound has to
 * be ten times that of the fluid (J. Monaghan 1994, J. Comput. Phys. 110, 399), whatever it is in
 * nature.
 */
#ifndef MO_FLUID_STATE_EQUATION_H
#define MO_FLUID_STATE_EQUATION_H

#include "base/param.h"

typedef struct mo_state_equation_type {
    mo_descriptor base;
    /* Pa */
    double (*pressure)(const void *params, double rho0, double delta);
    /* The square of the speed of sound, dp/drho, at rest density. */
    double (*sound_square)(const void *params, double rho0);
    bool gas; /* its density is not meant to stay that at rest */
} mo_state_equation_type;

extern const mo_family mo_state_equations;

#endif
