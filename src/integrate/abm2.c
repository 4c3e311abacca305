/*
 * Adams-Bashforth-Moulton of order 2, PECE: see adams.c for the equations and the history.
 */
#include "integrate/adams.h"

static void abm2_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_adams_step(dynamics, params, 2, h);
}

static double abm2_stable_limit(const void *params)
{
    return mo_adams_stable_limit(params, 2);
}

static double abm2_damped_limit(const void *params)
{
    return mo_adams_damped_limit(params, 2);
}

const mo_integrator_type mo_integrator_abm2 = {
    .base =
        {.name = "abm2",
         .summary =
             "Adams-Bashforth-Moulton predictor-corrector of order 2, two force evaluations a step.",
         .citation =
             "Hairer, Norsett, Wanner 1993, Solving Ordinary Differential Equations I, III.1",
         .capabilities = MO_FIRST_ORDER | MO_PORTABLE,
         .param_size = sizeof(mo_adams),
         .params = mo_adams_params,
         .columns = mo_adams_columns_2},
    .order = 2,
    .stable_limit = 1.287,
    .stable_limit_with = abm2_stable_limit,
    .damped_limit = 1.99,
    .damped_limit_with = abm2_damped_limit,
    .step = abm2_step,
};
