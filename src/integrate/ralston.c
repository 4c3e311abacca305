/*
 * Ralston's method (A. Ralston 1962, Math. Comp. 16, 431): the two-stage second-order method with
 * the smallest error bound: node 2/3, weights 1/4 and 3/4.
 */
#include "integrate/runge_kutta.h"

static const mo_param PARAMS[] = {{0}};

static const mo_tableau TABLEAU = {2, {{0}, {2.0 / 3}}, {0.25, 0.75}, {0, 2.0 / 3}};

static void ralston_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    mo_runge_kutta(dynamics, &TABLEAU, h);
}

const mo_integrator_type mo_integrator_ralston = {
    .base =
        {.name = "ralston",
         .summary =
             "Ralston's method: second order with the least error bound, two force evaluations a step.",
         .citation = "A. Ralston 1962, Math. Comp. 16, 431",
         .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
         .params = PARAMS,
         .columns = mo_rk_columns_2},
    .order = 2,
    .stable_limit = 0,
    .step = ralston_step,
};
