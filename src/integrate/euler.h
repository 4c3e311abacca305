/*
 * Euler steps: one evaluation, then every row goes to the end of the step by itself. Schemes of
 * this kind differ in two lines, how numbers go on and which rotation vector an oriented particle
 * turns by; the step around them is here.
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
