/*
 * The common step of Euler-type schemes: one evaluation, then every row is advanced independently.
 * They differ in the update of values and in the rotation vector of oriented particles.
 */
#ifndef MO_INTEGRATE_EULER_H
#define MO_INTEGRATE_EULER_H

#include "integrate/integrator.h"
#include "integrate/rotation.h"

typedef struct mo_euler {
    mo_state_fn *advance;
    /* for rotations by the exponential map: theta of a step in which w becomes w_end = w + h b */
    mo_vec3 (*theta)(double h, mo_vec3 w, mo_vec3 w_end);
} mo_euler;

/* `params` is a mo_rotation_choice. */
void mo_euler_step(mo_dynamics *dynamics, const mo_euler *scheme, const void *params, double h);

#endif
