#include "world/limits.h"

#include "world/world.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, EVERY = 64 };

#define FAR 10.0   /* in extents of the scene, at least LEAST each */
#define LEAST 10.0 /* m */

/* ---- particles that leave ---- */

typedef struct leaving {
    double low[3], high[3]; /* infinite along periodic axes */
    double *x, *v;
    const double *inverse_mass;
    uint8_t *age, *out;
    mo_vec3 gravity;
} leaving;

static bool is_outside(const leaving *l, int64_t row)
{
    bool out = false;
    for (int c = 0; c < 3; ++c) {
        double x = l->x[3 * row + c];
        out = out || x < l->low[c] || x > l->high[c];
    }
    return out;
}

/* partial: number of particles outside; marks them if `marks` is not NULL */
static void mark_range(void *context, int64_t first, int64_t last, double *partial)
{
    const leaving *l = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        bool out = is_outside(l, row);
        *partial += out;
        if (l->out) {
            l->out[row] = out;
        }
    }
}

/* The bounce in the time since the crossing, without loss and under gravity: with the speed c at
 * the limit, c^2 = v^2 - 2 g d at the distance d beyond it, it took 2 d/(v + c). */
static void bounce(double limit, double g, double *x, double *v)
{
    double d = *x - limit, square = *v * *v - 2 * g * d;
    double c = square > 0 ? copysign(sqrt(square), d) : 0;
    double since = *v + c != 0 ? fmax(2 * d / (*v + c), 0) : 0;
    *x = limit - c * since + 0.5 * g * since * since;
    *v = -c + g * since;
}

static void reflect(const leaving *l, int64_t row)
{
    for (int k = 0; k < 3; ++k) {
        double *x = &l->x[3 * row + k], *v = &l->v[3 * row + k];
        if (*x < l->low[k] || *x > l->high[k]) {
            bounce(*x < l->low[k] ? l->low[k] : l->high[k], mo_vec3_at(l->gravity, k), x, v);
            *x = fmin(fmax(*x, l->low[k]), l->high[k]);
        }
    }
    l->age[row] = 0;
}

static void reflect_range(void *context, int64_t first, int64_t last, double *partial)
{
    const leaving *l = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        if (l->inverse_mass[row] > 0 && is_outside(l, row)) {
            reflect(l, row);
            *partial += 1;
        }
    }
}

static mote_status fail_outside(const mote_world *world, const mo_system *s, const leaving *l,
                                mote_error *error)
{
    char name[MO_PARTICLE_NAME];
    int64_t row = 0;
    while (!l->out[row]) {
        ++row;
    }
    mo_particle_name(s, row, name);
    return mo_fail(
        error, MOTE_ERROR_NUMERIC,
        "t = %g s: stopped, since %s has left the domain, at [%g, %g, %g] m (domain.outside "
        "is \"stop\")",
        world->clock.time, name, l->x[3 * row], l->x[3 * row + 1], l->x[3 * row + 2]);
}

/* Whether forces connect the particles of a body. */
static bool is_joined(const mo_system *s, int64_t body)
{
    const mote_body *b = &s->bodies.list[body];
    for (int64_t k = 0; k < 2 * s->bodies.edge_count; k += 2) {
        if (s->bodies.edges[k] >= b->first && s->bodies.edges[k] < b->first + b->count) {
            return true;
        }
    }
    for (int64_t k = 0; k < 3 * s->bodies.triangle_count; k += 3) {
        if (s->bodies.triangles[k] >= b->first && s->bodies.triangles[k] < b->first + b->count) {
            return true;
        }
    }
    return false;
}

/* Particles of a connected body are kept until all of them are outside. Returns the number to
 * remove. */
static int64_t keep_bodies_whole(const mo_system *s, uint8_t *out)
{
    int64_t count = 0;
    bool has_mesh = s->bodies.edge_count + s->bodies.triangle_count > 0;
    for (int64_t k = 0; k < s->bodies.count && has_mesh; ++k) {
        const mote_body *b = &s->bodies.list[k];
        uint8_t *own = out + b->first;
        bool some = memchr(own, 1, (size_t)b->count), all = !memchr(own, 0, (size_t)b->count);
        if (some && !all && is_joined(s, k)) {
            memset(own, 0, (size_t)b->count);
        }
    }
    for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
        count += out[row];
    }
    return count;
}

static mote_status remove_outside(mote_world *world, int system, const leaving *l,
                                  mote_error *error)
{
    const mo_system *s = &world->systems[system];
    int64_t count = keep_bodies_whole(s, l->out), first = 0;
    if (count == 0) {
        return MOTE_OK;
    }
    while (!l->out[first]) {
        ++first;
    }
    mo_warn(&world->warnings, &world->log, world->clock.time, "outside",
            "particles that leave the domain are removed, the first %lld of '%s'", (long long)count,
            mo_system_body_name(s, first));
    return mote_world_remove(world, system, l->out, error);
}

static leaving leaving_of(const mote_world *world, const mo_system *s)
{
    leaving l = {.x = mo_f64(s->columns.x),
                 .v = mo_f64(s->columns.v),
                 .inverse_mass = mo_f64(s->columns.inverse_mass),
                 .age = s->columns.age->data,
                 .gravity = mo_host_gravity(&world->host, world->clock.time)};
    for (int c = 0; c < 3; ++c) {
        bool free = world->host.domain.periodic[c];
        l.low[c] = free ? -INFINITY : world->host.domain.low[c];
        l.high[c] = free ? INFINITY : world->host.domain.high[c];
    }
    return l;
}

static mote_status limit_system(mote_world *world, int system, char action, mote_error *error)
{
    mo_system *s = &world->systems[system];
    int64_t rows = mo_store_owned(s->store);
    leaving l = leaving_of(world, s);
    double count;
    if (action == 'b') {
        return mo_parallel_reduce(world->pool, rows, GRAIN, MO_SUM, 1, reflect_range, &l, &count,
                                  error);
    }
    /* memory is allocated only when a particle has left */
    MO_TRY(mo_parallel_reduce(world->pool, rows, GRAIN, MO_SUM, 1, mark_range, &l, &count, error));
    if (count == 0) {
        return MOTE_OK;
    }
    void *block;
    MO_TRY(mo_allocate_array(&world->memory, mo_store_rows(s->store), 1, &block, error));
    l.out = block;
    mote_status status =
        mo_parallel_reduce(world->pool, rows, GRAIN, MO_SUM, 1, mark_range, &l, &count, error);
    if (status == MOTE_OK) {
        status = action == 's' ? fail_outside(world, s, &l, error)
                               : remove_outside(world, system, &l, error);
    }
    mo_release(&world->memory, block);
    return status;
}

/* ---- particles in free fall ---- */

static void include_point(const double down[3], const double *x, double range[2])
{
    double at = down[0] * x[0] + down[1] * x[1] + down[2] * x[2];
    range[0] = fmin(range[0], at);
    range[1] = fmax(range[1], at);
}

void mo_limits_open(mote_world *world)
{
    mo_limits *l = &world->limits;
    mo_vec3 g = world->host.gravity;
    double range[2] = {INFINITY, -INFINITY}, size = mo_length(g), low[3], high[3];
    *l = (mo_limits){0};
    if (!(size > 0) || mo_domain_periodic(&world->host.domain)) {
        return;
    }
    const double down[3] = {g.x / size, g.y / size, g.z / size};
    memcpy(l->down, down, sizeof down);
    for (int64_t k = 0; k < world->colliders.count; ++k) {
        if (mo_collider_bounds(&world->colliders.list[k], low, high)) {
            include_point(down, low, range);
            include_point(down, high, range);
        }
    }
    for (int s = 0; s < world->system_count; ++s) {
        const double *x = mo_f64(world->systems[s].columns.x);
        for (int64_t row = 0; row < mo_store_owned(world->systems[s].store); ++row) {
            include_point(down, x + 3 * row, range);
        }
    }
    l->check_fall = range[0] <= range[1];
    l->lowest = range[1] + FAR * fmax(range[1] - range[0], LEAST);
}

typedef struct falling {
    const mo_limits *limits;
    const double *x, *v;
} falling;

static bool falls(const falling *f, int64_t row)
{
    const double *d = f->limits->down, *x = f->x + 3 * row, *v = f->v + 3 * row;
    return d[0] * x[0] + d[1] * x[1] + d[2] * x[2] > f->limits->lowest &&
           d[0] * v[0] + d[1] * v[1] + d[2] * v[2] > 0;
}

static void count_falling(void *context, int64_t first, int64_t last, double *partial)
{
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial += falls(context, row);
    }
}

static mote_status check_falling(mote_world *world, mote_error *error)
{
    if (!world->limits.check_fall || world->clock.steps % EVERY != 0) {
        return MOTE_OK;
    }
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        falling f = {&world->limits, mo_f64(s->columns.x), mo_f64(s->columns.v)};
        double count;
        int64_t row = 0;
        MO_TRY(mo_parallel_reduce(world->pool, mo_store_owned(s->store), GRAIN, MO_SUM, 1,
                                  count_falling, &f, &count, error));
        if (count == 0) {
            continue;
        }
        while (!falls(&f, row)) {
            ++row;
        }
        mo_warn(
            &world->warnings, &world->log, world->clock.time, "falling",
            world->colliders.count > 0
                ? "%.0f particles, among them some of '%s', have fallen past every collider, to "
                  "[%g, %g, %g] m, and fall on without end; close the gap they left by, or set "
                  "domain.outside to remove, stop or bounce"
                : "%.0f particles, among them some of '%s', have fallen to [%g, %g, %g] m, since "
                  "the scene has no collider below them; add one, such as a plane, or set gravity "
                  "to [0, 0, 0]",
            count, mo_system_body_name(s, row), f.x[3 * row], f.x[3 * row + 1], f.x[3 * row + 2]);
        world->limits.check_fall = false;
    }
    return MOTE_OK;
}

mote_status mo_limits_step(mote_world *world, mote_error *error)
{
    const char *outside = world->def.domain.outside;
    if (!outside || outside[0] == 'k' || isnan(world->def.domain.min.x)) {
        return check_falling(world, error);
    }
    for (int k = 0; k < world->system_count; ++k) {
        MO_TRY(limit_system(world, k, outside[0], error));
    }
    return MOTE_OK;
}
