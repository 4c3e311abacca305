#include "fluid/sph/corrected.h"

#include "math/symmetric.h"

/* Least eigenvalues of M where the correction begins and where it is complete. On a lattice it is
 * 1 inside and about 0.5 across a plane surface. */
static const double BEGINS = 0.6, COMPLETE = 0.8;

enum { XX, YY, ZZ, XY, XZ, YZ, SIX };

void mo_fluid_moments(const mo_fluid *f, int64_t row, double m[SIX])
{
    mo_f8 s[SIX] = {{0}};
    mo_fluid_row r = mo_fluid_row_of(f, row);
    for (int64_t at = r.first; at < r.last; at += 8) {
        mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
        mo_f8 x = p.slope * p.x, y = p.slope * p.y;
        s[XX] += x * p.x;
        s[YY] += y * p.y;
        s[ZZ] += p.slope * p.z * p.z;
        s[XY] += x * p.y;
        s[XZ] += x * p.z;
        s[YZ] += y * p.z;
    }
    for (int k = 0; k < SIX; ++k) {
        m[k] = -(double)mo_f8_sum(s[k]);
    }
    m[ZZ] = f->dimension == 2 ? 1 : m[ZZ];
}

/* 1 + t (B - 1), or 1; and the trace of M over the dimension */
static void find_matrix(const mo_fluid *f, int64_t row, bool corrected, float out[SIX],
                        float *share)
{
    static const double ONE[SIX] = {1, 1, 1};
    double m[SIX], b[SIX];
    mo_fluid_moments(f, row, m);
    *share = (float)((m[XX] + m[YY] + (f->dimension == 3 ? m[ZZ] : 0)) / f->dimension);
    double t = (mo_symmetric_least(m, f->dimension) - BEGINS) / (COMPLETE - BEGINS);
    t = corrected && t > 0 ? (t < 1 ? t : 1) : 0;
    if (t > 0) {
        mo_symmetric_inverse(m, b);
    }
    for (int k = 0; k < SIX; ++k) {
        out[k] = (float)(t > 0 ? ONE[k] + t * (b[k] - ONE[k]) : ONE[k]);
    }
}

typedef struct pass {
    mo_fluid *fluid;
    const float *u;
    float *rate, *share;
    bool walls_move, corrected;
} pass;

static void rate_rows(void *context, int64_t first, int64_t last)
{
    const pass *s = context;
    const mo_fluid *f = s->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = s->u + 4 * row, *wall = f->wall + 4 * row;
        float b[SIX];
        mo_f8 sum = {0};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        find_matrix(f, row, s->corrected, b, &s->share[row]);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 other[4];
            mo_f8_load4(s->u, p.j, other);
            sum += p.slope * ((u[0] - other[0]) * (b[XX] * p.x + b[XY] * p.y + b[XZ] * p.z) +
                              (u[1] - other[1]) * (b[XY] * p.x + b[YY] * p.y + b[YZ] * p.z) +
                              (u[2] - other[2]) * (b[XZ] * p.x + b[YZ] * p.y + b[ZZ] * p.z));
        }
        float through =
            ((u[0] * wall[0] + u[1] * wall[1]) + u[2] * wall[2]) - (s->walls_move ? wall[3] : 0);
        s->rate[row] = mo_f8_sum(sum) + 2 * through;
    }
}

void mo_fluid_corrected_rates(mo_fluid *f, const float *u, bool walls_move, bool corrected,
                              float *rate, float *share)
{
    pass s = {f, u, rate, share, walls_move, corrected};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, rate_rows, &s);
}
