#include "fluid/sph/corrected.h"

#include "math/symmetric.h"

/* Smallest eigenvalues of M at which the correction begins and is complete: next to walls and air,
 * and in the interior. On a lattice it is 1 in the interior and about 0.5 at a plane surface. */
static const double BESIDE[2] = {0.6, 0.8}, INSIDE[2] = {0.1, 0.2};

enum { XX, YY, ZZ, XY, XZ, YZ, SIX };

void mo_fluid_moments(const mo_fluid *f, int64_t row, double m[SIX])
{
    mo_f8 s[SIX] = {{0}};
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
        mo_f8 x = p.gradient_factor * p.x, y = p.gradient_factor * p.y;
        s[XX] += x * p.x;
        s[YY] += y * p.y;
        s[ZZ] += p.gradient_factor * p.z * p.z;
        s[XY] += x * p.y;
        s[XZ] += x * p.z;
        s[YZ] += y * p.z;
    }
    for (int k = 0; k < SIX; ++k) {
        m[k] = -(double)mo_f8_sum(s[k]);
    }
    m[ZZ] = f->dimension == 2 ? 1 : m[ZZ];
}

typedef struct pass {
    mo_fluid *fluid;
    const mo_corrected *corrected;
    const mo_air *air;
    const float *u;
    float *rate, *share;
    bool walls_move, enabled;
} pass;

/* ---- the matrices ---- */

static bool surrounded(const mo_fluid *f, int64_t row, const mo_air *air)
{
    const float *wall = f->wall + 4 * row;
    return air[row].weight == 0 && wall[0] == 0 && wall[1] == 0 && wall[2] == 0;
}

static void find_rows(void *context, int64_t first, int64_t last)
{
    static const double ONE[SIX] = {1, 1, 1};
    const pass *s = context;
    const mo_fluid *f = s->fluid;
    bool flat = f->dimension == 2;
    for (int64_t row = first; row < last; ++row) {
        double m[SIX], b[SIX] = {0};
        mo_fluid_moments(f, row, m);
        s->share[row] = (float)((m[XX] + m[YY] + (flat ? 0 : m[ZZ])) / f->dimension);
        bool inside = surrounded(f, row, s->air);
        const double *limit = inside ? INSIDE : BESIDE;
        double t = (mo_symmetric_least(m, f->dimension) - limit[0]) / (limit[1] - limit[0]);
        t = s->enabled && t > 0 ? (t < 1 ? t : 1) : 0;
        if (t > 0) {
            mo_symmetric_inverse(m, b);
        }
        float *near = s->corrected->near + 4 * row;
        for (int k = 0; k < 4; ++k) {
            near[k] = (float)(ONE[k] + t * (b[k] - ONE[k]));
        }
        s->corrected->inside[row] = inside ? 1 : 0;
        if (!flat) {
            s->corrected->far[4 * row] = (float)(t * b[XZ]);
            s->corrected->far[4 * row + 1] = (float)(t * b[YZ]);
        }
    }
}

/* ---- the weights ---- */

static void weigh_rows(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    const mo_fluid *f = s->fluid;
    const mo_corrected *c = s->corrected;
    bool flat = f->dimension == 2;
    for (int64_t row = first; row < last; ++row) {
        const float *own = c->near + 4 * row;
        float in = c->inside[row];
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 near[4], far[4], r2 = p.x * p.x + p.y * p.y + p.z * p.z;
            mo_f8_load4(c->near, p.j, near);
            mo_f8 along = (own[0] + near[0]) * (p.x * p.x) + (own[1] + near[1]) * (p.y * p.y) +
                          2 * (own[3] + near[3]) * (p.x * p.y);
            if (!flat) {
                const float *more = c->far + 4 * row;
                mo_f8_load4(c->far, p.j, far);
                along += (own[2] + near[2]) * (p.z * p.z) +
                         2 * p.z * ((more[0] + far[0]) * p.x + (more[1] + far[1]) * p.y);
            }
            along = mo_f8_select((r2 > 0) & (in * p.own > 0), 0.5f * along / r2, mo_f8_set(1));
            mo_f8_store(c->weight + at, p.gradient_factor * along);
        }
    }
}

mote_status mo_corrected_find(mo_corrected *c, mo_fluid *f, const mo_air *air, bool enabled,
                              float *share, mote_error *error)
{
    pass s = {.fluid = f, .corrected = c, .air = air, .share = share, .enabled = enabled};
    MO_TRY(
        mo_reserve(f->memory, &c->near, &c->near_capacity, 4 * f->slots + 4, sizeof(float), error));
    MO_TRY(mo_reserve(f->memory, &c->weight, &c->weight_capacity, f->lists->index_capacity,
                      sizeof(float), error));
    MO_TRY(
        mo_reserve(f->memory, &c->inside, &c->inside_capacity, f->slots + 4, sizeof(float), error));
    if (f->dimension == 3) {
        MO_TRY(mo_reserve(f->memory, &c->far, &c->far_capacity, 4 * f->slots + 4, sizeof(float),
                          error));
    }
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, find_rows, &s);
    mo_fluid_spread4(f, c->near);
    if (f->dimension == 3) {
        mo_fluid_spread4(f, c->far);
    }
    mo_fluid_pack_numbers(f, c->inside);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, weigh_rows, &s);
    return MOTE_OK;
}

void mo_corrected_release(mo_corrected *c, mo_memory *memory)
{
    mo_release(memory, c->near);
    mo_release(memory, c->far);
    mo_release(memory, c->weight);
    mo_release(memory, c->inside);
}

/* ---- the rates ---- */

static void rate_rows(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = s->u + 4 * row, *wall = f->wall + 4 * row;
        const float *b = s->corrected->near + 4 * row, none[2] = {0},
                    *c = f->dimension == 2 ? none : s->corrected->far + 4 * row;
        mo_f8 sum = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 other[4];
            mo_f8_load4(s->u, p.j, other);
            sum += p.gradient_factor * ((u[0] - other[0]) * (b[0] * p.x + b[3] * p.y + c[0] * p.z) +
                                        (u[1] - other[1]) * (b[3] * p.x + b[1] * p.y + c[1] * p.z) +
                                        (u[2] - other[2]) * (c[0] * p.x + c[1] * p.y + b[2] * p.z));
        }
        float through =
            ((u[0] * wall[0] + u[1] * wall[1]) + u[2] * wall[2]) - (s->walls_move ? wall[3] : 0);
        s->rate[row] = mo_f8_sum(sum) + 2 * through;
    }
}

void mo_corrected_rates(const mo_corrected *c, mo_fluid *f, const float *u, bool walls_move,
                        float *rate)
{
    pass s = {.fluid = f, .corrected = c, .u = u, .rate = rate, .walls_move = walls_move};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, rate_rows, &s);
}
