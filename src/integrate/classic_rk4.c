/*
 * The classic Runge-Kutta method of fourth order for y = (x, v), y' = (v, a(x, v, t)). E. Hairer, S. P.
 * Norsett, G. Wanner, "Solving Ordinary Differential Equations I", 2nd ed. 1993, II.1, table 1.2. Kept in
 * four arrays: the stage's x and v, and the running sums k1 + 2 k2 + 2 k3 (the stage's v is its k for x).
 */
#include "integrate/classic_rk4.h"

#include <string.h>

typedef struct stage {
    double h;
    int slot;
    int start_a;
} stage;

enum { STAGE_X, STAGE_V, SUM_X, SUM_V };

/* Starts the sums and goes a half step with k1. */
static void first_stage(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const stage *g = context;
    const double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V], *restrict a = s->slot[MO_A];
    double *restrict xs = s->slot[g->slot + STAGE_X], *restrict vs = s->slot[g->slot + STAGE_V];
    double *restrict sx = s->slot[g->slot + SUM_X], *restrict sv = s->slot[g->slot + SUM_V];
    double half = 0.5 * g->h;
    for (int64_t k = first; k < last; ++k) {
        sx[k] = v[k];
        sv[k] = a[k];
        xs[k] = x[k] + half * v[k];
        vs[k] = v[k] + half * a[k];
    }
    if (g->start_a >= 0) {
        memcpy(s->slot[g->start_a] + first, a + first, (size_t)(last - first) * sizeof(double));
    }
}

/* Adds k2 or k3 and goes on from (x, v) by h times it. */
static void inner_stage(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const stage *g = context;
    const double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V], *restrict a = s->slot[MO_A];
    double *restrict xs = s->slot[g->slot + STAGE_X], *restrict vs = s->slot[g->slot + STAGE_V];
    double *restrict sx = s->slot[g->slot + SUM_X], *restrict sv = s->slot[g->slot + SUM_V];
    double h = g->h;
    for (int64_t k = first; k < last; ++k) {
        sx[k] += 2 * vs[k];
        sv[k] += 2 * a[k];
        xs[k] = x[k] + h * vs[k];
        vs[k] = v[k] + h * a[k];
    }
}

static void finish(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const stage *g = context;
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V];
    const double *restrict vs = s->slot[g->slot + STAGE_V], *restrict a = s->slot[MO_A];
    const double *restrict sx = s->slot[g->slot + SUM_X], *restrict sv = s->slot[g->slot + SUM_V];
    double sixth = g->h / 6;
    for (int64_t k = first; k < last; ++k) {
        x[k] += sixth * (sx[k] + vs[k]);
        v[k] += sixth * (sv[k] + a[k]);
    }
}

void mo_classic_rk4(mo_dynamics *dynamics, double time, double h, int slot, int start_a)
{
    stage whole = {h, slot, start_a}, half = {0.5 * h, slot, -1};
    mo_accelerate(dynamics, time, MO_X, MO_V, MO_A);
    mo_for_state_with(dynamics, &whole, first_stage);
    mo_accelerate(dynamics, time + 0.5 * h, slot + STAGE_X, slot + STAGE_V, MO_A);
    mo_for_state_with(dynamics, &half, inner_stage);
    mo_accelerate(dynamics, time + 0.5 * h, slot + STAGE_X, slot + STAGE_V, MO_A);
    mo_for_state_with(dynamics, &whole, inner_stage);
    mo_accelerate(dynamics, time + h, slot + STAGE_X, slot + STAGE_V, MO_A);
    mo_for_state_with(dynamics, &whole, finish);
}
