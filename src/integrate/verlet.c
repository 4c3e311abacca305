/*
 * Verlet's method (L. Verlet 1967, Phys. Rev. 159, 98, eq. 4): x+ = 2 x - x- + h^2 a. Departs from
 * the paper: the velocity at t + h, for forces, contacts and output, is the one-sided (3 x+ - 4 x +
 * x-)/2h, which is of second order; the central (x+ - x-)/2h belongs to t, a step too late, and (x+
 * - x)/h is of first order only. A row with invalid history restarts with x- = x - h v + h^2/2 a.
 */
#include "integrate/integrator.h"

enum { BEFORE = MO_AUX };

static const mo_param PARAMS[] = {{0}};

static const mo_column_spec COLUMNS[] = {
    {"verlet_x", MOTE_F64, 0, MO_STATE, "m", "position one step before"}, {0}};

typedef struct start {
    double h;
    const uint8_t *age;
} start;

static void start_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const start *g = context;
    double h = g->h;
    for (int64_t k = first; k < last; ++k) {
        if (g->age[k / s->components] == 0) {
            s->slot[BEFORE][k] =
                s->slot[MO_X][k] - h * (s->slot[MO_V][k] - 0.5 * h * s->slot[MO_A][k]);
        }
    }
}

static void advance(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V],
                     *restrict before = s->slot[BEFORE];
    const double *restrict a = s->slot[MO_A];
    double over = 0.5 / h;
    for (int64_t k = first; k < last; ++k) {
        double next = 2 * x[k] - before[k] + h * h * a[k];
        v[k] = over * (3 * next - 4 * x[k] + before[k]);
        before[k] = x[k];
        x[k] = next;
    }
}

static void verlet_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    start g = {h, dynamics->age};
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
    if (dynamics->disturbed) {
        mo_for_state_with(dynamics, &g, start_rows);
    }
    mo_for_state(dynamics, h, advance);
}

const mo_integrator_type mo_integrator_verlet = {
    .base = {.name = "verlet",
             .summary = "Position (Stoermer) Verlet: second order, one force evaluation a step.",
             .citation = "L. Verlet 1967, Phys. Rev. 159, 98, eq. 4",
             .departs =
                 "Velocities are the one-sided differences at the end of the step, of second "
                 "order; the central ones of the paper belong to its start.",
             .capabilities = MO_SYMPLECTIC | MO_PORTABLE,
             .params = PARAMS,
             .columns = COLUMNS},
    .order = 2,
    .stable_limit = 2,
    .damped_limit = 1,
    .step = verlet_step,
};
