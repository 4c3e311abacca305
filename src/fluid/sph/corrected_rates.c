#include "fluid/sph/corrected_rates.h"

/* (d/tr M)^d det M at which the correction begins and is complete. */
static const double BEGINS = 0.2, COMPLETE = 0.4;

/* Relative density below which a row has too few neighbours. */
#define LOOSE 0.8f

typedef struct correction {
    mo_fluid *fluid;
    const float *u;
    float *rate, *difference;
} correction;

/* (y, z, x) in both halves */
MO_INLINE mo_f8 rotate(mo_f8 a)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3, 5, 6, 4, 7);
}

/* Sums over a row in four lanes each, (u_i - u_j)_a V_j grad W_b and x_ab V_j grad W_b, x in
 * fixed-point units. */
typedef struct sums {
    mo_f8 same, next, last;  /* b = a; the next component; the last one */
    mo_f8 squares, products; /* xx yy zz; xy yz zx */
} sums;

MO_INLINE void add_two(const mo_fluid *f, mo_i8 own, mo_f8 u, const correction *c, const int32_t *j,
                       mo_f8 gradient_factor, int m, sums *s)
{
    mo_f8 x = mo_f8_from_i8(mo_i8_less(own, (mo_i8)mo_f8_two4(f->packed, j[2 * m], j[2 * m + 1])));
    mo_f8 way = mo_f8_spread4(gradient_factor, m) * x, next = rotate(way);
    mo_f8 less = u - mo_f8_two4(c->u, j[2 * m], j[2 * m + 1]);
    s->same += way * less;
    s->next += next * less;
    s->last += rotate(next) * less;
    s->squares += way * x;
    s->products += next * x;
}

MO_INLINE void fold(mo_f8 a, double scale, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = scale * (double)(a[k] + a[k + 4]);
    }
}

/* t (M^-1 - 1) : G of a row, from its sums; G_ab + G_ba in `twice` as xy yz zx. */
static double correct(const double m[3], const double n[3], const double same[3],
                      const double twice[3], int dimension)
{
    double z = dimension == 2 ? 1 : m[2], trace = m[0] + m[1] + (dimension == 2 ? 0 : m[2]);
    double yz = m[1] * z - n[1] * n[1], xz = n[1] * n[2] - n[0] * z, xy = n[0] * n[1] - n[2] * m[1];
    double det = m[0] * yz + n[0] * xz + n[2] * xy;
    double part = trace / dimension, even = dimension == 2 ? part * part : part * part * part;
    double t = (det / even - BEGINS) / (COMPLETE - BEGINS);
    if (!(t > 0)) {
        return 0;
    }
    t = t < 1 ? t : 1;
    double inverse = yz * same[0] + (m[0] * z - n[2] * n[2]) * same[1] +
                     (m[0] * m[1] - n[0] * n[0]) * same[2] + xz * twice[0] +
                     (n[0] * n[2] - m[0] * n[1]) * twice[1] + xy * twice[2];
    return t * (inverse / det - (same[0] + same[1] + same[2]));
}

/* The rate without solids of a row, and the difference that A makes. */
static double rate_of_row(const correction *c, int64_t row, double *difference)
{
    const mo_fluid *f = c->fluid;
    const int32_t *index = f->lists->index;
    mo_i8 own = (mo_i8)mo_f8_two4(f->packed, (int32_t)row, (int32_t)row);
    mo_f8 u = mo_f8_two4(c->u, (int32_t)row, (int32_t)row);
    sums s = {{0}, {0}, {0}, {0}, {0}};
    double same[3], next[3], last[3], m[3], n[3];
    for (int64_t at = f->lists->start[row], end = at + f->lists->count[row]; at < end; at += 8) {
        mo_f8 gradient_factor = mo_f8_load(f->gradient_factor + at);
        for (int k = 0; k < 4; ++k) {
            add_two(f, own, u, c, index + at, gradient_factor, k, &s);
        }
    }
    fold(s.same, f->unit, same);
    fold(s.next, f->unit, next);
    fold(s.last, f->unit, last);
    fold(s.squares, -f->unit * f->unit, m);
    fold(s.products, -f->unit * f->unit, n);
    double twice[3] = {next[0] + last[1], next[1] + last[2], next[2] + last[0]};
    *difference = correct(m, n, same, twice, f->dimension);
    return same[0] + same[1] + same[2];
}

static bool surrounded(const mo_fluid *f, int64_t row)
{
    const float *wall = f->wall + 4 * row;
    return wall[0] == 0 && wall[1] == 0 && wall[2] == 0 && f->density[row] >= LOOSE &&
           f->gradient_sum[row] <= MO_FLUID_SURFACE_GRADIENT;
}

static void corrected_rows(void *context, int64_t first, int64_t last)
{
    const correction *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *u = c->u + 4 * row, *wall = f->wall + 4 * row;
        mo_fluid_prefetch(f, row);
        double more, rate = rate_of_row(c, row, &more);
        more = surrounded(f, row) ? more : 0;
        rate += (double)(((u[0] * wall[0] + u[1] * wall[1]) + u[2] * wall[2]) - wall[3]);
        c->rate[row] = (float)(rate + more);
        if (c->difference) {
            c->difference[row] = (float)-more;
        }
    }
}

void mo_fluid_corrected_rates(mo_fluid *f, const float *u, float *rate, float *difference)
{
    correction c = {f, u, rate, difference};
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, corrected_rows, &c);
}
