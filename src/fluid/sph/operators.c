#include "fluid/sph/operators.h"

#include "math/mat3.h"

enum { GRAIN = 256 };

/* Input and output of a loop over rows; `in` and `out` as defined by the operator. */
typedef struct task {
    const mo_sph_points *samples;
    const mo_kernel *kernel;
    mo_difference difference;
    int components;
    const double *in;
    double *out;
} task;

/* A neighbour of a row. */
typedef struct neighbor {
    int64_t row;
    mo_vec3 x; /* x_ij */
    double r2;
} neighbor;

static neighbor neighbor_at(const mo_pairs *pairs, int64_t row, int32_t n)
{
    int32_t slot = pairs->index[pairs->start[row] + n];
    mo_vec3 x =
        mo_sub(mo_vec3_load(pairs->x + 3 * row), mo_vec3_load(pairs->x + 3 * (int64_t)slot));
    return (neighbor){mo_pairs_row(pairs, slot), x, mo_dot(x, x)};
}

static double volume(const mo_sph_points *s, int64_t row)
{
    return s->mass[row] / s->density[row];
}

static mo_vec3 kernel_gradient(const mo_kernel *k, const neighbor *n)
{
    return mo_scale(mo_kernel_gradient(k, sqrt(n->r2)), n->x);
}

static void run(const mo_sph_points *s, mo_range_fn *function, task *t)
{
    mo_parallel_for(s->pool, s->pairs.rows, GRAIN, function, t);
}

/* ---- interpolation ---- */

/* sum w_j in_j W with w_j = m_j or V_j; without `in`, of ones. */
static void sum_row(const task *t, int64_t row, bool by_mass)
{
    const mo_sph_points *s = t->samples;
    double sum[MO_SPH_COMPONENTS_MAX] = {0};
    for (int32_t n = -1; n < s->pairs.count[row]; ++n) {
        neighbor near = n < 0 ? (neighbor){.row = row} : neighbor_at(&s->pairs, row, n);
        double w = (by_mass ? s->mass[near.row] : volume(s, near.row)) *
                   mo_kernel_w(t->kernel, sqrt(near.r2));
        for (int c = 0; c < t->components; ++c) {
            sum[c] += w * (t->in ? t->in[t->components * near.row + c] : 1);
        }
    }
    for (int c = 0; c < t->components; ++c) {
        t->out[t->components * row + c] = sum[c];
    }
}

static void sum_masses(void *context, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        sum_row(context, row, true);
    }
}

static void sum_volumes(void *context, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        sum_row(context, row, false);
    }
}

void mo_sph_density(const mo_sph_points *s, const mo_kernel *k, double *density)
{
    run(s, sum_masses, &(task){.samples = s, .kernel = k, .components = 1, .out = density});
}

void mo_sph_shepard(const mo_sph_points *s, const mo_kernel *k, double *sum)
{
    run(s, sum_volumes, &(task){.samples = s, .kernel = k, .components = 1, .out = sum});
}

void mo_sph_interpolate(const mo_sph_points *s, const mo_kernel *k, int components,
                        const double *field, double *out)
{
    run(s, sum_volumes,
        &(task){.samples = s, .kernel = k, .components = components, .in = field, .out = out});
}

/* ---- first derivatives ---- */

/* The factor of grad W, for one component. */
static double weighted(const task *t, int64_t i, int64_t j, int c)
{
    const mo_sph_points *s = t->samples;
    double a = t->in[t->components * i + c], b = t->in[t->components * j + c];
    switch (t->difference) {
    case MO_PLAIN:
        return volume(s, j) * b;
    case MO_DIFFERENCE:
        return volume(s, j) * (b - a);
    default: {
        double di = s->density[i], dj = s->density[j];
        return di * s->mass[j] * (a / (di * di) + b / (dj * dj));
    }
    }
}

static mo_vec3 weighted_vector(const task *t, int64_t i, int64_t j)
{
    return mo_vec3_make(weighted(t, i, j, 0), weighted(t, i, j, 1), weighted(t, i, j, 2));
}

static void gradient_rows(void *context, int64_t first, int64_t last)
{
    const task *t = context;
    const mo_pairs *pairs = &t->samples->pairs;
    for (int64_t i = first; i < last; ++i) {
        mo_vec3 sum[MO_SPH_COMPONENTS_MAX] = {{0}};
        for (int32_t n = 0; n < pairs->count[i]; ++n) {
            neighbor near = neighbor_at(pairs, i, n);
            mo_vec3 grad_w = kernel_gradient(t->kernel, &near);
            for (int c = 0; c < t->components; ++c) {
                sum[c] = mo_add_scaled(sum[c], weighted(t, i, near.row, c), grad_w);
            }
        }
        for (int c = 0; c < t->components; ++c) {
            mo_vec3_store(t->out + 3 * (t->components * i + c), sum[c]);
        }
    }
}

static void divergence_rows(void *context, int64_t first, int64_t last)
{
    const task *t = context;
    const mo_pairs *pairs = &t->samples->pairs;
    for (int64_t i = first; i < last; ++i) {
        double sum = 0;
        for (int32_t n = 0; n < pairs->count[i]; ++n) {
            neighbor near = neighbor_at(pairs, i, n);
            sum += mo_dot(kernel_gradient(t->kernel, &near), weighted_vector(t, i, near.row));
        }
        t->out[i] = sum;
    }
}

static void curl_rows(void *context, int64_t first, int64_t last)
{
    const task *t = context;
    const mo_pairs *pairs = &t->samples->pairs;
    for (int64_t i = first; i < last; ++i) {
        mo_vec3 sum = {0};
        for (int32_t n = 0; n < pairs->count[i]; ++n) {
            neighbor near = neighbor_at(pairs, i, n);
            sum = mo_add(
                sum, mo_cross(kernel_gradient(t->kernel, &near), weighted_vector(t, i, near.row)));
        }
        mo_vec3_store(t->out + 3 * i, sum);
    }
}

void mo_sph_gradient(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                     int components, const double *field, double *out)
{
    run(s, gradient_rows, &(task){s, k, difference, components, field, out});
}

void mo_sph_divergence(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                       const double *field, double *out)
{
    run(s, divergence_rows, &(task){s, k, difference, 3, field, out});
}

void mo_sph_curl(const mo_sph_points *s, const mo_kernel *k, mo_difference difference,
                 const double *field, double *out)
{
    run(s, curl_rows, &(task){s, k, difference, 3, field, out});
}

/* ---- second derivatives ---- */

static void laplacian_rows(void *context, int64_t first, int64_t last)
{
    const task *t = context;
    const mo_sph_points *s = t->samples;
    int components = t->components;
    for (int64_t i = first; i < last; ++i) {
        double sum[MO_SPH_COMPONENTS_MAX] = {0};
        for (int32_t n = 0; n < s->pairs.count[i]; ++n) {
            neighbor near = neighbor_at(&s->pairs, i, n);
            /* x_ij . grad W / |x_ij|^2 = G */
            double w = near.r2 > 0
                           ? 2 * volume(s, near.row) * mo_kernel_gradient(t->kernel, sqrt(near.r2))
                           : 0;
            for (int c = 0; c < components; ++c) {
                sum[c] += w * (t->in[components * i + c] - t->in[components * near.row + c]);
            }
        }
        for (int c = 0; c < components; ++c) {
            t->out[components * i + c] = sum[c];
        }
    }
}

static void solenoidal_rows(void *context, int64_t first, int64_t last)
{
    const task *t = context;
    const mo_sph_points *s = t->samples;
    double factor = 2 * (t->kernel->dimension + 2);
    for (int64_t i = first; i < last; ++i) {
        mo_vec3 sum = {0};
        for (int32_t n = 0; n < s->pairs.count[i]; ++n) {
            neighbor near = neighbor_at(&s->pairs, i, n);
            mo_vec3 v = mo_sub(mo_vec3_load(t->in + 3 * i), mo_vec3_load(t->in + 3 * near.row));
            double w = near.r2 > 0 ? factor * volume(s, near.row) * mo_dot(v, near.x) / near.r2 : 0;
            sum = mo_add_scaled(sum, w, kernel_gradient(t->kernel, &near));
        }
        mo_vec3_store(t->out + 3 * i, sum);
    }
}

void mo_sph_laplacian(const mo_sph_points *s, const mo_kernel *k, int components,
                      const double *field, double *out)
{
    run(s, laplacian_rows, &(task){s, k, MO_DIFFERENCE, components, field, out});
}

void mo_sph_laplacian_solenoidal(const mo_sph_points *s, const mo_kernel *k, const double *field,
                                 double *out)
{
    run(s, solenoidal_rows, &(task){s, k, MO_DIFFERENCE, 3, field, out});
}

/* ---- correction ---- */

/* sum V_j grad W (x_j - x_i)^T, with ones on missing axes. */
static mo_mat3 moment(const task *t, int64_t i)
{
    const mo_sph_points *s = t->samples;
    mo_mat3 m = {{0}};
    for (int32_t n = 0; n < s->pairs.count[i]; ++n) {
        neighbor near = neighbor_at(&s->pairs, i, n);
        double w = -volume(s, near.row) * mo_kernel_gradient(t->kernel, sqrt(near.r2));
        double x[3] = {near.x.x, near.x.y, near.x.z};
        for (int e = 0; e < 9; ++e) {
            m.m[e] += w * x[e / 3] * x[e % 3];
        }
    }
    for (int axis = t->kernel->dimension; axis < 3; ++axis) {
        m.m[4 * axis] = 1;
    }
    return m;
}

/* Neighbours on two sides of a particle give eigenvalues of order 1, coplanar ones an eigenvalue
 * of the order of rounding. */
static bool can_invert(mo_mat3 m)
{
    double trace = m.m[0] + m.m[4] + m.m[8];
    return mo_mat3_determinant(m) > 1e-6 * trace * trace * trace;
}

static void correction_rows(void *context, int64_t first, int64_t last)
{
    const task *t = context;
    for (int64_t i = first; i < last; ++i) {
        mo_mat3 m = moment(t, i), inverse = can_invert(m) ? mo_mat3_inverse(m) : mo_mat3_identity();
        for (int e = 0; e < 9; ++e) {
            t->out[9 * i + e] = inverse.m[e];
        }
    }
}

static void correct_rows(void *context, int64_t first, int64_t last)
{
    const task *t = context;
    for (int64_t i = first; i < last; ++i) {
        mo_mat3 m;
        for (int e = 0; e < 9; ++e) {
            m.m[e] = t->in[9 * i + e];
        }
        for (int c = 0; c < t->components; ++c) {
            double *gradient = t->out + 3 * (t->components * i + c);
            mo_vec3_store(gradient, mo_mat3_apply(m, mo_vec3_load(gradient)));
        }
    }
}

void mo_sph_correction(const mo_sph_points *s, const mo_kernel *k, double *matrix)
{
    run(s, correction_rows, &(task){.samples = s, .kernel = k, .out = matrix});
}

void mo_sph_correct(const mo_sph_points *s, const double *matrix, int components, double *gradient)
{
    run(s, correct_rows,
        &(task){.samples = s, .components = components, .in = matrix, .out = gradient});
}
