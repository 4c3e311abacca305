/*
 * The modified Euler method of Gould and Tobochnik (An Introduction to Computer Simulation Methods,
 * 1988): the position moves with the mean of the old and the new velocity, v+ = v + h a, x+ = x + h
 * (v + v+)/2. Still first order; half the error of explicit Euler in x.
 */
#include "integrate/euler.h"

static const mo_param PARAMS[] = {MO_ROTATION_PARAM, {0}};

static void advance(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V];
    const double *restrict a = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        double kick = h * a[k];
        x[k] += h * (v[k] + 0.5 * kick);
        v[k] += kick;
    }
}

/* theta = h (w + w+)/2 */
static mo_vec3 theta(double h, mo_vec3 w, mo_vec3 w_end)
{
    return mo_scale(0.5 * h, mo_add(w, w_end));
}

static const mo_euler SCHEME = {advance, theta};

static void modified_euler_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_euler_step(dynamics, &SCHEME, params, h);
}

const mo_integrator_type mo_integrator_modified_euler = {
    .base =
        {.name = "modified_euler",
         .summary =
             "Euler with the average velocity for the position: first order, one force evaluation "
             "a step.",
         .citation = "Gould, Tobochnik 1988, An Introduction to Computer Simulation Methods",
         .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
         .param_size = sizeof(mo_rotation_choice),
         .params = PARAMS},
    .order = 1,
    .stable_limit = 0,
    .step = modified_euler_step,
};
