/* The classic Runge-Kutta method of fourth order; its step is in classic_rk4.c. */
#include "integrate/classic_rk4.h"
#include "integrate/integrator.h"

static const mo_param PARAMS[] = {{0}};

static const mo_column_spec COLUMNS[] = {
    {"rk4_x", MOTE_F64, 0, MO_DERIVED, "m", "position at a stage"},
    {"rk4_v", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity at a stage"},
    {"rk4_sum_x", MOTE_F64, 0, MO_DERIVED, "m/s", "sum of the k of x"},
    {"rk4_sum_v", MOTE_F64, 0, MO_DERIVED, "m/s^2", "sum of the k of v"},
    {0}};

static void rk4_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    mo_classic_rk4(dynamics, dynamics->time, h, MO_AUX, -1);
}

const mo_integrator_type mo_integrator_rk4 = {
    .base =
        {.name = "rk4",
         .summary = "Classic Runge-Kutta: fourth order, four force evaluations a step.",
         .citation =
             "Hairer, Norsett, Wanner 1993, Solving Ordinary Differential Equations I, table II.1.2",
         .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
         .params = PARAMS,
         .columns = COLUMNS},
    .order = 4,
    .stable_limit = 2.8284271247461903,
    .damped_limit = 2.785,
    .step = rk4_step,
};
