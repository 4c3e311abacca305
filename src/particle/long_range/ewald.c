/*
 * Ewald's sum in a periodic box (P. P. Ewald 1921; notation of M. Deserno, C. Holm 1998, (2)-(8)),
 * with conducting surroundings, converged to a tolerance: the reference for the mesh methods.
 *     E = 1/2 sum_ij q_i q_j erfc(a r)/r                       nearest images, r < cutoff
 *       + 1/(2 V) sum_k 4 pi/k^2 exp(-k^2/4a^2) |S(k)|^2,      S = sum q exp(-i k x)
 *       - a/sqrt(pi) sum q^2 - pi/(2 V a^2) (sum q)^2.
 * With t = sqrt(-ln tolerance), cutoff c = half the shortest period, a = t/c and k <= 2 a t both
 * truncations are below the tolerance, relative to the force of one charge at the cutoff. The cost
 * is O(N^2) for the pairs and O(N) for the waves, whose number does not depend on N.
 */
#include "particle/long_range/long_range.h"

#include <complex.h>
#include <math.h>

enum { GRAIN = 64, WAVES_MAX = 256 };

static const double PI = 3.14159265358979323846;

typedef struct ewald {
    double tolerance;
} ewald;

static const mo_param PARAMS[] = {{"tolerance", MO_REAL, MO_FIELD(ewald, tolerance),
                                   .initial = "1e-13", .range = "[1e-15, 0.1]",
                                   .doc = "Truncation error of both sums."},
                                  {0}};

typedef struct wave {
    int n[3];
    double k[3], weight; /* 4 pi/(V k^2) exp(-k^2/4a^2), twice: also for -k */
    double complex sum;  /* S(k) */
} wave;

typedef struct sums {
    mo_memory *memory;
    mo_domain domain;
    double alpha, cutoff, soft_square, square_sum;
    int most[3]; /* largest index of a wave along each axis */
    int64_t count, phase_capacity;
    wave *waves;
    double complex *phases; /* exp(-i 2 pi n x/L): (most + 1) per axis and row */
} sums;

static void ewald_destroy(void *instance)
{
    sums *s = instance;
    mo_release(s->memory, s->waves);
    mo_release(s->memory, s->phases);
    mo_release(s->memory, s);
}

/* The waves of a half space, or their number (waves NULL). */
static int64_t list_waves(const sums *s, double k_most, wave *waves)
{
    int64_t count = 0;
    double volume = mo_domain_volume(&s->domain);
    for (int a = 0; a <= s->most[0]; ++a) {
        for (int b = a == 0 ? 0 : -s->most[1]; b <= s->most[1]; ++b) {
            for (int c = a == 0 && b == 0 ? 1 : -s->most[2]; c <= s->most[2]; ++c) {
                wave w = {.n = {a, b, c}};
                double square = 0;
                for (int d = 0; d < 3; ++d) {
                    w.k[d] = 2 * PI * w.n[d] / mo_domain_period(&s->domain, d);
                    square += w.k[d] * w.k[d];
                }
                if (square <= k_most * k_most) {
                    w.weight =
                        8 * PI / (volume * square) * exp(-square / (4 * s->alpha * s->alpha));
                    if (waves) {
                        waves[count] = w;
                    }
                    ++count;
                }
            }
        }
    }
    return count;
}

static mote_status set_up(sums *s, double tolerance, mote_error *error)
{
    double t = sqrt(-log(tolerance)), shortest = INFINITY;
    void *waves;
    for (int d = 0; d < 3; ++d) {
        shortest = fmin(shortest, mo_domain_period(&s->domain, d));
    }
    s->cutoff = 0.5 * shortest;
    s->alpha = t / s->cutoff;
    double k_most = 2 * s->alpha * t;
    for (int d = 0; d < 3; ++d) {
        double most = ceil(k_most * mo_domain_period(&s->domain, d) / (2 * PI));
        if (most > WAVES_MAX) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "ewald: the periods differ too much, %g waves along %c are needed; "
                           "allowed: %d; use p3m",
                           most, 'x' + d, WAVES_MAX);
        }
        s->most[d] = (int)most;
    }
    s->count = list_waves(s, k_most, NULL);
    MO_TRY(mo_allocate_array(s->memory, s->count, sizeof(wave), &waves, error));
    s->waves = waves;
    list_waves(s, k_most, s->waves);
    return MOTE_OK;
}

static mote_status ewald_create(const void *params, const mo_long_range_setup *setup,
                                void **instance, double *range, mote_error *error)
{
    sums *s = mo_allocate(setup->memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    s->memory = setup->memory;
    s->domain = setup->domain;
    s->soft_square = setup->softening * setup->softening;
    mote_status status = set_up(s, ((const ewald *)params)->tolerance, error);
    if (status != MOTE_OK) {
        ewald_destroy(s);
        return status;
    }
    *instance = s;
    *range = 0;
    return MOTE_OK;
}

typedef struct evaluation {
    sums *sums;
    const mo_long_range_input *in;
    mo_long_range_output *out;
} evaluation;

static double complex *phases_of(const sums *s, int64_t row, int axis)
{
    int64_t a = s->most[0] + 1, b = s->most[1] + 1, c = s->most[2] + 1;
    return s->phases + row * (a + b + c) + (axis > 0 ? a : 0) + (axis > 1 ? b : 0);
}

static void find_phases(void *context, int64_t first, int64_t last)
{
    const evaluation *e = context;
    for (int64_t row = first; row < last; ++row) {
        for (int d = 0; d < 3; ++d) {
            double complex *p = phases_of(e->sums, row, d);
            double turns = (e->in->x[3 * row + d] - e->sums->domain.low[d]) /
                           mo_domain_period(&e->sums->domain, d);
            turns -= floor(turns);
            for (int n = 0; n <= e->sums->most[d]; ++n) {
                double a = 2 * PI * fmod(n * turns, 1);
                p[n] = cos(a) - I * sin(a);
            }
        }
    }
}

/* exp(-i k x) of a row. */
static double complex phase_of(const sums *s, const wave *w, int64_t row)
{
    double complex p = phases_of(s, row, 0)[w->n[0]];
    for (int d = 1; d < 3; ++d) {
        double complex f = phases_of(s, row, d)[w->n[d] < 0 ? -w->n[d] : w->n[d]];
        p *= w->n[d] < 0 ? conj(f) : f;
    }
    return p;
}

static void find_structure(void *context, int64_t first, int64_t last, double *partial)
{
    const evaluation *e = context;
    partial[0] = partial[1] = 0;
    for (int64_t k = first; k < last; ++k) {
        wave *w = &e->sums->waves[k];
        w->sum = 0;
        for (int64_t row = 0; row < e->in->rows; ++row) {
            w->sum += e->in->charge[row] * phase_of(e->sums, w, row);
        }
        double energy = 0.5 * w->weight * creal(w->sum * conj(w->sum));
        double square = w->k[0] * w->k[0] + w->k[1] * w->k[1] + w->k[2] * w->k[2];
        partial[0] += energy;
        partial[1] += energy * (1 - square / (2 * e->sums->alpha * e->sums->alpha));
    }
}

/* Short part of the pairs of a row; partial as above. */
static void add_pairs(const evaluation *e, int64_t row, double *f, double *partial)
{
    const sums *s = e->sums;
    const double *x = e->in->x, q = e->in->charge[row];
    double gradient = 0;
    for (int64_t other = 0; other < e->in->rows; ++other) {
        double d[3], square = 0;
        for (int k = 0; k < 3; ++k) {
            d[k] = mo_domain_nearest(&s->domain, k, x[3 * row + k] - x[3 * other + k]);
            square += d[k] * d[k];
        }
        if (other == row || square >= s->cutoff * s->cutoff || square + s->soft_square == 0) {
            continue;
        }
        double r = sqrt(square + s->soft_square), t = s->alpha * r, both = q * e->in->charge[other];
        double potential = both * erfc(t) / r;
        double pull =
            (potential + both * 2 * s->alpha / sqrt(PI) * exp(-t * t)) / (square + s->soft_square);
        for (int k = 0; k < 3; ++k) {
            f[k] += pull * d[k];
        }
        partial[0] += 0.5 * potential;
        partial[1] += 0.5 * pull * square;
        gradient += fabs(both) / (r * r * r);
    }
    e->out->gradient[row] = gradient;
}

static void find_forces(void *context, int64_t first, int64_t last, double *partial)
{
    const evaluation *e = context;
    partial[0] = partial[1] = 0;
    for (int64_t row = first; row < last; ++row) {
        double f[3] = {0}, q = e->in->charge[row];
        add_pairs(e, row, f, partial);
        for (int64_t k = 0; k < e->sums->count; ++k) {
            const wave *w = &e->sums->waves[k];
            double part = -w->weight * q * cimag(phase_of(e->sums, w, row) * conj(w->sum));
            for (int d = 0; d < 3; ++d) {
                f[d] += part * w->k[d];
            }
        }
        for (int d = 0; d < 3; ++d) {
            e->out->force[3 * row + d] += f[d];
        }
    }
}

static mote_status ewald_evaluate(void *instance, const mo_long_range_input *in,
                                  mo_long_range_output *out, mo_pool *pool, mote_error *error)
{
    sums *s = instance;
    evaluation e = {s, in, out};
    double waves[2], pairs[2], net = 0, squares = 0;
    int64_t phases = s->most[0] + s->most[1] + s->most[2] + 3;
    MO_TRY(mo_reserve(s->memory, &s->phases, &s->phase_capacity, in->rows * phases,
                      sizeof(double complex), error));
    mo_parallel_for(pool, in->rows, GRAIN, find_phases, &e);
    MO_TRY(mo_parallel_reduce(pool, s->count, GRAIN, MO_SUM, 2, find_structure, &e, waves, error));
    MO_TRY(mo_parallel_reduce(pool, in->rows, GRAIN, MO_SUM, 2, find_forces, &e, pairs, error));
    for (int64_t row = 0; row < in->rows; ++row) {
        net += in->charge[row];
        squares += in->charge[row] * in->charge[row];
    }
    double background = PI * net * net / (2 * mo_domain_volume(&s->domain) * s->alpha * s->alpha);
    out->energy = waves[0] + pairs[0] - s->alpha / sqrt(PI) * squares - background;
    out->virial = waves[1] + pairs[1] - 3 * background;
    return MOTE_OK;
}

const mo_long_range_type mo_long_range_ewald = {
    .base = {.name = "ewald",
             .summary = "Ewald's sum in a periodic box, converged: the reference for mesh methods.",
             .citation = "P. P. Ewald 1921, Ann. Phys. 369, 253",
             .capabilities = MO_LONG_RANGE_PERIODIC,
             .param_size = sizeof(ewald),
             .params = PARAMS},
    .create = ewald_create,
    .destroy = ewald_destroy,
    .evaluate = ewald_evaluate,
};
