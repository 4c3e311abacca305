#include "analysis/probe.h"

#include "math/symmetric.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* NEAR_MAX: neighbours of a position; a support of six spacings has 905 in three dimensions. */
enum { GRAIN = 64, NEAR_MAX = 4096, FIELD_MAX = MO_PROBE_FIELD_MAX, FIT_MAX = 10 };

mote_status mo_probe_check(mo_difference form, mo_probe_correction correction, mote_error *error)
{
    return correction == MO_PROBE_LEAST_SQUARES && form != MO_DIFFERENCE
               ? mo_fail(error, MOTE_ERROR_INPUT,
                         "correction: 'least_squares' is a fit of differences; with another form "
                         "choose 'shepard' or 'none'")
               : MOTE_OK;
}

/* ---- neighbours of a position ---- */

/* d = x - x_j, its length, W and V_j. */
typedef struct neighbor {
    mo_vec3 d;
    double r, w, volume;
    int32_t row;
} neighbor;

/* The neighbours of a position within the support; -1: too many. */
static int64_t gather(const mo_probe *p, mo_vec3 x, int32_t *rows)
{
    int64_t found = mo_search_near(p->search, 0, x, p->kernel.support, rows, NEAR_MAX);
    return found <= NEAR_MAX ? found : -1;
}

/* From the nearest image of a particle. */
static mo_vec3 offset_of(const mo_probe *p, mo_vec3 x, int32_t row)
{
    const double *other = p->x + 3 * (int64_t)row;
    return mo_vec3_make(mo_domain_nearest(&p->domain, 0, x.x - other[0]),
                        mo_domain_nearest(&p->domain, 1, x.y - other[1]),
                        mo_domain_nearest(&p->domain, 2, x.z - other[2]));
}

static neighbor neighbor_at(const mo_probe *p, mo_vec3 x, int32_t row)
{
    neighbor n = {offset_of(p, x, row), .row = row, .volume = p->mass[row] / p->density[row]};
    n.r = mo_length(n.d);
    n.w = mo_kernel_w(&p->kernel, n.r);
    return n;
}

typedef struct counting {
    const mo_probe *probe;
    double *density;
} counting;

static void density_rows(void *context, int64_t first, int64_t last)
{
    const counting *c = context;
    const mo_probe *p = c->probe;
    int32_t rows[NEAR_MAX];
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 x = mo_vec3_load(p->x + 3 * row);
        int64_t count = gather(p, x, rows);
        double sum = 0;
        for (int64_t k = 0; k < count; ++k) {
            double r = mo_length(offset_of(p, x, rows[k]));
            sum += p->mass[rows[k]] * mo_kernel_w(&p->kernel, r);
        }
        c->density[row] = sum;
    }
}

mote_status mo_probe_create(mo_probe *p, mote_error *error)
{
    int set;
    mo_method grid = {mo_family_find(&mo_searches, "grid"), NULL};
    MO_TRY(mo_search_create(grid, &p->domain, p->memory, &p->search, error));
    return mo_search_add_set(p->search, p->kernel.support, &set, error);
}

void mo_probe_release(mo_probe *p)
{
    mo_search_destroy(p->search);
    mo_release(p->memory, p->own);
    p->search = NULL;
    p->own = NULL;
}

mote_status mo_probe_set(mo_probe *p, int64_t rows, const double *x, const double *mass,
                         const double *density, mote_error *error)
{
    p->rows = rows;
    p->x = x;
    p->mass = mass;
    p->density = density;
    MO_TRY(mo_search_build(p->search, &(mo_search_set){rows, x}, p->pool, error));
    if (mass && density) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(p->memory, &p->own, &p->own_capacity, 2 * rows + 1, sizeof *p->own, error));
    for (int64_t row = 0; row < rows; ++row) {
        p->own[row] = 1;
    }
    p->mass = p->own;
    p->density = p->own + rows;
    counting c = {p, p->own + rows};
    mo_parallel_for(p->pool, rows, GRAIN, density_rows, &c);
    return MOTE_OK;
}

/* ---- sums at a position ---- */

typedef struct sampling {
    const mo_probe *probe;
    mo_probe_operator operation;
    int components, size;
    const double *field;
    mo_probe_position *position;
    const void *context;
    double *out;
    atomic_bool overfull;
} sampling;

typedef struct sums {
    mo_vec3 x;
    int64_t count;
    int32_t rows[NEAR_MAX];
    double weight, density;
    double value[FIELD_MAX];
    double gradient[3 * FIELD_MAX]; /* dA_a/dx_b at 3 a + b */
    double laplacian[FIELD_MAX];
} sums;

static const double *field_of(const sampling *s, int32_t row)
{
    return s->field + (int64_t)s->components * row;
}

static void interpolate(const sampling *s, sums *at)
{
    const mo_probe *p = s->probe;
    for (int64_t k = 0; k < at->count; ++k) {
        neighbor n = neighbor_at(p, at->x, at->rows[k]);
        const double *a = field_of(s, n.row);
        at->weight += n.volume * n.w;
        at->density += p->mass[n.row] * n.w;
        for (int c = 0; c < s->components && s->operation != MO_PROBE_WEIGHT; ++c) {
            at->value[c] += n.volume * n.w * a[c];
        }
    }
    double scale = p->correction == MO_PROBE_UNCORRECTED ? 1 : 1 / at->weight;
    for (int c = 0; c < s->components; ++c) {
        at->value[c] *= at->weight > 0 ? scale : 0;
    }
}

/* The factor of grad W of a component. */
static double difference_of(const sampling *s, const sums *at, const neighbor *n, int c)
{
    double density = s->probe->density[n->row], a = field_of(s, n->row)[c];
    switch (s->probe->form) {
    case MO_PLAIN:
        return n->volume * a;
    case MO_DIFFERENCE:
        return n->volume * (a - at->value[c]);
    default:
        return at->density * s->probe->mass[n->row] *
               (at->value[c] / (at->density * at->density) + a / (density * density));
    }
}

static void derive(const sampling *s, sums *at)
{
    const mo_probe *p = s->probe;
    bool divided = p->form == MO_DIFFERENCE && p->correction == MO_PROBE_SHEPARD;
    double scale = divided && at->weight > 0 ? 1 / at->weight : 1;
    for (int64_t k = 0; k < at->count; ++k) {
        neighbor n = neighbor_at(p, at->x, at->rows[k]);
        mo_vec3 gradient = mo_scale(scale * mo_kernel_gradient(&p->kernel, n.r), n.d);
        for (int c = 0; c < s->components; ++c) {
            double a = difference_of(s, at, &n, c);
            at->gradient[3 * c] += a * gradient.x;
            at->gradient[3 * c + 1] += a * gradient.y;
            at->gradient[3 * c + 2] += a * gradient.z;
        }
    }
}

/* By second derivatives of the kernel. */
static void derive_twice(const sampling *s, sums *at)
{
    const mo_probe *p = s->probe;
    for (int64_t k = 0; k < at->count; ++k) {
        neighbor n = neighbor_at(p, at->x, at->rows[k]);
        double second = n.volume * mo_kernel_laplacian(&p->kernel, n.r);
        for (int c = 0; c < s->components; ++c) {
            double base = p->form == MO_DIFFERENCE ? at->value[c] : 0;
            at->laplacian[c] += second * (field_of(s, n.row)[c] - base);
        }
    }
}

/* ---- least squares ---- */

/* The linear fit about the weighted mean of the neighbours' positions. */
static void fit_linear(const sampling *s, sums *at)
{
    const mo_probe *p = s->probe;
    mo_vec3 mean = mo_vec3_make(0, 0, 0);
    double m[6] = {0}, right[FIELD_MAX][3] = {{0}};
    for (int64_t k = 0; k < at->count; ++k) {
        neighbor n = neighbor_at(p, at->x, at->rows[k]);
        mean = mo_add_scaled(mean, -n.volume * n.w / at->weight, n.d);
    }
    for (int64_t k = 0; k < at->count; ++k) {
        neighbor n = neighbor_at(p, at->x, at->rows[k]);
        mo_vec3 e = mo_scale(-1, mo_add(n.d, mean)), f = mo_scale(n.volume * n.w, e);
        const double more[6] = {f.x * e.x, f.y * e.y, f.z * e.z, f.x * e.y, f.x * e.z, f.y * e.z};
        for (int i = 0; i < 6; ++i) {
            m[i] += more[i];
        }
        for (int c = 0; c < s->components; ++c) {
            double a = field_of(s, n.row)[c] - at->value[c];
            right[c][0] += f.x * a;
            right[c][1] += f.y * a;
            right[c][2] += f.z * a;
        }
    }
    for (int c = 0; c < s->components; ++c) {
        mo_symmetric_solve(m, right[c], at->gradient + 3 * c);
        at->value[c] -= mo_dot(mean, mo_vec3_load(at->gradient + 3 * c));
    }
}

/* 1, x, y, z, x^2, y^2, z^2, xy, xz, yz of lengths in supports. */
static void monomials(mo_vec3 d, double f[FIT_MAX])
{
    const double values[FIT_MAX] = {1,         d.x,       d.y,       d.z,       d.x * d.x,
                                    d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
    memcpy(f, values, sizeof values);
}

/* M f = b of a positive semidefinite matrix by LDL^T; undetermined unknowns are 0. */
static void solve_fit(double m[FIT_MAX][FIT_MAX], int columns, double b[][FIT_MAX])
{
    double inverse[FIT_MAX];
    for (int i = 0; i < FIT_MAX; ++i) {
        double before = m[i][i];
        for (int j = 0; j < i; ++j) {
            for (int k = 0; k < j; ++k) {
                m[i][j] -= m[i][k] * m[j][k] * (inverse[k] > 0 ? 1 / inverse[k] : 0);
            }
            m[i][j] *= inverse[j];
        }
        for (int k = 0; k < i; ++k) {
            m[i][i] -= m[i][k] * m[i][k] * (inverse[k] > 0 ? 1 / inverse[k] : 0);
        }
        inverse[i] = m[i][i] > 1e-9 * before && before > 1e-12 ? 1 / m[i][i] : 0;
    }
    for (int c = 0; c < columns; ++c) {
        for (int i = 0; i < FIT_MAX; ++i) {
            for (int k = 0; k < i; ++k) {
                b[c][i] -= m[i][k] * b[c][k];
            }
        }
        for (int i = FIT_MAX - 1; i >= 0; --i) {
            b[c][i] *= inverse[i];
            for (int k = i + 1; k < FIT_MAX; ++k) {
                b[c][i] -= m[k][i] * b[c][k];
            }
        }
    }
}

static void fit_quadratic(const sampling *s, sums *at)
{
    const mo_probe *p = s->probe;
    double m[FIT_MAX][FIT_MAX] = {{0}}, b[FIELD_MAX][FIT_MAX] = {{0}}, f[FIT_MAX];
    for (int64_t k = 0; k < at->count; ++k) {
        neighbor n = neighbor_at(p, at->x, at->rows[k]);
        double w = n.volume * n.w;
        monomials(mo_scale(-p->kernel.inverse, n.d), f);
        for (int i = 0; i < FIT_MAX; ++i) {
            for (int j = 0; j <= i; ++j) {
                m[i][j] += w * f[i] * f[j];
            }
            for (int c = 0; c < s->components; ++c) {
                b[c][i] += w * f[i] * (field_of(s, n.row)[c] - at->value[c]);
            }
        }
    }
    solve_fit(m, s->components, b);
    for (int c = 0; c < s->components; ++c) {
        double square = p->kernel.inverse * p->kernel.inverse;
        at->laplacian[c] = 2 * square * (b[c][4] + b[c][5] + b[c][6]);
    }
}

/* ---- operators ---- */

static void fill_result(const sampling *s, const sums *at, double *out)
{
    const double *g = at->gradient;
    switch (s->operation) {
    case MO_PROBE_VALUE:
        memcpy(out, at->value, (size_t)s->size * sizeof *out);
        break;
    case MO_PROBE_GRADIENT:
        memcpy(out, g, (size_t)s->size * sizeof *out);
        break;
    case MO_PROBE_DIVERGENCE:
        out[0] = g[0] + g[4] + g[8];
        break;
    case MO_PROBE_CURL:
        out[0] = g[7] - g[5];
        out[1] = g[2] - g[6];
        out[2] = g[3] - g[1];
        break;
    case MO_PROBE_LAPLACIAN:
        memcpy(out, at->laplacian, (size_t)s->size * sizeof *out);
        break;
    default:
        out[0] = at->weight;
    }
}

/* Second derivatives of a Shepard interpolation are too noisy; they are fitted as well. */
static bool is_fitted(const sampling *s)
{
    bool second = s->operation == MO_PROBE_LAPLACIAN && s->probe->form == MO_DIFFERENCE;
    return s->probe->correction == MO_PROBE_LEAST_SQUARES ||
           (second && s->probe->correction == MO_PROBE_SHEPARD);
}

static void compute(const sampling *s, sums *at)
{
    bool fitted = is_fitted(s), second = s->operation == MO_PROBE_LAPLACIAN;
    interpolate(s, at);
    if (s->operation == MO_PROBE_WEIGHT || !(at->weight > 0)) {
        return;
    }
    if (fitted) {
        (second ? fit_quadratic : fit_linear)(s, at);
    } else if (second) {
        derive_twice(s, at);
    } else if (s->operation != MO_PROBE_VALUE) {
        derive(s, at);
    }
}

static void sample_range(void *context, int64_t first, int64_t last)
{
    sampling *s = context;
    for (int64_t k = first; k < last; ++k) {
        sums at;
        memset(&at.weight, 0, sizeof at - offsetof(sums, weight));
        at.x = s->position(s->context, k);
        at.count = gather(s->probe, at.x, at.rows);
        if (at.count < 0) {
            atomic_store(&s->overfull, true);
            at.count = 0;
        }
        compute(s, &at);
        fill_result(s, &at, s->out + (int64_t)s->size * k);
    }
}

mote_status mo_probe_evaluate(const mo_probe *p, mo_probe_operator operation, int components,
                              const double *field, int64_t count, mo_probe_position *position,
                              const void *context, double *out, mote_error *error)
{
    sampling s = {.probe = p,
                  .operation = operation,
                  .components = components,
                  .size = mo_probe_components(operation, components),
                  .field = field,
                  .position = position,
                  .context = context,
                  .out = out};
    MOTE_ASSERT(s.size > 0);
    mo_parallel_for(p->pool, count, GRAIN, sample_range, &s);
    return atomic_load(&s.overfull)
               ? mo_fail(error, MOTE_ERROR_INPUT,
                         "probe: a position has more than %d particles within the support of %g m; "
                         "choose a smaller one",
                         NEAR_MAX, p->kernel.support)
               : MOTE_OK;
}
