/*
 * The family of equations of state: the pressure of a weakly compressible fluid. delta is the
 * density relative to the rest density rho0.
 *
 * The stiffness determines the compressibility and the speed of sound, which the time step must
 * resolve (pressure/wcsph.h). To keep the density within 1 % the speed of sound has to be ten times
 * the flow speed (J. Monaghan 1994, J. Comput. Phys. 110, 399).
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
    bool gas; /* its density is not close to the rest density */
} mo_state_equation_type;

extern const mo_family mo_state_equations;

#endif
