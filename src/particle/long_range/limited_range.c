/*
 * The 1/r potential within a limited range, times a weight that goes to zero smoothly (D. Tonnesen
 * 1998, 7.1.4 and (3.12)), so that forces are continuous:
 *     U = q_i q_j w(r)/r,  w = 1 below r_a, 2 s^3 - 3 s^2 + 1 with s = (r - r_a)/(r_b - r_a), 0
 *     above r_b.
 * Particles beyond r_b do not interact: this is another force law, not an approximation of the sum.
 */
#include "math/wide.h"
#include "particle/long_range/long_range.h"

enum { GRAIN = 1024, LANES = 4 };

static const mo_param PARAMS[] = {
    {"r_b", MO_REAL, MO_FIELD(mo_limited_range_params, r_b), .unit = "m", .required = true,
     .range = "(0, inf)", .doc = "Cutoff distance; at most half a period of the domain."},
    {"r_a", MO_REAL, MO_FIELD(mo_limited_range_params, r_a), .unit = "m", .range = "[0, inf)",
     .doc = "Distance at which smooth switching to zero begins; default: 0.8 r_b."},
    {0}};

static mote_status limited_range_check(const void *params, mote_error *error)
{
    const mo_limited_range_params *p = params;
    return p->r_a >= p->r_b
               ? mo_fail(error, MOTE_ERROR_INPUT, "r_a: %g must be below r_b = %g", p->r_a, p->r_b)
               : MOTE_OK;
}

typedef struct limited {
    mo_memory *memory;
    double start, end, soft_square;
} limited;

static mote_status limited_range_create(const void *params, const mo_long_range_setup *setup,
                                        void **instance, double *range, mote_error *error)
{
    const mo_limited_range_params *p = params;
    limited *l = mo_allocate(setup->memory, sizeof *l);
    if (!l) {
        return mo_fail_memory(error, sizeof *l);
    }
    *l = (limited){setup->memory, isnan(p->r_a) ? 0.8 * p->r_b : p->r_a, p->r_b,
                   setup->softening * setup->softening};
    *instance = l;
    *range = p->r_b;
    return MOTE_OK;
}

static void limited_range_destroy(void *instance)
{
    limited *l = instance;
    mo_release(l->memory, l);
}

typedef struct summing {
    const limited *limited;
    const mo_long_range_input *in;
    mo_long_range_output *out;
} summing;

/* Sums of a row: force, potential, virial, |q|/r^3. */
typedef struct row_sums {
    mo_d4 x, y, z, potential, virial, gradient;
} row_sums;

static void add_four(const summing *s, int64_t row, const int32_t *near, row_sums *t)
{
    const limited *l = s->limited;
    const mo_pairs *pairs = s->in->pairs;
    const double *here = pairs->x + 3 * row;
    mo_d4 x, y, z, zero = mo_d4_set(0), one = mo_d4_set(1), q;
    mo_d4_load3(pairs->x, near, &x, &y, &z);
    for (int lane = 0; lane < LANES; ++lane) {
        q[lane] = near[lane] == row ? 0 : s->in->charge[mo_pairs_row(pairs, near[lane])];
    }
    mo_d4 dx = here[0] - x, dy = here[1] - y, dz = here[2] - z;
    mo_d4 square = dx * dx + dy * dy + dz * dz, r = mo_d4_sqrt(square);
    mo_d4 soft = square + l->soft_square;
    mo_l4 within = (r < mo_d4_set(l->end)) & (soft > zero);
    q = mo_d4_select(within, q, zero);
    mo_d4 u = 1 / mo_d4_sqrt(mo_d4_select(within, soft, one)); /* 1/r, softened */
    mo_d4 f = mo_d4_max((r - l->start) / (l->end - l->start), zero);
    mo_d4 w = 1 + f * f * (2 * f - 3);
    /* -(w u)'/r = w u^3 - w' u/r; w' = 6 s (s - 1)/(r_b - r_a), 0 where r is small */
    mo_d4 slope = 6 * f * (f - 1) / (l->end - l->start);
    mo_d4 bend = slope * u / mo_d4_select(f > zero, r, one);
    mo_d4 pull = q * (w * u * u * u - bend);
    t->x += pull * dx;
    t->y += pull * dy;
    t->z += pull * dz;
    t->potential += q * w * u;
    t->virial += pull * square;
    t->gradient += mo_d4_abs(q) * (u * u * u + mo_d4_abs(bend));
}

static double total(mo_d4 a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

static void limited_range_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const summing *s = context;
    const mo_pairs *pairs = s->in->pairs;
    partial[0] = partial[1] = 0;
    for (int64_t row = first; row < last; ++row) {
        row_sums t = {0};
        const int32_t *near = pairs->index + pairs->start[row];
        for (int32_t k = 0; k < pairs->count[row]; k += LANES) {
            add_four(s, row, near + k, &t);
        }
        double q = s->in->charge[row], *f = s->out->force + 3 * row;
        f[0] += q * total(t.x);
        f[1] += q * total(t.y);
        f[2] += q * total(t.z);
        partial[0] += 0.5 * q * total(t.potential);
        partial[1] += 0.5 * q * total(t.virial);
        s->out->gradient[row] = fabs(q) * total(t.gradient);
    }
}

static mote_status limited_range_evaluate(void *instance, const mo_long_range_input *in,
                                          mo_long_range_output *out, mo_pool *pool,
                                          mote_error *error)
{
    summing s = {instance, in, out};
    double sums[2];
    MO_TRY(
        mo_parallel_reduce(pool, in->rows, GRAIN, MO_SUM, 2, limited_range_rows, &s, sums, error));
    out->energy = sums[0];
    out->virial = sums[1];
    return MOTE_OK;
}

const mo_long_range_type mo_long_range_limited_range = {
    .base = {.name = "limited_range",
             .summary = "1/r within a cutoff, switched off smoothly: O(N), for forces that are "
                        "screened beyond it.",
             .citation = "D. Tonnesen 1998, 7.1.4",
             .capabilities = MO_LONG_RANGE_OPEN | MO_LONG_RANGE_PERIODIC | MO_PORTABLE,
             .param_size = sizeof(mo_limited_range_params),
             .params = PARAMS,
             .check = limited_range_check},
    .create = limited_range_create,
    .destroy = limited_range_destroy,
    .evaluate = limited_range_evaluate,
};
