/*
 * Explicit Euler: x+ = x + h v, v+ = v + h a. First order, and unstable on every undamped oscillation: it is
 * here to be compared with.
 */
#include "integrate/integrator.h"
#include "integrate/rotation.h"

static const mo_param PARAMS[] = {MO_ROTATION_PARAM, {0}};

static void advance(const mo_segment *s, double h, int64_t first, int64_t last)
{
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V];
    const double *restrict a = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        x[k] += h * v[k];
        v[k] += h * a[k];
    }
}

typedef struct going {
    double h;
    const void *params;
} going;

/* w+ = w + h b, theta = h w, q+ = q exp(theta) */
static void turn(const mo_segment *s, const going *g, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k += 4) {
        mo_quat q = mo_quat_load(s->slot[MO_X] + k);
        mo_vec3 w = mo_rotation_speed(q, mo_quat_load(s->slot[MO_V] + k));
        mo_vec3 next = mo_add_scaled(w, g->h, mo_rotation_turning(q, w, mo_quat_load(s->slot[MO_A] + k)));
        mo_rotation_turn_row(s->slot[MO_X] + k, s->slot[MO_V] + k, mo_scale(g->h, w), next);
    }
}

static void advance_any(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const going *g = context;
    if (mo_rotation_exponential(s, g->params)) {
        turn(s, g, first, last);
    } else {
        advance(s, g->h, first, last);
    }
}

static void step(mo_dynamics *dynamics, const void *params, double h)
{
    going g = {h, params};
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
    mo_for_state_with(dynamics, &g, advance_any);
}

const mo_integrator_type mo_integrator_explicit_euler = {
    .base = {.name = "explicit_euler",
             .summary = "First order, one force evaluation a step; gains energy on every oscillation.",
             .citation = "L. Euler 1768, Institutiones calculi integralis I, section 650",
             .capabilities = MO_VARIABLE_STEP | MO_FIRST_ORDER | MO_PORTABLE,
             .param_size = sizeof(mo_rotation_choice),
             .params = PARAMS},
    .order = 1,
    .stable_limit = 0,
    .step = step,
};
