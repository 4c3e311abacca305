#include "world/step_bound.h"

static mo_step_bound smaller(mo_step_bound a, mo_step_bound b)
{
    return b.size > 0 && (a.size == 0 || b.size < a.size) ? b : a;
}

mo_step_bound mo_world_step_bound(const mote_world *world)
{
    mo_step_bound least = {0};
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        if (s->type->limit) {
            least = smaller(least, s->type->limit(s));
        }
    }
    for (int k = 0; k < world->coupling_count; ++k) {
        const mo_coupling *c = &world->couplings[k];
        if (c->type->limit) {
            least = smaller(least, c->type->limit(c));
        }
    }
    return least;
}

void mo_world_check_bound(mote_world *world, double h, const mo_step_bound *bound)
{
    if (bound->size == 0 || h <= bound->size * (1 + 1e-9)) {
        return;
    }
    double allowed = 0.995 * bound->size; /* rounded down to three digits, not above the bound */
    mo_warn(&world->warnings, &world->log, world->clock.time, bound->name,
            "time.step: %.3g s is above %.3g s, the largest %s: the run is likely to become "
            "unstable; set time.step to {\"type\": \"cfl\", \"max\": %.3g} or to less than "
            "that%s%s",
            h, allowed, bound->of ? bound->of : "stable step", allowed,
            bound->remedy ? ", or use " : "", bound->remedy ? bound->remedy : "");
}
