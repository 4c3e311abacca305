#include "fluid/sph/wall_friction.h"

#include <math.h>

enum { GRAIN = MO_FLUID_GRAIN };

/* Minimum distance of particles from a solid, in spacings. */
static const double NEAREST = 0.25;

typedef struct rubbing {
    const mo_fluid *fluid;
    double nu, blend;
    float *rate;
    double *a;
} rubbing;

/* The damping rate of the tangential velocity. */
static double damping(const rubbing *c, const mo_wall_entry *e)
{
    const mo_fluid *f = c->fluid;
    float derivative, s = e->distance / (float)f->support;
    double lambda = (double)mo_half_space_at(&f->walls.volume, s, &derivative);
    double d = fmax((double)e->distance, NEAREST * f->spacing);
    double kappa = -2 * (double)derivative / (f->support * d);
    return c->nu * kappa + c->blend * lambda;
}

/* The acceleration of a row by an entry. */
static mo_vec3 acceleration(const rubbing *c, int64_t row, const mo_wall_entry *e, double rate)
{
    const float *v = c->fluid->velocity + 4 * row;
    mo_vec3 u = mo_vec3_make((double)(v[0] - e->velocity[0]), (double)(v[1] - e->velocity[1]),
                             (double)(v[2] - e->velocity[2]));
    mo_vec3 n = mo_vec3_make((double)e->normal[0], (double)e->normal[1], (double)e->normal[2]);
    double square = mo_dot(n, n);
    mo_vec3 across = square > 0 ? mo_add_scaled(u, -mo_dot(u, n) / square, n) : u;
    return mo_scale(-rate, across);
}

static void rub_rows(void *context, int64_t first, int64_t last)
{
    const rubbing *c = context;
    const mo_walls *w = &c->fluid->walls;
    for (int64_t row = first; row < last; ++row) {
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            double rate = damping(c, &w->entries[k]);
            mo_vec3 a = acceleration(c, row, &w->entries[k], rate);
            mo_vec3_store(c->a + 3 * row, mo_add(mo_vec3_load(c->a + 3 * row), a));
            if (c->rate) {
                c->rate[row] += (float)rate;
            }
        }
    }
}

static mo_vec3 force_on_solid(const void *context, const mo_fluid *f, int64_t row,
                              const mo_wall_entry *e)
{
    const rubbing *c = context;
    mo_vec3 a = acceleration(c, row, e, damping(c, e));
    return mo_scale(-mo_f64(f->columns.mass)[row], a);
}

/* The ratio of the lattice sum over the missing layers to the integral over the half space, half
 * a spacing from it. */
static double lattice_factor(const mo_fluid *f)
{
    double value, derivative, spacing = f->spacing / f->support;
    float half_space;
    mo_lattice_behind(&f->kernel, f->dimension, spacing, &value, &derivative);
    mo_half_space_at(&f->walls.volume, (float)(0.5 * spacing), &half_space);
    return half_space < 0 ? derivative / (double)half_space : 1;
}

mote_status mo_fluid_wall_friction(mo_fluid *f, const mo_wall_friction *friction, mote_error *error)
{
    if (!(friction->nu > 0 || friction->blend > 0) || f->walls.piece_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_wall_entries_need(f, error));
    if (f->walls.entry_count <= 0) {
        return MOTE_OK;
    }
    rubbing c = {f, friction->nu * lattice_factor(f), friction->blend, friction->rate,
                 mo_f64(f->columns.a)};
    mo_parallel_for(f->pool, f->rows, GRAIN, rub_rows, &c);
    return mo_fluid_react_forces(f, force_on_solid, &c, friction->h, error);
}
