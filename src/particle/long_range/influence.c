#include "particle/long_range/influence.h"

#include <math.h>
#include <string.h>

/* Aliases of a wave in sums that decay as a Gaussian, and in sums of powers of sinc. */
enum { NEAR = 2, NEARS = 2 * NEAR + 1, FAR = 400, SAMPLES = 12 };

static const double PI = 3.14159265358979323846;

double mo_spline_transform(int order, double x)
{
    double sinc = fabs(x) < 1e-8 ? 1 : sin(x) / x, power = 1;
    for (int k = 0; k < order; ++k) {
        power *= sinc;
    }
    return power;
}

/* The sums over aliases of one axis, and its near aliases. */
typedef struct axis_wave {
    double k, d;     /* wave number; that of the derivative, 0 at the Nyquist frequency */
    double u2, k2u2; /* sum U^2, sum k_m^2 U^2 */
    double gauss_u2; /* sum exp(-k_m^2/4a^2) U^2 */
    double alias[NEARS], gauss[NEARS], u[NEARS]; /* k_m, exp(-k_m^2/4a^2), U^2 */
} axis_wave;

/* A wave of `turns` = k h/(2 pi) in [-1/2, 1/2]. */
static void fill_wave(axis_wave *w, double turns, double spacing, double alpha, int order)
{
    memset(w, 0, sizeof *w);
    w->k = 2 * PI * turns / spacing;
    w->d = fabs(turns) < 0.5 ? w->k : 0;
    for (int m = -FAR; m <= FAR; ++m) {
        double u = mo_spline_transform(order, PI * (turns + m)), k = 2 * PI * (turns + m) / spacing;
        w->u2 += u * u;
        w->k2u2 += k * k * u * u;
        if (m >= -NEAR && m <= NEAR) {
            double g = exp(-k * k / (4 * alpha * alpha));
            w->alias[m + NEAR] = k;
            w->gauss[m + NEAR] = g;
            w->u[m + NEAR] = u * u;
            w->gauss_u2 += g * u * u;
        }
    }
}

/* Of one wave: G, the residual of the error, sum U^2, and the sum of g over its aliases. */
typedef struct wave_result {
    double g, residual, u2, reference;
} wave_result;

static wave_result optimal(const axis_wave *x, const axis_wave *y, const axis_wave *z, bool ad)
{
    double fields = 0, dotted = 0, reference = 0;
    double d2 = x->d * x->d + y->d * y->d + z->d * z->d;
    for (int a = 0; a < NEARS; ++a) {
        for (int b = 0; b < NEARS; ++b) {
            double gauss_ab = x->gauss[a] * y->gauss[b];
            if (gauss_ab < 1e-30) {
                continue;
            }
            for (int c = 0; c < NEARS; ++c) {
                double kx = x->alias[a], ky = y->alias[b], kz = z->alias[c];
                double square = kx * kx + ky * ky + kz * kz;
                double g = 4 * PI / square * gauss_ab * z->gauss[c];
                fields += square * g * g;
                reference += g;
                dotted += x->u[a] * y->u[b] * z->u[c] * (x->d * kx + y->d * ky + z->d * kz) * g;
            }
        }
    }
    double u2 = x->u2 * y->u2 * z->u2;
    if (!ad) {
        bool none = d2 == 0;
        return (wave_result){none ? 0 : dotted / (d2 * u2 * u2),
                             fields - (none ? 0 : dotted * dotted / (d2 * u2 * u2)), u2, reference};
    }
    double top = 4 * PI * x->gauss_u2 * y->gauss_u2 * z->gauss_u2;
    double k2u2 = x->k2u2 * y->u2 * z->u2 + x->u2 * y->k2u2 * z->u2 + x->u2 * y->u2 * z->k2u2;
    return (wave_result){top / (u2 * k2u2), fields - top * top / (u2 * k2u2), u2, reference};
}

typedef struct filling {
    const mo_influence_def *def;
    mo_influence *influence;
    const axis_wave *axis[3];
    double volume;
} filling;

static void fill_plane(const filling *f, int z, double sums[3])
{
    const int *n = f->def->n;
    int width = n[0] / 2 + 1;
    for (int y = 0; y < n[1]; ++y) {
        for (int x = 0; x < width; ++x) {
            bool mean = x == 0 && y == 0 && z == 0;
            wave_result r = {0};
            if (!mean) {
                r = optimal(&f->axis[0][x], &f->axis[1][y], &f->axis[2][z], f->def->ad);
            }
            double twice = x > 0 && 2 * x < n[0] ? 2 : 1; /* also for -k */
            f->influence->g[((int64_t)z * n[1] + y) * width + x] = r.g / f->volume;
            sums[0] += twice * fmax(r.residual, 0);
            sums[1] += twice * r.g * r.u2;
            sums[2] += twice * r.reference;
        }
    }
}

mote_status mo_influence_fill(const mo_influence_def *def, mo_memory *memory,
                              mo_influence *influence, mote_error *error)
{
    filling f = {.def = def, .influence = influence};
    void *block;
    double sums[3] = {0}, volume = def->period[0] * def->period[1] * def->period[2];
    int64_t total = (int64_t)def->n[0] + def->n[1] + def->n[2];
    f.volume = volume;
    MO_TRY(mo_allocate_array(memory, total, sizeof(axis_wave), &block, error));
    axis_wave *next = block;
    for (int d = 0; d < 3; ++d) {
        f.axis[d] = next;
        for (int k = 0; k < def->n[d]; ++k, ++next) {
            double turns = (double)(2 * k <= def->n[d] ? k : k - def->n[d]) / def->n[d];
            fill_wave(next, turns, def->period[d] / def->n[d], def->alpha, def->order);
        }
    }
    for (int z = 0; z < def->n[2]; ++z) {
        fill_plane(&f, z, sums);
    }
    mo_release(memory, block);
    influence->square_error = sums[0] / (volume * volume);
    influence->self = sums[1] / volume;
    influence->reference = sums[2] / volume;
    return MOTE_OK;
}

/* The sum over waves becomes V/(2 pi)^3 times an integral over a cube, here by the midpoint rule in
 * one eighth of it; with a = 1. */
double mo_influence_limit(int order, bool ad, double spacing)
{
    axis_wave wave[SAMPLES];
    double sum = 0, width = PI / spacing / SAMPLES;
    for (int k = 0; k < SAMPLES; ++k) {
        fill_wave(&wave[k], 0.5 * (k + 0.5) / SAMPLES, spacing, 1, order);
    }
    for (int a = 0; a < SAMPLES; ++a) {
        for (int b = 0; b < SAMPLES; ++b) {
            for (int c = 0; c < SAMPLES; ++c) {
                sum += fmax(optimal(&wave[a], &wave[b], &wave[c], ad).residual, 0);
            }
        }
    }
    return 8 * sum * width * width * width / (8 * PI * PI * PI);
}
