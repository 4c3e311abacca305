/*
 * Stage i: x_i = x + h sum_j a_ij v_j, v_i = v + h sum_j a_ij a(x_j, v_j, t + c_j h); the end: the
 * same with b. Slots: the stage's x, then v_2 ... v_s, then a_2 ... a_s (v_1 and a_1 are in MO_V
 * and MO_A). E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", 2nd
 * ed. 1993, II.1, definition 1.1.
 */
#include "integrate/runge_kutta.h"

#include "integrate/combine.h"

enum { STAGE_X = MO_AUX };

const mo_column_spec mo_rk_columns_2[] = {
    {"rk_x", MOTE_F64, 0, MO_DERIVED, "m", "position at a stage"},
    {"rk_v2", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity at stage 2"},
    {"rk_a2", MOTE_F64, 0, MO_DERIVED, "m/s^2", "acceleration at stage 2"},
    {0}};

const mo_column_spec mo_rk_columns_4[] = {
    {"rk_x", MOTE_F64, 0, MO_DERIVED, "m", "position at a stage"},
    {"rk_v2", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity at stage 2"},
    {"rk_v3", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity at stage 3"},
    {"rk_v4", MOTE_F64, 0, MO_DERIVED, "m/s", "velocity at stage 4"},
    {"rk_a2", MOTE_F64, 0, MO_DERIVED, "m/s^2", "acceleration at stage 2"},
    {"rk_a3", MOTE_F64, 0, MO_DERIVED, "m/s^2", "acceleration at stage 3"},
    {"rk_a4", MOTE_F64, 0, MO_DERIVED, "m/s^2", "acceleration at stage 4"},
    {0}};

static int stage_v(int stage)
{
    return stage == 0 ? MO_V : STAGE_X + stage;
}

static int stage_a(const mo_tableau *tableau, int stage)
{
    return stage == 0 ? MO_A : STAGE_X + tableau->stages - 1 + stage;
}

typedef struct stage {
    const mo_tableau *tableau;
    double h;
    int index; /* the target stage; the number of stages: the end of the step */
} stage;

static void go_to_stage(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const stage *g = context;
    bool end = g->index == g->tableau->stages;
    const double *weight = end ? g->tableau->b : g->tableau->a[g->index];
    const double *v[MO_RK_STAGES_MAX], *a[MO_RK_STAGES_MAX];
    for (int j = 0; j < g->index; ++j) {
        v[j] = s->slot[stage_v(j)];
        a[j] = s->slot[stage_a(g->tableau, j)];
    }
    double *x_to = s->slot[end ? MO_X : STAGE_X], *v_to = s->slot[end ? MO_V : stage_v(g->index)];
    /* in pieces, so that v is in the cache for x */
    for (int64_t start = first, stop; start < last; start = stop) {
        stop = last - start < MO_COMBINE_PIECE ? last : start + MO_COMBINE_PIECE;
        mo_combine(x_to, s->slot[MO_X], g->h, g->index, weight, v, start, stop);
        mo_combine(v_to, s->slot[MO_V], g->h, g->index, weight, a, start, stop);
    }
}

void mo_runge_kutta(mo_dynamics *dynamics, const mo_tableau *tableau, double h)
{
    for (int i = 0; i < tableau->stages; ++i) {
        stage next = {tableau, h, i + 1};
        int x = i == 0 ? MO_X : STAGE_X;
        mo_accelerate(dynamics, dynamics->time + tableau->c[i] * h, x, stage_v(i),
                      stage_a(tableau, i));
        mo_for_state_with(dynamics, &next, go_to_stage);
    }
}
