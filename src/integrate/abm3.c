/*
 * Adams-Bashforth-Moulton of order 3, PECE: see adams.c for the equations and the history.
 */
#include "integrate/adams.h"

static void abm3_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_adams_step(dynamics, params, 3, h);
}

static double abm3_stable_limit(const void *params)
{
    return mo_adams_stable_limit(params, 3);
}

static double abm3_damped_limit(const void *params)
{
    return mo_adams_damped_limit(params, 3);
}

const mo_integrator_type mo_integrator_abm3 = {
    .base =
        {.name = "abm3",
         .summary =
             "Adams-Bashforth-Moulton predictor-corrector of order 3, two force evaluations a step.",
         .citation =
             "Hairer, Norsett, Wanner 1993, Solving Ordinary Differential Equations I, III.1",
         .capabilities = MO_FIRST_ORDER | MO_PORTABLE,
         .param_size = sizeof(mo_adams),
         .params = mo_adams_params,
         .columns = mo_adams_columns_3},
    .order = 3,
    .stable_limit = 0,
    .stable_limit_with = abm3_stable_limit,
    .damped_limit = 1.72,
    .damped_limit_with = abm3_damped_limit,
    .step = abm3_step,
};
