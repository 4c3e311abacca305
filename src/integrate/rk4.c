/*
 * The classic Runge-Kutta method of fourth order for y = (x, v), y' = (v, a(x, v, t)). E. Hairer, S. P.
 * Norsett, G. Wanner, "Solving Ordinary Differential Equations I", 2nd ed. 1993, II.1, table 1.2. Kept in
 * four arrays: the stage's x and v, and the running sums k1 + 2 k2 + 2 k3 (the stage's v is its k for x).
 */
#include "integrate/integrator.h"

enum { STAGE_X = MO_AUX, STAGE_V, SUM_X, SUM_V };

static const mo_param PARAMS[] = {{0}};

static const mo_column_spec COLUMNS[] = {{"rk4_x", MOTE_F64, 0, MO_DERIVED, "m", "position at a stage"},
                                         {"rk4_v", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity at a stage"},
                                         {"rk4_sum_x", MOTE_F64, 0, MO_DERIVED, "m/s", "sum of the k of x"},
                                         {"rk4_sum_v", MOTE_F64, 0, MO_DERIVED, "m/s^2", "sum of the k of v"},
                                         {0}};

/* Starts the sums and goes a half step with k1. */
static void first_stage(const mo_segment *s, double h, int64_t first, int64_t last)
{
    const double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V], *restrict a = s->slot[MO_A];
    double *restrict xs = s->slot[STAGE_X], *restrict vs = s->slot[STAGE_V];
    double *restrict sx = s->slot[SUM_X], *restrict sv = s->slot[SUM_V];
    for (int64_t k = first; k < last; ++k) {
        sx[k] = v[k];
        sv[k] = a[k];
        xs[k] = x[k] + 0.5 * h * v[k];
        vs[k] = v[k] + 0.5 * h * a[k];
    }
}

/* Adds k2 or k3 and goes on from (x, v) by `h` times it. */
static void inner_stage(const mo_segment *s, double h, int64_t first, int64_t last)
{
    const double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V], *restrict a = s->slot[MO_A];
    double *restrict xs = s->slot[STAGE_X], *restrict vs = s->slot[STAGE_V];
    double *restrict sx = s->slot[SUM_X], *restrict sv = s->slot[SUM_V];
    for (int64_t k = first; k < last; ++k) {
        sx[k] += 2 * vs[k];
        sv[k] += 2 * a[k];
        xs[k] = x[k] + h * vs[k];
        vs[k] = v[k] + h * a[k];
    }
}

static void finish(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V];
    const double *restrict vs = s->slot[STAGE_V], *restrict a = s->slot[MO_A];
    const double *restrict sx = s->slot[SUM_X], *restrict sv = s->slot[SUM_V];
    double sixth = h / 6;
    for (int64_t k = first; k < last; ++k) {
        x[k] += sixth * (sx[k] + vs[k]);
        v[k] += sixth * (sv[k] + a[k]);
    }
}

static void step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    double t = dynamics->time;
    mo_accelerate(dynamics, t, MO_X, MO_V, MO_A);
    mo_for_state(dynamics, h, first_stage);
    mo_accelerate(dynamics, t + 0.5 * h, STAGE_X, STAGE_V, MO_A);
    mo_for_state(dynamics, 0.5 * h, inner_stage);
    mo_accelerate(dynamics, t + 0.5 * h, STAGE_X, STAGE_V, MO_A);
    mo_for_state(dynamics, h, inner_stage);
    mo_accelerate(dynamics, t + h, STAGE_X, STAGE_V, MO_A);
    mo_for_state(dynamics, h, finish);
}

const mo_integrator_type mo_integrator_rk4 = {
    .base = {.name = "rk4",
             .summary = "Classic Runge-Kutta: fourth order, four force evaluations a step.",
             .citation =
                 "Hairer, Norsett, Wanner 1993, Solving Ordinary Differential Equations I, table II.1.2",
             .capabilities = MO_VARIABLE_STEP | MO_PORTABLE,
             .params = PARAMS,
             .columns = COLUMNS},
    .order = 4,
    .stable_limit = 2.8284271247461903,
    .step = step,
};
