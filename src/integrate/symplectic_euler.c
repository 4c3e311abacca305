/*
 * Symplectic (semi-implicit) Euler: the velocity first, then the position with the new velocity.
 *     v+ = v + h a(x, v, t),  x+ = x + h v+
 * The simplest member of its family, written as a template. E. Hairer, C. Lubich, G. Wanner,
 * "Geometric Numerical Integration", 2nd ed. 2006, I.1.2, eq. (1.9).
 */
#include "integrate/integrator.h"

static const mo_param PARAMS[] = {{0}};

static void advance(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V];
    const double *restrict a = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        v[k] += h * a[k];
        x[k] += h * v[k];
    }
}

static void symplectic_euler_step(mo_dynamics *dynamics, const void *params, double h)
{
    (void)params;
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
    mo_for_state(dynamics, h, advance);
}

const mo_integrator_type mo_integrator_symplectic_euler = {
    .base = {.name = "symplectic_euler",
             .summary = "Symplectic Euler: first order, one force evaluation a step, bounded "
                        "energy error.",
             .citation = "Hairer, Lubich, Wanner 2006, Geometric Numerical Integration, eq. I.1.9",
             .capabilities = MO_SYMPLECTIC | MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
             .params = PARAMS},
    .order = 1,
    .stable_limit = 2,
    .step = symplectic_euler_step,
};
