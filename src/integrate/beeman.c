/*
 * Beeman's method (D. Beeman 1976, J. Comput. Phys. 20, 130, eqs. 10a, 10c):
 *     x+ = x + h v + h^2 (2/3 a - 1/6 a-),  v+ = v + h (5/12 a+ + 2/3 a - 1/12 a-),
 * a+ at the predicted velocity v + h (3 a - a-)/2. At the start a- = a(x - h v + h^2/2 a, v - h a,
 * t - h); a single row with invalid history uses a- = a for x and a- = 2 a - a+ for v: a single
 * error of h^3, which keeps the order.
 */
#include "integrate/integrator.h"

enum { NOW = MO_AUX, BEFORE, GUESS_X, GUESS_V };

static const mo_param PARAMS[] = {{0}};

static const mo_column_spec COLUMNS[] = {
    {"beeman_a", MOTE_F64, 0, MO_STATE, "m/s^2", "current acceleration"},
    {"beeman_a_before", MOTE_F64, 0, MO_STATE, "m/s^2", "acceleration one step before"},
    {"beeman_x", MOTE_F64, 0, MO_DERIVED, "m", "predicted position"},
    {"beeman_v", MOTE_F64, 0, MO_DERIVED, "m/s", "predicted velocity"},
    {0}};

/* Extrapolates x and v to the previous step from x, v and a. */
static void extrapolate_past(const mo_segment *s, double h, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; ++k) {
        double v = s->slot[MO_V][k], a = s->slot[NOW][k];
        s->slot[GUESS_X][k] = s->slot[MO_X][k] - h * (v - 0.5 * h * a);
        s->slot[GUESS_V][k] = v - h * a;
    }
}

/* Rows with invalid history have only the current acceleration; the others are unchanged. */
static void restart_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const uint8_t *age = context;
    for (int64_t k = first; k < last; ++k) {
        if (age[k / s->components] == 0) {
            s->slot[NOW][k] = s->slot[BEFORE][k] = s->slot[MO_A][k];
        }
    }
}

/* For such a row a- is extrapolated linearly from a and a+: this makes v+ = v + h/2 (a + a+), of
 * second order. */
static void straighten_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const uint8_t *age = context;
    for (int64_t k = first; k < last; ++k) {
        if (age[k / s->components] == 0) {
            s->slot[BEFORE][k] = 2 * s->slot[NOW][k] - s->slot[MO_A][k];
        }
    }
}

static void drift(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict guess = s->slot[GUESS_V];
    const double *restrict v = s->slot[MO_V], *restrict a = s->slot[NOW],
                           *restrict before = s->slot[BEFORE];
    for (int64_t k = first; k < last; ++k) {
        x[k] += h * v[k] + h * h * (2.0 / 3 * a[k] - 1.0 / 6 * before[k]);
        guess[k] = v[k] + 0.5 * h * (3 * a[k] - before[k]);
    }
}

static void kick(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict v = s->slot[MO_V], *restrict a = s->slot[NOW],
                     *restrict before = s->slot[BEFORE];
    const double *restrict next = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        v[k] += h * (5.0 / 12 * next[k] + 2.0 / 3 * a[k] - 1.0 / 12 * before[k]);
        before[k] = a[k];
        a[k] = next[k];
    }
}

static void recall(mo_dynamics *dynamics, double h)
{
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, dynamics->oldest == 0 ? NOW : MO_A);
    if (dynamics->oldest == 0) {
        mo_for_state(dynamics, h, extrapolate_past);
        mo_accelerate(dynamics, dynamics->time - h, GUESS_X, GUESS_V, BEFORE);
    } else {
        mo_for_state_with(dynamics, dynamics->age, restart_rows);
    }
}

static void beeman_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    if (dynamics->disturbed) {
        recall(dynamics, h);
    }
    mo_for_state(dynamics, h, drift);
    mo_accelerate(dynamics, dynamics->time + h, MO_X, GUESS_V, MO_A);
    if (dynamics->disturbed && dynamics->oldest > 0) {
        mo_for_state_with(dynamics, dynamics->age, straighten_rows);
    }
    mo_for_state(dynamics, h, kick);
}

const mo_integrator_type mo_integrator_beeman = {
    .base = {.name = "beeman",
             .summary = "Beeman's method: third order, one force evaluation a step; not "
                        "symplectic.",
             .citation = "D. Beeman 1976, J. Comput. Phys. 20, 130, eqs. 10a and 10c",
             .capabilities = MO_PORTABLE,
             .params = PARAMS,
             .columns = COLUMNS},
    .order = 3,
    .stable_limit = 1.7320508075688772,
    .damped_limit = 0.5437,
    .step = beeman_step,
};
