#include "world/step_bound.h"

mo_step_bound mo_world_step_bound(const mote_world *world)
{
    mo_step_bound least = {0};
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        mo_step_bound bound = s->type->bound ? s->type->bound(s) : (mo_step_bound){0};
        if (bound.size > 0 && (least.size == 0 || bound.size < least.size)) {
            least = bound;
        }
    }
    return least;
}

void mo_world_watch_bound(mote_world *world, double h)
{
    mo_step_bound bound = mo_world_step_bound(world);
    if (bound.size == 0 || h <= bound.size * (1 + 1e-9)) {
        return;
    }
    mo_warn(&world->warnings, &world->log, world->clock.time, bound.name,
            "the step of %.3g s is above %.3g s, up to which explicit %s is stable: it may blow up; use "
            "\"time\": {\"step\": {\"type\": \"cfl\", \"max\": %.3g}}, a smaller time.step, or %s",
            h, bound.size, bound.name, bound.size,
            bound.name[0] == 's' ? "a smaller stiffness or an implicit pressure solver (dfsph, iisph, pbf)"
                                 : "less viscosity or a larger spacing");
}
