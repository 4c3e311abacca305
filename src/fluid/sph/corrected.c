#include "fluid/sph/corrected.h"

#include "math/symmetric.h"

/* Least eigenvalues of M where the correction begins and where it is complete. On a lattice it is
 * 1 inside and about 0.5 across a plane surface. */
static const double BEGINS = 0.6, COMPLETE = 0.8;

enum { XX, YY, ZZ, XY, XZ, YZ, SIX };

/* M, with a unit for the missing direction of a flat fluid. */
static void find_moments(const mo_fluid *f, int64_t row, double m[SIX])
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

static double least_eigenvalue(const double m[SIX], int dimension)
{
    double negative[SIX];
    for (int k = 0; k < SIX; ++k) {
        negative[k] = -m[k];
    }
    return -mo_symmetric_largest(negative, dimension);
}

static void invert(const double m[SIX], double out[SIX])
{
    double xx = m[YY] * m[ZZ] - m[YZ] * m[YZ], xy = m[XZ] * m[YZ] - m[XY] * m[ZZ],
           xz = m[XY] * m[YZ] - m[XZ] * m[YY];
    double scale = 1 / (m[XX] * xx + m[XY] * xy + m[XZ] * xz);
    out[XX] = scale * xx;
    out[XY] = scale * xy;
    out[XZ] = scale * xz;
    out[YY] = scale * (m[XX] * m[ZZ] - m[XZ] * m[XZ]);
    out[YZ] = scale * (m[XY] * m[XZ] - m[XX] * m[YZ]);
    out[ZZ] = scale * (m[XX] * m[YY] - m[XY] * m[XY]);
}

/* 1 + t (B - 1) */
static void find_matrix(const mo_fluid *f, int64_t row, float out[SIX])
{
    static const double ONE[SIX] = {1, 1, 1};
    double m[SIX], b[SIX];
    find_moments(f, row, m);
    double t = (least_eigenvalue(m, f->dimension) - BEGINS) / (COMPLETE - BEGINS);
    t = t > 0 ? (t < 1 ? t : 1) : 0;
    if (t > 0) {
        invert(m, b);
    }
    for (int k = 0; k < SIX; ++k) {
        out[k] = (float)(t > 0 ? ONE[k] + t * (b[k] - ONE[k]) : ONE[k]);
    }
}

typedef struct pass {
    mo_fluid *fluid;
    const float *u;
    float *rate;
    bool walls_move;
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
        find_matrix(f, row, b);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8 other[4];
            mo_f8_load4(s->u, p.j, other);
            sum += p.slope * ((u[0] - other[0]) * (b[XX] * p.x + b[XY] * p.y + b[XZ] * p.z) +
                              (u[1] - other[1]) * (b[XY] * p.x + b[YY] * p.y + b[YZ] * p.z) +
                              (u[2] - other[2]) * (b[XZ] * p.x + b[YZ] * p.y + b[ZZ] * p.z));
        }
        float rate = mo_f8_sum(sum) + ((u[0] * wall[0] + u[1] * wall[1]) + u[2] * wall[2]);
        s->rate[row] = s->walls_move ? rate - wall[3] : rate;
    }
}

void mo_fluid_corrected_rates(mo_fluid *f, const float *u, bool walls_move, float *rate)
{
    pass s = {.fluid = f, .u = u, .walls_move = walls_move, .rate = rate};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, rate_rows, &s);
}
