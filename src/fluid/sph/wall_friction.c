#include "fluid/sph/wall_friction.h"

#include <math.h>

enum { GRAIN = MO_FLUID_GRAIN };

/* Minimum distance of particles from a solid, in spacings. */
static const double NEAREST = 0.25;

typedef struct rubbing {
    const mo_fluid *fluid;
    double nu, blend;
    const float *of_row; /* NULL: nu of all rows; else nu is a factor */
    float *rate;
    double *a;
    const double *share; /* of free bodies; NULL: 1 */
    double h;
    float *drag, *pull;
} rubbing;

/* The damping rate of the tangential velocity. */
static double damping(const rubbing *c, int64_t row, const mo_wall_entry *e)
{
    const mo_fluid *f = c->fluid;
    float derivative, s = e->distance / (float)f->support;
    double lambda = (double)mo_half_space_at(&f->walls.volume, s, &derivative);
    double d = fmax((double)e->distance, NEAREST * f->spacing);
    double kappa = -2 * (double)derivative / (f->support * d);
    double nu = c->of_row ? c->nu * (double)c->of_row[row] : c->nu;
    int body = c->share ? f->walls.pieces[e->piece].body : -1;
    return (nu * kappa + c->blend * lambda) * (body >= 0 ? c->share[body] : 1);
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
            double rate = damping(c, row, &w->entries[k]);
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
    mo_vec3 a = acceleration(c, row, e, damping(c, row, e));
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

/* 1/(1 + h sum_i D_i/M_B) of each free body: D_i times the inverse mass of the body at the row,
 * bounded by 1/m + arm^2 |I^-1|. A sum in the order of the rows. */
static void share_bodies(const rubbing *c, double *share)
{
    const mo_fluid *f = c->fluid;
    const mo_walls *w = &f->walls;
    const double *mass = mo_f64(f->columns.mass);
    for (int b = 0; b < w->responder->count; ++b) {
        share[b] = 1;
    }
    rubbing plain = *c;
    plain.share = NULL;
    for (int64_t t = 0; t < f->response.row_count; ++t) {
        int64_t row = f->response.rows[t];
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            const mo_wall_entry *e = &w->entries[k];
            int body = w->pieces[e->piece].body;
            if (body >= 0) {
                const mo_free_body *free = &w->responder->bodies[body];
                mo_vec3 arm = mo_wall_entry_arm(f, row, e);
                const double *i = free->inverse_inertia.m;
                double turn = (i[0] + i[4] + i[8]) * mo_dot(arm, arm);
                share[body] +=
                    c->h * mass[row] * damping(&plain, row, e) * (free->inverse_mass + turn);
            }
        }
    }
    for (int b = 0; b < w->responder->count; ++b) {
        share[b] = 1 / share[b];
    }
}

static rubbing rubbing_of(const mo_fluid *f, const mo_wall_friction *friction)
{
    return (rubbing){.fluid = f,
                     .nu = (friction->of_row ? 1 : friction->nu) * lattice_factor(f),
                     .of_row = friction->of_row,
                     .blend = friction->blend,
                     .rate = friction->rate,
                     .a = mo_f64(f->columns.a),
                     .share = f->walls.responder ? friction->share : NULL,
                     .h = friction->h};
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
    rubbing c = rubbing_of(f, friction);
    if (f->walls.responder) {
        c.share = f->response.share;
        share_bodies(&c, f->response.share);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, rub_rows, &c);
    return mo_fluid_react_forces(f, force_on_solid, &c, friction->h, error);
}

/* ---- implicit ---- */

/* h D/m of a row: the sum of h rate (I - n n^T), and its product with the velocities of solids. */
static void drag_rows(void *context, int64_t first, int64_t last)
{
    const rubbing *c = context;
    const mo_walls *w = &c->fluid->walls;
    for (int64_t row = first; row < last; ++row) {
        double d[6] = {0}, pull[3] = {0};
        for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
            const mo_wall_entry *e = &w->entries[k];
            double rate = c->h * damping(c, row, e);
            mo_vec3 n =
                mo_vec3_make((double)e->normal[0], (double)e->normal[1], (double)e->normal[2]);
            double square = mo_dot(n, n), part = square > 0 ? rate / square : 0;
            const double own[6] = {rate - part * n.x * n.x, rate - part * n.y * n.y,
                                   rate - part * n.z * n.z, -part * n.x * n.y,
                                   -part * n.x * n.z,       -part * n.y * n.z};
            const double v[3] = {(double)e->velocity[0], (double)e->velocity[1],
                                 (double)e->velocity[2]};
            for (int i = 0; i < 6; ++i) {
                d[i] += own[i];
            }
            pull[0] += own[0] * v[0] + own[3] * v[1] + own[4] * v[2];
            pull[1] += own[3] * v[0] + own[1] * v[1] + own[5] * v[2];
            pull[2] += own[4] * v[0] + own[5] * v[1] + own[2] * v[2];
        }
        for (int i = 0; i < 6; ++i) {
            c->drag[6 * row + i] = (float)d[i];
        }
        for (int i = 0; i < 4; ++i) {
            c->pull[4 * row + i] = i < 3 ? (float)pull[i] : 0;
        }
    }
}

mote_status mo_fluid_wall_drag(mo_fluid *f, const mo_wall_friction *friction, float *drag,
                               float *pull, bool *walled, mote_error *error)
{
    *walled = false;
    if (!(friction->nu > 0) || f->walls.piece_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_wall_entries_need(f, error));
    if (f->walls.entry_count <= 0) {
        return MOTE_OK;
    }
    *walled = true;
    rubbing c = rubbing_of(f, friction);
    c.drag = drag;
    c.pull = pull;
    if (f->walls.responder) {
        share_bodies(&c, friction->share);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, drag_rows, &c);
    return MOTE_OK;
}

mote_status mo_fluid_wall_drag_react(mo_fluid *f, const mo_wall_friction *friction,
                                     mote_error *error)
{
    rubbing c = rubbing_of(f, friction);
    return mo_fluid_react_forces(f, force_on_solid, &c, friction->h, error);
}
