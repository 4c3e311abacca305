/*
 * Heun's method (K. Heun 1900, Z. Math. Phys. 45, 23): the mean of the derivatives at both ends,
 * the latter predicted by an Euler step.
 */
#include "integrate/runge_kutta.h"

static const mo_param PARAMS[] = {{0}};

static const mo_tableau TABLEAU = {2, {{0}, {1}}, {0.5, 0.5}, {0, 1}};

static void heun_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    mo_runge_kutta(dynamics, &TABLEAU, h);
}

const mo_integrator_type mo_integrator_heun = {
    .base = {.name = "heun",
             .summary = "Heun's method: second order, two force evaluations a step.",
             .citation = "K. Heun 1900, Z. Math. Phys. 45, 23",
             .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
             .params = PARAMS,
             .columns = mo_rk_columns_2},
    .order = 2,
    .stable_limit = 0,
    .step = heun_step,
};
