#include "fluid/pressure/layer_solve.h"

enum { GRAIN = 4096 };

static const float LOOSE = 0.8f;

/* A source so large that the pressure stays 0. */
static const float NONE = 1e30f;

/* As in solve.c [Pa]. */
static const float LEAST = 1e-18f;

typedef struct sourcing {
    mo_wall_layers *layers;
    float h;
    mo_recovery recovery;
    float span, omega, by;
} sourcing;

static void for_samples(mo_fluid *f, mo_range_fn *range, sourcing *s)
{
    s->layers = &f->walls.layers;
    if (s->layers->lists) {
        mo_parallel_for(f->pool, f->walls.count, GRAIN, range, s);
    }
}

static void divergence_samples(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    mo_wall_layers *l = s->layers;
    for (int64_t b = first; b < last; ++b) {
        float rate = l->rate[b];
        l->source[b] = l->density[b] < LOOSE ? NONE : rate > 0 ? -rate : 0;
    }
}

void mo_layers_source_divergence(mo_fluid *f)
{
    mo_layers_rates(f, f->velocity, true);
    for_samples(f, divergence_samples, &(sourcing){0});
}

static void density_samples(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    mo_wall_layers *l = s->layers;
    for (int64_t b = first; b < last; ++b) {
        float back = mo_recovery_source(&s->recovery, l->density[b]);
        l->source[b] = back - s->h * l->rate[b];
        l->target[b] = l->density[b] + back;
    }
}

void mo_layers_source_density(mo_fluid *f, double h, const mo_recovery *recovery)
{
    mo_layers_rates(f, f->velocity, true);
    for_samples(f, density_samples, &(sourcing){.h = (float)h, .recovery = *recovery});
}

static void target_samples(void *context, int64_t first, int64_t last)
{
    mo_wall_layers *l = ((const sourcing *)context)->layers;
    for (int64_t b = first; b < last; ++b) {
        l->source[b] = l->target[b] - l->density[b];
    }
}

void mo_layers_source_target(mo_fluid *f)
{
    for_samples(f, target_samples, &(sourcing){0});
}

static void reset_samples(void *context, int64_t first, int64_t last)
{
    mo_wall_layers *l = ((const sourcing *)context)->layers;
    for (int64_t b = first; b < last; ++b) {
        l->source[b] = 1 - l->density[b];
    }
}

void mo_layers_source_rest(mo_fluid *f)
{
    for_samples(f, reset_samples, &(sourcing){0});
}

/* ---- an iteration ---- */

static void relax_samples(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    mo_wall_layers *l = s->layers;
    for (int64_t b = first; b < last; ++b) {
        float over = s->span * l->rate[b] - l->source[b], unit = s->span * l->diagonal[b];
        float k = unit > 0 ? l->k[b] + s->omega * over / unit : 0;
        l->k[b] = k > LEAST ? k : 0;
    }
}

void mo_layers_relax(mo_fluid *f, double span, double omega)
{
    mo_layers_rates(f, f->acceleration, false);
    for_samples(f, relax_samples, &(sourcing){.span = (float)span, .omega = (float)omega});
    if (f->walls.layers.lists) {
        mo_layers_spread(f);
    }
}

/* ---- on positions: `target` is the sum ---- */

void mo_layers_start_positions(mo_fluid *f, const float *k)
{
    mo_layers_start(f, k);
    if (f->walls.layers.lists) {
        memcpy(f->walls.layers.target, f->walls.layers.k, (size_t)f->walls.count * sizeof *k);
    }
}

static void relax_positions(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    mo_wall_layers *l = s->layers;
    for (int64_t b = first; b < last; ++b) {
        float more = l->diagonal[b] > 0 ? s->omega * (l->density[b] - 1) / l->diagonal[b] : 0;
        l->k[b] = more > -l->target[b] ? more : -l->target[b];
        l->target[b] += l->k[b];
    }
}

void mo_layers_relax_positions(mo_fluid *f, double strength)
{
    for_samples(f, relax_positions, &(sourcing){.omega = (float)strength});
    if (f->walls.layers.lists) {
        mo_layers_spread(f);
    }
}

/* ---- closed domains ---- */

static void lower_samples(void *context, int64_t first, int64_t last)
{
    const sourcing *s = context;
    float *k = s->layers->k;
    for (int64_t b = first; b < last; ++b) {
        k[b] = k[b] > s->by ? k[b] - s->by : 0;
    }
}

void mo_layers_lower(mo_fluid *f, float by)
{
    for_samples(f, lower_samples, &(sourcing){.by = by});
    if (f->walls.layers.lists) {
        mo_layers_spread(f);
    }
}
