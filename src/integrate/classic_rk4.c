/*
 * The classic Runge-Kutta method of fourth order for y = (x, v), y' = (v, a(x, v, t)). E. Hairer,
 * S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", 2nd ed. 1993, II.1, table
 * 1.2. Stored in four arrays: the stage's x and v, and the running sums k1 + 2 k2 + 2 k3 (the
 * stage's v is its k for x).
 */
#include "integrate/classic_rk4.h"

#include <string.h>

typedef struct stage {
    double h;
    int slot;
    int start_a;
} stage;

enum { STAGE_X, STAGE_V, SUM_X, SUM_V };

/* The arrays are parameters, since gcc honours `restrict` only there. */

/* Initialises the sums and takes a half step with k1. */
static void first_range(int64_t count, double half, const double *restrict x,
                        const double *restrict v, const double *restrict a, double *restrict xs,
                        double *restrict vs, double *restrict sx, double *restrict sv)
{
    for (int64_t k = 0; k < count; ++k) {
        sx[k] = v[k];
        sv[k] = a[k];
        xs[k] = x[k] + half * v[k];
        vs[k] = v[k] + half * a[k];
    }
}

/* Adds k2 or k3 and steps from (x, v) by h times it. */
static void inner_range(int64_t count, double h, const double *restrict x, const double *restrict v,
                        const double *restrict a, double *restrict xs, double *restrict vs,
                        double *restrict sx, double *restrict sv)
{
    for (int64_t k = 0; k < count; ++k) {
        sx[k] += 2 * vs[k];
        sv[k] += 2 * a[k];
        xs[k] = x[k] + h * vs[k];
        vs[k] = v[k] + h * a[k];
    }
}

static void last_range(int64_t count, double sixth, double *restrict x, double *restrict v,
                       const double *restrict a, const double *restrict vs,
                       const double *restrict sx, const double *restrict sv)
{
    for (int64_t k = 0; k < count; ++k) {
        x[k] += sixth * (sx[k] + vs[k]);
        v[k] += sixth * (sv[k] + a[k]);
    }
}

static void first_stage(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const stage *g = context;
    double *const *work = s->slot + g->slot;
    const double *a = s->slot[MO_A] + first;
    first_range(last - first, 0.5 * g->h, s->slot[MO_X] + first, s->slot[MO_V] + first, a,
                work[STAGE_X] + first, work[STAGE_V] + first, work[SUM_X] + first,
                work[SUM_V] + first);
    if (g->start_a >= 0) {
        memcpy(s->slot[g->start_a] + first, a, (size_t)(last - first) * sizeof(double));
    }
}

static void inner_stage(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const stage *g = context;
    double *const *work = s->slot + g->slot;
    inner_range(last - first, g->h, s->slot[MO_X] + first, s->slot[MO_V] + first,
                s->slot[MO_A] + first, work[STAGE_X] + first, work[STAGE_V] + first,
                work[SUM_X] + first, work[SUM_V] + first);
}

static void finish(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const stage *g = context;
    double *const *work = s->slot + g->slot;
    last_range(last - first, g->h / 6, s->slot[MO_X] + first, s->slot[MO_V] + first,
               s->slot[MO_A] + first, work[STAGE_V] + first, work[SUM_X] + first,
               work[SUM_V] + first);
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
