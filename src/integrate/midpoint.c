/*
 * The explicit midpoint rule (C. Runge 1895, Math. Ann. 46, 167): a half step, then a full step
 * with the derivative at the midpoint.
 */
#include "integrate/runge_kutta.h"

static const mo_param PARAMS[] = {{0}};

static const mo_tableau TABLEAU = {2, {{0}, {0.5}}, {0, 1}, {0, 0.5}};

static void midpoint_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    mo_runge_kutta(dynamics, &TABLEAU, h);
}

const mo_integrator_type mo_integrator_midpoint = {
    .base = {.name = "midpoint",
             .summary = "Explicit midpoint rule: second order, two force evaluations a step.",
             .citation = "C. Runge 1895, Math. Ann. 46, 167",
             .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
             .params = PARAMS,
             .columns = mo_rk_columns_2},
    .order = 2,
    .stable_limit = 0,
    .step = midpoint_step,
};
