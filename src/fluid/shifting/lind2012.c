/*
 * Particles are shifted down the gradient of their concentration C = sum_j V_j W_ij, with the
 * velocity extrapolated to the new position:
 *     dx_i = -D sum_j V_j grad W_ij,    v_i := v_i + (grad v)_i dx_i,    (grad v)_i = sum_j V_j
 *                                       (v_j - v_i) grad W_ij,
 * S. Lind, R. Xu, P. Stansby, B. Rogers 2012, J. Comput. Phys. 231, 1499; the velocity after R. Xu,
 * P. Stansby, D. Laurence 2009, J. Comput. Phys. 228, 6703. Boundaries are included. Departs from
 * the papers: D = R^2 min(coefficient |grad v| h, 0.1), R the support, since strain causes the
 * disorder; it is independent of the step size, zero in quiescent fluid and Galilean invariant (A.
 * Skillen et al. 2013 use the speed); no term against pairing; (grad v)_i of the extrapolation does
 * not include solids; particles at and next to a free surface are not shifted, since the gradient
 * of their concentration points out of the fluid, and shifting along it adds energy to quiescent
 * fluid. Momenta are conserved to first order in dx, not to rounding.
 */
#include "fluid/shifting/shifting.h"
#include "fluid/sph/free_surface.h"
#include "fluid/sph/wall_entries.h"

#include <math.h>
#include <string.h>

/* Relative to R^2: larger values overshoot. */
#define STRONGEST 0.1

typedef struct lind2012 {
    double coefficient, most, surface;
    const char *where;
} lind2012;

static const mo_param PARAMS[] = {
    {"coefficient", MO_REAL, MO_FIELD(lind2012, coefficient), .initial = "10", .range = "[0, inf)",
     .doc = "Diffusion coefficient, relative to the strain rate of the flow."},
    {"most", MO_REAL, MO_FIELD(lind2012, most), .initial = "0.1", .range = "[0, 1]",
     .doc = "Maximum displacement of a particle per step, in spacings."},
    {"surface", MO_REAL, MO_FIELD(lind2012, surface), .initial = "0.9", .range = "[0, 1]",
     .doc = "Free-surface threshold: particles below this fraction of the rest density and their "
            "neighbours are not shifted."},
    {"where", MO_STRING, MO_FIELD(lind2012, where), .initial = "\"everywhere\"",
     .choices = "everywhere|closed",
     .doc = "closed: only fluid without a free surface and without gravity, and not with pressure "
            "solvers that gain energy by shifting or with `fluid_layers`."},
    {0}};

typedef struct shifting {
    const mo_fluid *fluid;
    const lind2012 *params;
    double h, *x, *v;
} shifting;

/* The gradients of the concentration and of the velocity. */
typedef struct gradients {
    mo_f8 c[3], v[3][3];
    float solid[3][3]; /* that of the velocity by solids */
    mo_f8 surfaces;    /* neighbours at a free surface */
} gradients;

MO_INLINE void meet(const mo_fluid_pairs *p, const float *own, const float *velocity,
                    gradients *sum)
{
    mo_f8 other[4],
        way[3] = {p->gradient_factor * p->x, p->gradient_factor * p->y, p->gradient_factor * p->z};
    mo_f8_load4(velocity, p->j, other);
    sum->surfaces += (mo_f8)((p->gradient_factor != (mo_f8){0}) & (mo_i8)p->own);
    for (int a = 0; a < 3; ++a) {
        sum->c[a] += way[a];
        for (int b = 0; b < 3; ++b) {
            sum->v[a][b] += (other[a] - own[a]) * way[b];
        }
    }
}

/* Solids with their motion. Their concentration has half the gradient of L, which represents the
 * pressures of both sides (sph/walls.h), so that equilibria of shifting and pressure agree. Their
 * velocity counts for the rate of strain only, not for the extrapolation: where the boundary layer
 * is thinner than the spacing, a particle shifted away from a wall at rest would gain the
 * difference, and tips of dam breaks exceeded the largest velocity of an inviscid front. */
static void add_solids(const mo_fluid *f, int64_t row, gradients *sum)
{
    const mo_walls *w = &f->walls;
    const float *own = f->velocity + 4 * row;
    float share = w->plain ? 1 : 0.5f;
    for (int64_t k = w->first[row]; k < w->first[row + 1]; ++k) {
        const mo_wall_entry *e = &w->entries[k];
        for (int a = 0; a < 3; ++a) {
            float way = share * e->gradient[a];
            sum->c[a][0] += way;
            for (int b = 0; b < 3; ++b) {
                sum->solid[b][a] += (e->velocity[b] - own[b]) * way;
            }
        }
    }
}

static gradients gather(const mo_fluid *f, int64_t row)
{
    gradients sum = {0};
    const float *own = f->velocity + 4 * row;
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs pairs = mo_fluid_pairs_at(f, &r, at);
        meet(&pairs, own, f->velocity, &sum);
    }
    if (f->walls.entry_count > 0) {
        add_solids(f, row, &sum);
    }
    return sum;
}

static void shift_row(const shifting *s, const gradients *sum, double *x, double *v)
{
    double way[3], gradient[3][3], norm = 0, length = 0;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            gradient[a][b] = (double)mo_f8_sum(sum->v[a][b]);
            double strain = gradient[a][b] + (double)sum->solid[a][b];
            norm += strain * strain;
        }
    }
    double rate = fmin(STRONGEST, s->params->coefficient * s->h * sqrt(norm));
    for (int a = 0; a < 3; ++a) {
        way[a] = -rate * s->fluid->support * s->fluid->support * (double)mo_f8_sum(sum->c[a]);
        length += way[a] * way[a];
    }
    double most = s->params->most * s->fluid->spacing,
           scale = length > most * most ? most / sqrt(length) : 1;
    for (int a = 0; a < 3; ++a) {
        x[a] += scale * way[a];
        v[a] +=
            scale * (gradient[a][0] * way[0] + gradient[a][1] * way[1] + gradient[a][2] * way[2]);
    }
}

static void shift_rows(void *context, int64_t first, int64_t last)
{
    const shifting *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        if (f->rate[row] == 0) {
            gradients sum = gather(f, row);
            if (mo_f8_sum(sum.surfaces) == 0) {
                shift_row(s, &sum, s->x + 3 * row, s->v + 3 * row);
            }
        }
    }
}

/* 1 at a free surface, else 0; *partial: their number */
static void mark_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const shifting *s = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        bool surface = mo_fluid_at_surface(s->fluid, row, (float)s->params->surface);
        s->fluid->rate[row] = surface ? 1 : 0;
        *partial += surface;
    }
}

static bool closed_only(const lind2012 *p)
{
    return strcmp(p->where, "closed") == 0;
}

/* In a hydrostatic pressure gradient displacements are no longer small for dfsph: a tank at rest
 * had 3 % of sqrt(g H) with them, 0.4 % without. Drops keep their momentum to rounding. With
 * boundary samples that have their own pressures a lid drove the fluid 3.4 % less. */
static bool lind2012_acts(const void *params, const mo_fluid *f, double time, bool gains)
{
    bool weightless = mo_length(mo_fluid_gravity(f, time)) == 0;
    return !closed_only(params) ||
           (weightless && !gains && !f->walls.layers.wanted && !(f->pace > 0));
}

static mote_status lind2012_shift(mo_instance *self, mo_fluid *f, double h, mote_error *error)
{
    double surfaces;
    shifting s = {f, self->method.params, h, mo_f64(f->columns.x), mo_f64(f->columns.v)};
    MO_TRY(mo_wall_entries_need(f, error));
    mo_fluid_pack_velocities(f);
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, MO_FLUID_GRAIN, MO_SUM, 1, mark_rows, &s, &surfaces,
                              error));
    if (closed_only(s.params) && mo_confined_part(f, surfaces) == 0) {
        return MOTE_OK;
    }
    mo_fluid_pack_numbers(f, f->rate);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, shift_rows, &s);
    return MOTE_OK;
}

const mo_shifting_type mo_shifting_lind2012 = {
    .base =
        {.name = "lind2012",
         .summary =
             "Fickian shifting: particles move down their concentration gradient, in proportion to "
             "the strain rate.",
         .citation =
             "Lind, Xu, Stansby, Rogers 2012, J. Comput. Phys. 231, 1499; Xu, Stansby, Laurence "
             "2009, J. Comput. Phys. 228, 6703",
         .departs =
             "The coefficient is D = R^2 min(coefficient |grad v| h, 0.1), R the support radius, "
             "so that results do not depend on the number of steps; there is no term against "
             "pairing; velocities of solids are not extrapolated; particles at and beside a free "
             "surface are not moved.",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(lind2012),
         .params = PARAMS},
    .shift = lind2012_shift,
    .acts = lind2012_acts,
};
