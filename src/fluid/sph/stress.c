#include "fluid/sph/stress.h"

#include "fluid/kernel/lattice.h"
#include "fluid/sph/corrected.h"
#include "math/lane_sums.h"

/* Relative density below which a row has too few neighbours. */
#define LOOSE 0.8f

enum { XX, YY, ZZ, XY, XZ, YZ, SIX };

typedef struct pass {
    const mo_fluid *fluid;
    const mo_stress *stress;
    const mo_stress_def *def;
    bool completes; /* M beside solids; otherwise C = 0 there */
} pass;

/* ---- the matrices ---- */

/* The lattice behind a plane rather than the integral over the half space: C is then 0 for a
 * lattice at rest, where the integral leaves 0.05 in the first layer. */
static void find_behind(mo_stress *s, const mo_fluid *f)
{
    for (int k = 0; k < MO_STRESS_LAYERS; ++k) {
        double along, across;
        mo_lattice_moments_behind(&f->kernel, f->dimension, f->spacing / f->support, k, &along,
                                  &across);
        s->along[k] = (float)along;
        s->across[k] = (float)across;
    }
}

/* At a distance in spacings, linear between layers. */
static double behind(const float *layer, float distance)
{
    float at = fmaxf(distance - 0.5f, 0);
    int k = at < MO_STRESS_LAYERS ? (int)at : MO_STRESS_LAYERS;
    float from = k < MO_STRESS_LAYERS ? layer[k] : 0,
          to = k + 1 < MO_STRESS_LAYERS ? layer[k + 1] : 0;
    return (double)(from + (at - (float)k) * (to - from));
}

static void add_solids(const pass *s, int64_t row, double m[SIX])
{
    const mo_fluid *f = s->fluid;
    const mo_walls *w = &f->walls;
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        const mo_wall_entry *e = &w->entries[k];
        float distance = e->distance / (float)f->spacing;
        double n[3] = {(double)e->normal[0], (double)e->normal[1], (double)e->normal[2]};
        double along = behind(s->stress->along, distance),
               square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2],
               more = square > 0 ? (behind(s->stress->across, distance) - along) / square : 0;
        m[XX] += along + more * n[0] * n[0];
        m[YY] += along + more * n[1] * n[1];
        m[ZZ] += f->dimension == 2 ? 0 : along + more * n[2] * n[2];
        m[XY] += more * n[0] * n[1];
        m[XZ] += more * n[0] * n[2];
        m[YZ] += more * n[1] * n[2];
    }
}

static bool is_beside_solid(const mo_fluid *f, int64_t row)
{
    const float *wall = f->wall + 4 * row;
    return wall[0] != 0 || wall[1] != 0 || wall[2] != 0;
}

/* C of a row; 0 at free surfaces. */
static void find_correction(const pass *s, int64_t row, double c[SIX])
{
    const mo_fluid *f = s->fluid;
    bool solid = is_beside_solid(f, row), flat = f->dimension == 2,
         open = f->density[row] < LOOSE || f->gradient_sum[row] > MO_FLUID_SURFACE_GRADIENT;
    if (open || (solid && !s->completes)) {
        return;
    }
    double m[SIX];
    mo_fluid_moments(f, row, m);
    if (solid) {
        add_solids(s, row, m);
    }
    double mean = (m[XX] + m[YY] + (flat ? 0 : m[ZZ])) / f->dimension;
    for (int k = 0; k < SIX && mean > 0; ++k) {
        c[k] = (k < XY ? 1 : 0) - m[k] / mean;
    }
}

static void find_rows(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    bool flat = s->fluid->dimension == 2;
    for (int64_t row = first; row < last; ++row) {
        const mo_stress_def *d = s->def;
        float k = d->part * (d->k[row] + (d->other ? d->other[row] : 0));
        float *near = s->stress->near + 4 * row;
        double c[SIX] = {0};
        if (k > 0) {
            find_correction(s, row, c);
        }
        near[0] = k * (float)c[XX];
        near[1] = k * (float)c[YY];
        near[2] = flat ? 0 : k * (float)c[ZZ];
        near[3] = k * (float)c[XY];
        if (!flat) {
            s->stress->far[4 * row] = k * (float)c[XZ];
            s->stress->far[4 * row + 1] = k * (float)c[YZ];
            s->stress->far[4 * row + 2] = s->stress->far[4 * row + 3] = 0;
        }
    }
}

/* ---- the forces ---- */

/* k C v */
static mo_f4 apply(const mo_fluid *f, const mo_stress *s, int64_t row, const float v[3])
{
    const float none[4] = {0}, *a = s->near + 4 * row,
                *b = f->dimension == 2 ? none : s->far + 4 * row;
    return (mo_f4){a[0] * v[0] + a[3] * v[1] + b[0] * v[2], a[3] * v[0] + a[1] * v[1] + b[1] * v[2],
                   b[0] * v[0] + b[1] * v[1] + a[2] * v[2], 0};
}

static void accelerate_rows(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    const mo_fluid *f = s->fluid;
    const float none[4] = {0};
    bool flat = f->dimension == 2;
    for (int64_t row = first; row < last; ++row) {
        const float *a = s->stress->near + 4 * row, *b = flat ? none : s->stress->far + 4 * row;
        mo_f8 x = {0}, y = {0}, z = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 near[4], far[4] = {{0}, {0}, {0}, {0}}, g = p.gradient_factor;
            mo_f8_load4(s->stress->near, p.j, near);
            if (!flat) {
                mo_f8_load4(s->stress->far, p.j, far);
            }
            mo_f8 xy = a[3] + near[3], xz = b[0] + far[0], yz = b[1] + far[1];
            x += g * ((a[0] + near[0]) * p.x + xy * p.y + xz * p.z);
            y += g * (xy * p.x + (a[1] + near[1]) * p.y + yz * p.z);
            z += g * (xz * p.x + yz * p.y + (a[2] + near[2]) * p.z);
        }
        mo_f4 sum = -f->specific[row] *
                    (mo_f8_sum4(x, y, z, (mo_f8){0}) + apply(f, s->stress, row, f->wall + 4 * row));
        sum[3] = 0;
        mo_f4_store(f->acceleration + 4 * row, sum);
    }
}

/* On a solid. */
static mo_vec3 force_on(const void *context, const mo_fluid *f, int64_t row, const mo_wall_entry *e)
{
    double volume = mo_f64(f->columns.mass)[row] * (double)f->specific[row];
    mo_f4 a = apply(f, context, row, e->gradient);
    return mo_scale(volume, mo_vec3_make((double)a[0], (double)a[1], (double)a[2]));
}

mote_status mo_stress_kick(mo_stress *s, mo_fluid *f, const mo_stress_def *def, double h,
                           mote_error *error)
{
    const mo_walls *w = &f->walls;
    bool completes = w->maps && w->mirror == 1 && !w->plain;
    pass p = {f, s, def, completes};
    MO_TRY(
        mo_reserve(f->memory, &s->near, &s->near_capacity, 4 * f->slots + 4, sizeof(float), error));
    if (f->dimension == 3) {
        MO_TRY(mo_reserve(f->memory, &s->far, &s->far_capacity, 4 * f->slots + 4, sizeof(float),
                          error));
    }
    if (s->across[0] == 0) {
        find_behind(s, f);
    }
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, find_rows, &p);
    mo_fluid_spread4(f, s->near);
    if (f->dimension == 3) {
        mo_fluid_spread4(f, s->far);
    }
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, accelerate_rows, &p);
    mo_fluid_kick_by_pressure(f, h);
    return completes ? mo_fluid_react_forces(f, force_on, s, h, error) : MOTE_OK;
}

void mo_stress_release(mo_stress *s, mo_memory *memory)
{
    mo_release(memory, s->near);
    mo_release(memory, s->far);
}
