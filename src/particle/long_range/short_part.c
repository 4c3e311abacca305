#include "particle/long_range/short_part.h"

#include "particle/long_range/sources.h"

enum { GRAIN = 128, SAMPLES = 200 };

static const double PI = 3.14159265358979323846;

/* ---- fit ---- */

/* 2/sqrt(pi) sum (-u)^k/(k! (2 k + first)), times 2 for h: series about 0 */
static double series_at(double u, int first)
{
    double term = first == 3 ? 4 / sqrt(PI) : 2 / sqrt(PI), sum = 0;
    for (int k = 0; k < 30; ++k) {
        sum += term / (2 * k + first);
        term *= -u / (k + 1);
    }
    return sum;
}

static double entire_energy(double u)
{
    double t = sqrt(u);
    return u < 0.5 ? series_at(u, 1) : erf(t) / t;
}

static double entire_force(double u)
{
    double t = sqrt(u);
    return u < 0.5 ? series_at(u, 3) : (erf(t) - 2 * t / sqrt(PI) * exp(-u)) / (t * t * t);
}

/* Chebyshev interpolation with `terms` terms, as powers of z. */
static void interpolate(double (*f)(double), double u_max, int terms, double *c)
{
    double cheb[MO_SHORT_TERMS_MAX] = {0}, a[MO_SHORT_TERMS_MAX] = {1}, b[MO_SHORT_TERMS_MAX] = {0};
    for (int n = 0; n < terms; ++n) {
        double z = cos(PI * (n + 0.5) / terms), value = f(0.5 * u_max * (1 + z));
        for (int k = 0; k < terms; ++k) {
            cheb[k] += (k ? 2.0 : 1.0) / terms * value * cos(PI * k * (n + 0.5) / terms);
        }
    }
    for (int k = 0; k < terms; ++k) {
        c[k] = 0;
    }
    b[1] = 1; /* T_0 = a, T_1 = b as powers */
    for (int n = 0; n < terms; ++n) {
        double next[MO_SHORT_TERMS_MAX] = {0};
        for (int k = 0; k < terms; ++k) {
            c[k] += cheb[n] * a[k];
            next[k] = (k > 0 ? 2 * b[k - 1] : 0) - a[k];
        }
        memcpy(a, b, sizeof a);
        memcpy(b, next, sizeof b);
    }
}

static double series_value(const mo_short_series *s, double z)
{
    double sum = 0;
    for (int k = s->terms - 1; k >= 0; --k) {
        sum = sum * z + s->c[k];
    }
    return sum;
}

/* As few terms as the tolerance allows. Beyond some number rounding in powers of z prevents a
 * better fit: the best is taken. */
static double fit(double (*f)(double), double u_max, double tolerance, mo_short_series *best)
{
    double least = INFINITY;
    for (int terms = 4; terms <= MO_SHORT_TERMS_MAX - 2 && least > tolerance; terms += 2) {
        mo_short_series s = {.terms = terms};
        double worst = 0;
        interpolate(f, u_max, terms, s.c);
        for (int k = 0; k <= SAMPLES; ++k) {
            double z = 2.0 * k / SAMPLES - 1;
            worst = fmax(worst, fabs(series_value(&s, z) - f(0.5 * u_max * (1 + z))));
        }
        if (worst < least) {
            least = worst;
            *best = s;
        }
    }
    return least;
}

mote_status mo_short_part_init(mo_short_part *p, double alpha, double cutoff, double softening,
                               double error_of_pair, mo_memory *memory, mote_error *error)
{
    *p = (mo_short_part){
        .memory = memory, .alpha = alpha, .cutoff = cutoff, .soft_square = softening * softening};
    p->u_max = alpha * alpha * (cutoff * cutoff + p->soft_square);
    double tolerance = error_of_pair / (alpha * alpha * alpha * cutoff);
    double reached = fit(entire_force, p->u_max, tolerance, &p->force);
    fit(entire_energy, p->u_max, 1e-2 * tolerance, &p->energy);
    if (reached > tolerance) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "accuracy: the short part can be evaluated to %.1e only; ask for less",
                       reached * alpha * alpha * alpha * cutoff);
    }
    return MOTE_OK;
}

void mo_short_part_release(mo_short_part *p)
{
    mo_release(p->memory, p->packed);
}

/* ---- pairs ---- */

typedef struct summing {
    mo_short_part *part;
    const mo_long_range_input *in;
    mo_long_range_output *out;
} summing;

static void pack(void *context, int64_t first, int64_t last)
{
    const summing *s = context;
    const mo_pairs *pairs = s->in->pairs;
    for (int64_t k = first; k < last; ++k) {
        double *p = s->part->packed + 4 * k;
        memcpy(p, pairs->x + 3 * k, 3 * sizeof(double));
        p[3] = s->in->charge[mo_pairs_row(pairs, (int32_t)k)];
    }
}

/* Four particles as x, y, z, charge. */
MO_INLINE void load_four(const double *packed, const int32_t *near, mo_d4 out[4])
{
    mo_d4_transpose(
        mo_d4_load(packed + 4 * (int64_t)near[0]), mo_d4_load(packed + 4 * (int64_t)near[1]),
        mo_d4_load(packed + 4 * (int64_t)near[2]), mo_d4_load(packed + 4 * (int64_t)near[3]), out);
}

/* Even and odd powers apart: two shorter chains of operations. */
MO_INLINE mo_d4 evaluate(const mo_short_series *s, mo_d4 z)
{
    mo_d4 z2 = z * z, even = mo_d4_set(s->c[s->terms - 2]), odd = mo_d4_set(s->c[s->terms - 1]);
    for (int k = s->terms - 4; k >= 0; k -= 2) {
        even = even * z2 + s->c[k];
        odd = odd * z2 + s->c[k + 1];
    }
    return even + z * odd;
}

typedef struct row_sums {
    mo_d4 x, y, z, potential, virial, gradient;
} row_sums;

/* Squared distances of four pairs; r^2 outside the cutoff, and of a row with itself, is replaced by
 * 1 and the charge by 0. */
typedef struct four {
    mo_d4 dx, dy, dz, square, soft, q;
} four;

MO_INLINE four load_pairs(const mo_short_part *p, const double *here, const int32_t *near)
{
    mo_d4 other[4], zero = mo_d4_set(0);
    load_four(p->packed, near, other);
    four f = {here[0] - other[0], here[1] - other[1], here[2] - other[2], zero, zero, zero};
    f.square = f.dx * f.dx + f.dy * f.dy + f.dz * f.dz;
    mo_l4 within = (f.square < mo_d4_set(p->cutoff * p->cutoff)) & (f.square > zero);
    f.soft = mo_d4_select(within, f.square + p->soft_square, mo_d4_set(p->cutoff * p->cutoff));
    f.q = mo_d4_select(within, other[3], zero);
    return f;
}

MO_INLINE void add_pairs(const mo_short_part *p, const four *f, mo_d4 y, bool measure, row_sums *t)
{
    double a = p->alpha, cube = a * a * a;
    mo_d4 z = f->soft * (2 * a * a / p->u_max) - 1, y3 = y * y * y;
    mo_d4 pull = f->q * (y3 - cube * evaluate(&p->force, z));
    t->x += pull * f->dx;
    t->y += pull * f->dy;
    t->z += pull * f->dz;
    if (measure) {
        t->potential += f->q * (y - a * evaluate(&p->energy, z));
        t->virial += pull * f->square;
        t->gradient += mo_d4_abs(f->q) * y3;
    }
}

static double total(mo_d4 a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

/* 1/r of eight pairs; lengths are scaled by the cutoff for single precision. */
MO_INLINE void add_eight(const mo_short_part *p, const double *here, const int32_t *near,
                         bool measure, row_sums *t)
{
    double by_cutoff = 1 / p->cutoff;
    four a = load_pairs(p, here, near), b = load_pairs(p, here, near + 4);
    mo_d4 square = mo_d4_set(by_cutoff * by_cutoff), least = mo_d4_set(MO_SOURCES_COINCIDENT);
    mo_d8 y = mo_inverse_root(
        (mo_d8){mo_d4_max(a.soft * square, least), mo_d4_max(b.soft * square, least)});
    add_pairs(p, &a, y.lo * by_cutoff, measure, t);
    add_pairs(p, &b, y.hi * by_cutoff, measure, t);
}

MO_INLINE void add_rows(const summing *s, int64_t first, int64_t last, bool measure,
                        double *partial)
{
    const mo_short_part *p = s->part;
    const mo_pairs *pairs = s->in->pairs;
    partial[0] = partial[1] = 0;
    for (int64_t row = first; row < last; ++row) {
        row_sums t = {0};
        const int32_t *near = pairs->index + pairs->start[row];
        for (int32_t k = 0; k < pairs->count[row]; k += MO_WIDE) {
            add_eight(p, p->packed + 4 * row, near + k, measure, &t);
        }
        double q = s->in->charge[row], *f = s->out->force + 3 * row;
        f[0] += q * total(t.x);
        f[1] += q * total(t.y);
        f[2] += q * total(t.z);
        if (measure) {
            partial[0] += 0.5 * q * total(t.potential);
            partial[1] += 0.5 * q * total(t.virial);
            s->out->gradient[row] = fabs(q) * total(t.gradient);
        }
    }
}

static void add_forces(void *context, int64_t first, int64_t last)
{
    double unused[2];
    add_rows(context, first, last, false, unused);
}

static void add_measures(void *context, int64_t first, int64_t last, double *partial)
{
    add_rows(context, first, last, true, partial);
}

mote_status mo_short_part_add(mo_short_part *p, const mo_long_range_input *in,
                              mo_long_range_output *out, mo_pool *pool, mote_error *error)
{
    summing s = {p, in, out};
    double sums[2];
    MO_TRY(mo_reserve(p->memory, &p->packed, &p->capacity, 4 * in->pairs->particles, sizeof(double),
                      error));
    mo_parallel_for(pool, in->pairs->particles, GRAIN, pack, &s);
    if (!in->measure) {
        mo_parallel_for(pool, in->rows, GRAIN, add_forces, &s);
        return MOTE_OK;
    }
    MO_TRY(mo_parallel_reduce(pool, in->rows, GRAIN, MO_SUM, 2, add_measures, &s, sums, error));
    out->energy += sums[0];
    out->virial += sums[1];
    return MOTE_OK;
}
