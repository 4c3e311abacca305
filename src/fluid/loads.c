/*
 * Pressures as they are shown, and what they do to the walls. A row feels of the walls
 *     m_i a_i = -V_i bear_i sum_b V_b grad F_ib    (walls.h),
 * so each collider feels the opposite of its samples' part. bear_i is what a solver makes of its pressure, k_i mostly.
 */
#include "fluid/fluid.h"

#include <string.h>

enum { GRAIN = 4096 };

/* ---- pressures ---- */

typedef struct showing {
    mo_fluid *fluid;
    const float *k, *other;
    float *pressure, *bear;
} showing;

static void show_rows(void *context, int64_t first, int64_t last)
{
    const showing *s = context;
    const float *density = s->fluid->density;
    for (int64_t row = first; row < last; ++row) {
        float k = s->k[row] + (s->other ? s->other[row] : 0), square = density[row] * density[row];
        s->pressure[row] = k * square;
        s->bear[row] = k;
    }
}

void mo_fluid_show_pressure(mo_fluid *f, const float *k, const float *other)
{
    showing s = {f, k, other, f->columns.pressure->data, f->columns.bear->data};
    mo_parallel_for(f->pool, f->rows, GRAIN, show_rows, &s);
}

/* ---- loads ---- */

enum { FORCE, TORQUE = 3, MOMENTS = 6 };

typedef struct weighing {
    const mo_fluid *fluid;
    const mo_wall_piece *piece;
    const float *bear;
    mo_vec3 about;
    double volume; /* support^d: volumes are kept in units of it */
} weighing;

/* partial: the force and its moment on one piece, by these rows */
static void weigh_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const weighing *w = context;
    const mo_fluid *f = w->fluid;
    const mo_walls *walls = &f->walls;
    memset(partial, 0, MOMENTS * sizeof *partial);
    for (int64_t row = first; row < last; ++row) {
        mo_fluid_row r = mo_fluid_wall_row_of(f, row);
        double strength = w->volume * (double)f->volume[row] * (double)w->bear[row];
        for (int64_t at = r.first; strength != 0 && at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_wall_pairs_at(f, &r, at);
            for (int lane = 0; lane < 8 && at + lane < r.last; ++lane) {
                int64_t j = p.j[lane], sample = j < walls->count ? j : walls->found.owner[j - walls->count];
                if (sample < w->piece->first || sample >= w->piece->first + w->piece->count) {
                    continue;
                }
                double size = strength * (double)walls->firm[at + lane];
                mo_vec3 force = mo_vec3_make(size * (double)p.x[lane], size * (double)p.y[lane],
                                             size * (double)p.z[lane]);
                mo_vec3 arm = mo_sub(mo_vec3_load(walls->x + 3 * sample), w->about);
                mo_vec3 torque = mo_cross(arm, force);
                const double parts[MOMENTS] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
                for (int k = 0; k < MOMENTS; ++k) {
                    partial[k] += parts[k];
                }
            }
        }
    }
}

/* Lists are made anew at the places as they are, and what the walls bear is state: a resumed run and one that has been
   looked at find the same. */
mote_status mo_fluid_wall_loads(mo_fluid *f, double time, int collider, mo_vec3 about, mo_vec3 *force,
                                mo_vec3 *torque, mote_error *error)
{
    double volume = 1, sum[MOMENTS];
    MO_TRY(mo_fluid_update(f, time, error));
    for (int k = 0; k < f->dimension; ++k) {
        volume *= f->support;
    }
    *force = *torque = mo_vec3_make(0, 0, 0);
    for (int p = 0; f->walls.lists && p < f->walls.piece_count; ++p) {
        if (collider >= 0 && f->walls.pieces[p].collider != collider) {
            continue;
        }
        weighing w = {f, &f->walls.pieces[p], f->columns.bear->data, about, volume};
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, MO_FLUID_GRAIN, MO_SUM, MOMENTS, weigh_rows, &w, sum,
                                  error));
        *force = mo_add(*force, mo_vec3_load(sum + FORCE));
        *torque = mo_add(*torque, mo_vec3_load(sum + TORQUE));
    }
    return MOTE_OK;
}
