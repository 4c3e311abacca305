#include "integrate/dynamics.h"

void mo_accelerate(mo_dynamics *dynamics, double time, int x, int v, int a)
{
    dynamics->evaluations++;
    dynamics->accelerate(dynamics->context, time, x, v, a);
}

typedef struct sweep {
    const mo_segment *segment;
    mo_state_fn *function;
    double h;
} sweep;

static void sweep_range(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    s->function(s->segment, s->h, first, last);
}

void mo_for_state(mo_dynamics *dynamics, double h, mo_state_fn *function)
{
    for (int k = 0; k < dynamics->segment_count; ++k) {
        sweep s = {&dynamics->segment[k], function, h};
        mo_parallel_for(dynamics->pool, dynamics->segment[k].count, MO_STATE_GRAIN, sweep_range, &s);
    }
}
