/*
 * Direct summation over all pairs of an open domain, O(N^2) (D. Tonnesen 1998, 7.1.1):
 *     f_i = q_i sum_j q_j (x_i - x_j)/(r^2 + softening^2)^(3/2).
 * A row sums its own forces, over tiles of sources that fit the first-level cache, in double
 * (sources.h) or single precision (split.h). Energies are always summed in double precision.
 */
#include "particle/long_range/long_range.h"
#include "particle/long_range/scaled.h"
#include "particle/long_range/sources.h"
#include "particle/long_range/split.h"

enum { TILE = 1024, GRAIN = 128 };

static const mo_param PARAMS[] = {
    {"precision", MO_STRING, MO_FIELD(mo_direct_params, precision), .initial = "\"double\"",
     .choices = "double|single",
     .doc = "Of the sums of forces. single: relative error of about 1e-7, several times faster."},
    {0},
};

typedef struct direct {
    mo_memory *memory;
    double softening;
    bool single;
    mo_scaled points;
    mo_split split; /* single precision only */
} direct;

static mote_status direct_create(const void *params, const mo_long_range_setup *setup,
                                 void **instance, double *range, mote_error *error)
{
    const mo_direct_params *p = params;
    direct *d = mo_allocate(setup->memory, sizeof *d);
    if (!d) {
        return mo_fail_memory(error, sizeof *d);
    }
    *d = (direct){.memory = setup->memory, .softening = setup->softening};
    d->single = p && strcmp(p->precision, "single") == 0;
    d->points.memory = d->split.memory = setup->memory;
    *instance = d;
    *range = 0;
    return MOTE_OK;
}

static void direct_destroy(void *instance)
{
    direct *d = instance;
    mo_split_release(&d->split);
    mo_scaled_release(&d->points);
    mo_release(d->memory, d);
}

typedef struct summing {
    const direct *direct;
    mo_long_range_output *out;
    double soft_square; /* scaled */
} summing;

MO_INLINE void sum_tiles(const summing *s, int64_t first, int64_t last, bool measure,
                         mo_source_sums *sums)
{
    const mo_scaled *p = &s->direct->points;
    const mo_sources all = {p->x, p->y, p->z, p->q, p->padded};
    for (int64_t tile = 0; tile < all.count; tile += TILE) {
        int64_t end = tile + TILE < all.count ? tile + TILE : all.count;
        for (int64_t row = first; row < last; ++row) {
            const double at[3] = {p->x[row], p->y[row], p->z[row]};
            mo_sources_add(&all, tile, end, at, s->soft_square, measure, &sums[row - first]);
        }
    }
}

static void direct_forces(void *context, int64_t first, int64_t last)
{
    const summing *s = context;
    const mo_scaled *p = &s->direct->points;
    mo_source_sums sums[GRAIN];
    memset(sums, 0, (size_t)(last - first) * sizeof *sums);
    sum_tiles(s, first, last, false, sums);
    for (int64_t row = first; row < last; ++row) {
        const mo_source_sums *t = &sums[row - first];
        double *f = s->out->force + 3 * row, q = p->q[row] * p->scale * p->scale;
        f[0] += q * mo_d8_total(t->x);
        f[1] += q * mo_d8_total(t->y);
        f[2] += q * mo_d8_total(t->z);
    }
}

static void direct_single_forces(void *context, int64_t first, int64_t last)
{
    const summing *s = context;
    const mo_scaled *p = &s->direct->points;
    const mo_split *split = &s->direct->split;
    float soft = fmaxf((float)s->soft_square, MO_SPLIT_LEAST);
    double sums[GRAIN][3], unit = split->charge * p->scale * p->scale;
    memset(sums, 0, (size_t)(last - first) * sizeof *sums);
    for (int64_t tile = 0; tile < split->padded; tile += TILE) {
        int64_t end = tile + TILE < split->padded ? tile + TILE : split->padded;
        for (int64_t row = first; row < last; ++row) {
            mo_split_add(split, tile, end, row, soft, sums[row - first]);
        }
    }
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            s->out->force[3 * row + k] += p->q[row] * unit * sums[row - first][k];
        }
    }
}

/* Half of each pair for each of its rows; with softening the sum over j has a term for i itself. */
static void direct_measures(void *context, int64_t first, int64_t last, double *partial)
{
    const summing *s = context;
    const mo_scaled *p = &s->direct->points;
    mo_source_sums sums[GRAIN];
    memset(sums, 0, (size_t)(last - first) * sizeof *sums);
    sum_tiles(s, first, last, true, sums);
    partial[0] = partial[1] = 0;
    bool own = s->soft_square > MO_SOURCES_COINCIDENT;
    double at_zero = own ? 1 / sqrt(s->soft_square) : 0;
    for (int64_t row = first; row < last; ++row) {
        const mo_source_sums *t = &sums[row - first];
        double q = p->q[row];
        partial[0] += 0.5 * q * (mo_d8_total(t->potential) - q * at_zero) * p->scale;
        partial[1] += 0.5 * q * mo_d8_total(t->virial) * p->scale;
        double cube = at_zero * at_zero * at_zero, size = fabs(q);
        s->out->gradient[row] =
            size * (mo_d8_total(t->gradient) - size * cube) * p->scale * p->scale * p->scale;
    }
}

static mote_status direct_evaluate(void *instance, const mo_long_range_input *in,
                                   mo_long_range_output *out, mo_pool *pool, mote_error *error)
{
    direct *d = instance;
    MO_TRY(mo_scaled_fit(&d->points, in->rows, in->x, pool, error));
    MO_TRY(mo_scaled_fill(&d->points, in->x, in->charge, NULL, pool, error));
    double soft = d->softening * d->points.scale, sums[2];
    summing s = {d, out, soft * soft};
    if (!in->measure && d->single) {
        MO_TRY(mo_split_fill(&d->split, &d->points, pool, error));
        mo_parallel_for(pool, in->rows, GRAIN, direct_single_forces, &s);
        return MOTE_OK;
    }
    if (!in->measure) {
        mo_parallel_for(pool, in->rows, GRAIN, direct_forces, &s);
        return MOTE_OK;
    }
    MO_TRY(mo_parallel_reduce(pool, in->rows, GRAIN, MO_SUM, 2, direct_measures, &s, sums, error));
    out->energy = sums[0];
    out->virial = sums[1];
    return MOTE_OK;
}

const mo_long_range_type mo_long_range_direct = {
    .base = {.name = "direct",
             .summary = "Direct summation over all pairs, for open domains: exact, O(N^2).",
             .citation = "D. Tonnesen 1998, 7.1.1",
             .capabilities = MO_LONG_RANGE_OPEN | MO_PORTABLE,
             .params = PARAMS,
             .param_size = sizeof(mo_direct_params)},
    .create = direct_create,
    .destroy = direct_destroy,
    .evaluate = direct_evaluate,
};
