/*
 * Implicit (backward) Euler, by Newton's method (newton.h):
 *     x+ = x + h v+,    m (v+ - v) = h f(x+, v+, t + h).
 * One iteration is the linearised scheme of D. Baraff, A. Witkin 1998, "Large steps in cloth
 * simulation", equation 6:
 *     (m - h D - h^2 K) dv = h (f + h K v).
 * It is stable at any step and damps an oscillation of frequency omega by 1/sqrt(1 + (omega h)^2)
 * in each step. The simplest implicit scheme, as a template.
 */
#include "integrate/implicit_euler.h"

static const mo_param PARAMS[] = {MO_NEWTON_PARAMS("1"), {0}};

static const mo_column_spec COLUMNS[] = {MO_NEWTON_COLUMNS, {0}};

void mo_implicit_euler_start(const mo_segment *s, double h, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; ++k) {
        s->slot[MO_BASE_X][k] = s->slot[MO_X][k] + h * s->slot[MO_V][k];
        s->slot[MO_BASE_V][k] = s->slot[MO_V][k];
    }
}

static void finish(const mo_segment *s, double h, int64_t first, int64_t last)
{
    (void)h;
    for (int64_t k = first; k < last; ++k) {
        s->slot[MO_X][k] = s->slot[MO_STAGE_X][k];
        s->slot[MO_V][k] = s->slot[MO_STAGE_V][k];
    }
}

static void implicit_euler_step(mo_dynamics *dynamics, const void *params, double h)
{
    mo_newton_stage stage = {.time = dynamics->time + h, .c_x = h * h, .c_v = h};
    mo_for_state(dynamics, h, mo_implicit_euler_start);
    mo_newton_solve(dynamics, params, &stage);
    mo_for_state(dynamics, h, finish);
}

const mo_integrator_type mo_integrator_implicit_euler = {
    .base = {.name = "implicit_euler",
             .summary =
                 "Implicit Euler: L-stable, damps modes faster than the step; Newton's method, one "
                 "iteration by default.",
             .citation = "D. Baraff, A. Witkin 1998, SIGGRAPH, eq. 6",
             .capabilities = MO_VARIABLE_STEP | MO_IMPLICIT | MO_PORTABLE,
             .param_size = sizeof(mo_newton_params),
             .params = PARAMS,
             .columns = COLUMNS,
             .check = mo_newton_check},
    .order = 1,
    .stable_limit = INFINITY,
    .amplification = mo_implicit_euler_amplification,
    .step = implicit_euler_step,
};
