/*
 * Adams-Bashforth-Moulton of order 4, PECE: see adams.c for the equations and the history.
 */
#include "integrate/adams.h"

static void abm4_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_adams_step(dynamics, params, 4, h);
}

static double abm4_stable_limit(const void *params)
{
    return mo_adams_stable_limit(params, 4);
}

static double abm4_damped_limit(const void *params)
{
    return mo_adams_damped_limit(params, 4);
}

const mo_integrator_type mo_integrator_abm4 = {
    .base =
        {.name = "abm4",
         .summary =
             "Adams-Bashforth-Moulton predictor-corrector of order 4, two force evaluations a step.",
         .citation =
             "Hairer, Norsett, Wanner 1993, Solving Ordinary Differential Equations I, III.1",
         .capabilities = MO_FIRST_ORDER | MO_PORTABLE,
         .param_size = sizeof(mo_adams),
         .params = mo_adams_params,
         .columns = mo_adams_columns_4},
    .order = 4,
    .stable_limit = 0,
    .stable_limit_with = abm4_stable_limit,
    .damped_limit = 1.28,
    .damped_limit_with = abm4_damped_limit,
    .step = abm4_step,
};
