/*
 * The implicit midpoint rule: with x_m, v_m half way,
 *     v_m = v + h/2 a(x_m, v_m, t + h/2),  x_m = x + h/2 v_m,  then x+ = 2 x_m - x,  v+ = 2 v_m -
 *                                          v.
 * Second order, symplectic and time-reversible when solved exactly (E. Hairer, C. Lubich, G.
 * Wanner, "Geometric Numerical Integration", 2006, II.1.5 and VI.4): no numerical damping,
 * A-stable. Modes much faster than the step oscillate from step to step unless damped physically.
 */
#include "integrate/newton.h"

static const mo_param PARAMS[] = {MO_NEWTON_PARAMS("10"), {0}};

static const mo_column_spec COLUMNS[] = {MO_NEWTON_COLUMNS, {0}};

static void start(const mo_segment *s, double h, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; ++k) {
        s->slot[MO_BASE_X][k] = s->slot[MO_X][k] + 0.5 * h * s->slot[MO_V][k];
        s->slot[MO_BASE_V][k] = s->slot[MO_V][k];
    }
}

/* x+ = x + h v_m, which is 2 x_m - x, and v+ = v + h a_m */
static void finish(const mo_segment *s, double h, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; ++k) {
        s->slot[MO_X][k] += h * (s->slot[MO_V][k] + 0.5 * h * s->slot[MO_A][k]);
        s->slot[MO_V][k] += h * s->slot[MO_A][k];
    }
}

static void implicit_midpoint_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_newton_stage stage = {.time = dynamics->time + 0.5 * h,
                             .c_x = 0.25 * h * h,
                             .c_v = 0.5 * h,
                             .end_x = 2,
                             .end_v = 4 / h};
    mo_for_state(dynamics, h, start);
    mo_newton_solve(dynamics, params, &stage);
    mo_for_state(dynamics, h, finish);
}

const mo_integrator_type mo_integrator_implicit_midpoint = {
    .base = {.name = "implicit_midpoint",
             .summary = "Implicit midpoint rule: second order, symplectic, A-stable, no numerical "
                        "damping.",
             .citation = "E. Hairer, C. Lubich, G. Wanner 2006, II.1.5 and VI.4",
             .capabilities = MO_SYMPLECTIC | MO_VARIABLE_STEP | MO_IMPLICIT | MO_PORTABLE,
             .param_size = sizeof(mo_newton_params),
             .params = PARAMS,
             .columns = COLUMNS,
             .check = mo_newton_check},
    .order = 2,
    .stable_limit = INFINITY,
    .step = implicit_midpoint_step,
};
