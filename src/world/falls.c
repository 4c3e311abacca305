#include "world/falls.h"

#include "world/world.h"

#include <math.h>

enum { EVERY = 64, GRAIN = 4096 };
static const double DEPTH = 10;

static void include(mo_falls *f, mo_vec3 x)
{
    f->low = mo_vec3_make(fmin(f->low.x, x.x), fmin(f->low.y, x.y), fmin(f->low.z, x.z));
    f->high = mo_vec3_make(fmax(f->high.x, x.x), fmax(f->high.y, x.y), fmax(f->high.z, x.z));
}

static void measure_scene(mote_world *world)
{
    mo_falls *f = &world->falls;
    const mo_colliders *colliders = world->host.colliders;
    f->low = mo_vec3_make(INFINITY, INFINITY, INFINITY);
    f->high = mo_vec3_make(-INFINITY, -INFINITY, -INFINITY);
    for (int s = 0; s < world->system_count; ++s) {
        const mo_system *system = &world->systems[s];
        for (int64_t row = 0; row < mo_store_owned(system->store); ++row) {
            include(f, mo_vec3_load(mo_f64(system->columns.x) + 3 * row));
        }
    }
    for (int64_t k = 0; k < colliders->count; ++k) {
        double low[3], high[3];
        if (mo_collider_bounds(&colliders->list[k], low, high)) {
            include(f, mo_vec3_load(low));
            include(f, mo_vec3_load(high));
        }
    }
    f->known = f->low.x <= f->high.x;
}

typedef struct counting {
    const double *x, *v;
    mo_vec3 down;
    double depth; /* along `down`, below which rows count */
} counting;

static void count_range(void *context, int64_t first, int64_t last, double *partial)
{
    const counting *c = context;
    partial[0] = 0;
    for (int64_t row = first; row < last; ++row) {
        partial[0] += mo_dot(mo_vec3_load(c->x + 3 * row), c->down) > c->depth &&
                      mo_dot(mo_vec3_load(c->v + 3 * row), c->down) > 0;
    }
}

/* The largest coordinate of the scene along a direction. */
static double reach(const mo_falls *f, mo_vec3 d)
{
    return fmax(d.x * f->low.x, d.x * f->high.x) + fmax(d.y * f->low.y, d.y * f->high.y) +
           fmax(d.z * f->low.z, d.z * f->high.z);
}

static mote_status count_falls(mote_world *world, mo_vec3 down, mote_error *error)
{
    const mo_falls *f = &world->falls;
    double size = mo_length(mo_sub(f->high, f->low)), count;
    for (int s = 0; s < world->system_count; ++s) {
        const mo_system *system = &world->systems[s];
        bool of_bodies = system->type->models != NULL;
        counting c = {mo_f64(system->columns.x), mo_f64(system->columns.v), down,
                      reach(f, down) + DEPTH * size};
        if (of_bodies && world->host.colliders->count == 0) {
            continue;
        }
        MO_TRY(mo_parallel_reduce(world->pool, mo_store_owned(system->store), GRAIN, MO_SUM, 1,
                                  count_range, &c, &count, error));
        if (count > 0) {
            mo_warn(&world->warnings, &world->log, world->clock.time, "falls",
                    "%.0f of %lld particles of the system '%s' have fallen more than %.3g m below "
                    "the scene and nothing stops them; add a floor, or set domain.outside",
                    count, (long long)mo_store_owned(system->store), system->type->base.name,
                    DEPTH * size);
        }
    }
    return MOTE_OK;
}

mote_status mo_falls_step(mote_world *world, mote_error *error)
{
    mo_vec3 gravity = mo_host_gravity(&world->host, world->clock.time);
    double strength = mo_length(gravity);
    if (!world->falls.known) {
        measure_scene(world);
    }
    if (world->clock.steps % EVERY != 0 || !(strength > 0) || !world->falls.known ||
        mo_warned(&world->warnings, "falls")) {
        return MOTE_OK;
    }
    return count_falls(world, mo_scale(1 / strength, gravity), error);
}
