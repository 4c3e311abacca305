#include "integrate/dynamics.h"

void mo_accelerate(mo_dynamics *dynamics, double time, int x, int v, int a)
{
    dynamics->evaluations++;
    dynamics->accelerate(dynamics->context, time, x, v, a);
}

typedef struct sweep {
    const mo_segment *segment;
    mo_state_context_fn *function;
    const void *context;
} sweep;

static void sweep_range(void *context, int64_t first, int64_t last)
{
    const sweep *s = context;
    s->function(s->segment, s->context, first, last);
}

void mo_for_state_with(mo_dynamics *dynamics, const void *context, mo_state_context_fn *function)
{
    for (int k = 0; k < dynamics->segment_count; ++k) {
        /* complete rows per block, for any row width */
        const mo_segment *segment = &dynamics->segment[k];
        int64_t grain = (int64_t)MO_STATE_GRAIN / 3 * segment->components;
        sweep s = {segment, function, context};
        mo_parallel_for(dynamics->pool, segment->count, grain, sweep_range, &s);
    }
}

typedef struct plain {
    mo_state_fn *function;
    double h;
} plain;

static void call_plain(const mo_segment *segment, const void *context, int64_t first, int64_t last)
{
    const plain *p = context;
    p->function(segment, p->h, first, last);
}

void mo_for_state(mo_dynamics *dynamics, double h, mo_state_fn *function)
{
    plain p = {function, h};
    mo_for_state_with(dynamics, &p, call_plain);
}
