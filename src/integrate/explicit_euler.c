/*
 * Explicit Euler: x+ = x + h v, v+ = v + h a. First order, and unstable for every undamped
 * oscillation; for comparison only.
 */
#include "integrate/euler.h"

static const mo_param PARAMS[] = {MO_ROTATION_PARAM, {0}};

static void advance(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V];
    const double *restrict a = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        x[k] += h * v[k];
        v[k] += h * a[k];
    }
}

/* theta = h w */
static mo_vec3 theta(double h, mo_vec3 w, mo_vec3 w_end)
{
    (void)w_end;
    return mo_scale(h, w);
}

static const mo_euler SCHEME = {advance, theta};

static void explicit_euler_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_euler_step(dynamics, &SCHEME, params, h);
}

const mo_integrator_type mo_integrator_explicit_euler = {
    .base = {.name = "explicit_euler",
             .summary =
                 "Explicit Euler: first order, one force evaluation a step; oscillations gain "
                 "energy at any step.",
             .citation = "L. Euler 1768, Institutiones calculi integralis I, section 650",
             .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
             .param_size = sizeof(mo_rotation_choice),
             .params = PARAMS},
    .order = 1,
    .stable_limit = 0,
    .step = explicit_euler_step,
};
