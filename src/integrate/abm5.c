/*
 * Adams-Bashforth-Moulton of order 5, PECE: see adams.c for the equations and the history.
 */
#include "integrate/adams.h"

static void abm5_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_adams_step(dynamics, params, 5, h);
}

static double abm5_stable_limit(const void *params)
{
    return mo_adams_stable_limit(params, 5);
}

static double abm5_damped_limit(const void *params)
{
    return mo_adams_damped_limit(params, 5);
}

const mo_integrator_type mo_integrator_abm5 = {
    .base =
        {.name = "abm5",
         .summary =
             "Adams-Bashforth-Moulton predictor-corrector of order 5, two force evaluations a step.",
         .citation =
             "Hairer, Norsett, Wanner 1993, Solving Ordinary Differential Equations I, III.1",
         .capabilities = MO_FIRST_ORDER | MO_PORTABLE,
         .param_size = sizeof(mo_adams),
         .params = mo_adams_params,
         .columns = mo_adams_columns_5},
    .order = 5,
    .stable_limit = 0.2587, /* measured; damps slowly below */
    .stable_limit_with = abm5_stable_limit,
    .damped_limit = 0.94,
    .damped_limit_with = abm5_damped_limit,
    .step = abm5_step,
};
