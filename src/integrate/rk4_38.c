/*
 * Kutta's 3/8 rule (W. Kutta 1901, Z. Math. Phys. 46, 435): fourth order; stages y, y + h/3 k1, y +
 * h (k2 - k1/3), y + h (k1 - k2 + k3), weights 1/8, 3/8, 3/8, 1/8.
 */
#include "integrate/runge_kutta.h"

static const mo_param PARAMS[] = {{0}};

static const mo_tableau TABLEAU = {4,
                                   {{0}, {1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}},
                                   {0.125, 0.375, 0.375, 0.125},
                                   {0, 1.0 / 3, 2.0 / 3, 1}};

static void rk4_38_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    mo_runge_kutta(dynamics, &TABLEAU, h);
}

const mo_integrator_type mo_integrator_rk4_38 = {
    .base = {.name = "rk4_38",
             .summary = "Kutta's 3/8 rule: fourth order, four force evaluations a step.",
             .citation = "W. Kutta 1901, Z. Math. Phys. 46, 435",
             .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
             .params = PARAMS,
             .columns = mo_rk_columns_4},
    .order = 4,
    .stable_limit = 2.8284271247461903,
    .damped_limit = 2.785,
    .step = rk4_38_step,
};
