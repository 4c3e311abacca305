#include "integrate/euler.h"

typedef struct going {
    const mo_euler *scheme;
    const void *params;
    double h;
} going;

/* q+ = q exp(theta) */
static void turn(const mo_segment *s, const going *g, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k += 4) {
        mo_quat q = mo_quat_load(s->slot[MO_X] + k);
        mo_vec3 w = mo_rotation_speed(q, mo_quat_load(s->slot[MO_V] + k));
        mo_vec3 end =
            mo_add_scaled(w, g->h, mo_rotation_turning(q, w, mo_quat_load(s->slot[MO_A] + k)));
        mo_rotation_turn_row(s->slot[MO_X] + k, s->slot[MO_V] + k, g->scheme->theta(g->h, w, end),
                             end);
    }
}

static void advance(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const going *g = context;
    if (mo_rotation_exponential(s, g->params)) {
        turn(s, g, first, last);
    } else {
        g->scheme->advance(s, g->h, first, last);
    }
}

void mo_euler_step(mo_dynamics *dynamics, const mo_euler *scheme, const void *params, double h)
{
    going g = {scheme, params, h};
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
    mo_for_state_with(dynamics, &g, advance);
}
