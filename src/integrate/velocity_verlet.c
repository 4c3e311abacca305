/*
 * Velocity Verlet (W. C. Swope, H. C. Andersen, P. H. Berens, K. R. Wilson 1982, J. Chem. Phys. 76,
 * 637, appendix):
 *     x+ = x + h v + h^2/2 a,  v+ = v + h/2 (a + a+),  a+ = a(x+, v + h a, t + h).
 * For velocity-dependent forces a+ is evaluated at the predicted v + h a, which preserves second
 * order. The acceleration is reused in the next step; rows with invalid history need a new one,
 * which costs a second evaluation in that step.
 */
#include "integrate/integrator.h"

enum { PREDICTED = MO_AUX, REMEMBERED };

static const mo_param PARAMS[] = {{0}};

static const mo_column_spec COLUMNS[] = {
    {"verlet_v", MOTE_F64, 0, MO_DERIVED, "m/s", "predicted velocity"},
    {"verlet_a", MOTE_F64, 0, MO_STATE, "m/s^2", "acceleration at the end of the last step"},
    {0}};

/* Rows with invalid history take the new acceleration; the others are unchanged. */
static void recall(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const uint8_t *age = context;
    for (int64_t k = first; k < last; ++k) {
        if (age[k / s->components] == 0) {
            s->slot[REMEMBERED][k] = s->slot[MO_A][k];
        }
    }
}

static void drift(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict predicted = s->slot[PREDICTED];
    const double *restrict v = s->slot[MO_V], *restrict a = s->slot[REMEMBERED];
    for (int64_t k = first; k < last; ++k) {
        double kick = h * a[k];
        x[k] += h * (v[k] + 0.5 * kick);
        predicted[k] = v[k] + kick;
    }
}

static void kick(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict v = s->slot[MO_V], *restrict remembered = s->slot[REMEMBERED];
    const double *restrict a = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        v[k] += 0.5 * h * (remembered[k] + a[k]);
        remembered[k] = a[k];
    }
}

static void velocity_verlet_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    if (dynamics->disturbed) {
        mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
        mo_for_state_with(dynamics, dynamics->age, recall);
    }
    mo_for_state(dynamics, h, drift);
    mo_accelerate(dynamics, dynamics->time + h, MO_X, PREDICTED, MO_A);
    mo_for_state(dynamics, h, kick);
}

const mo_integrator_type mo_integrator_velocity_verlet = {
    .base = {.name = "velocity_verlet",
             .summary = "Velocity Verlet: second order, symplectic, one force evaluation a step, "
                        "bounded energy error.",
             .citation = "Swope, Andersen, Berens, Wilson 1982, J. Chem. Phys. 76, 637",
             .capabilities = MO_SYMPLECTIC | MO_VARIABLE_STEP | MO_PORTABLE,
             .params = PARAMS,
             .columns = COLUMNS},
    .order = 2,
    .stable_limit = 2,
    .damped_limit = 1,
    .last_kick = "verlet_a",
    .step = velocity_verlet_step,
};
