/*
 * Loops over elements: rotations and stretch forces, volume forces, products. Four elements at a
 * time, by owners of blocks of rows (element_table.h).
 *
 * Stored per batch in a step: R g_1, R g_2, R g_3 (node 0 has minus their sum) and lambda V.
 */
#include "math/svd3_wide.h"
#include "solid/fast_corotated/fast_corotated.h"

#include <string.h>

enum { STORED = 10 };

typedef struct element_pass {
    mo_fast_corotated *fast;
    const mo_fast_corotated_step *step;
    const double *predicted, *v, *p;
    double along, h;
    bool volume;
    double *out;
} element_pass;

typedef void run_fn(const element_pass *pass, const mo_element_table *t, const mo_element_run *run,
                    int64_t first);

static void for_runs(const element_pass *pass, int64_t first, int64_t last, run_fn *function)
{
    const mo_element_table *t = &pass->fast->fem.tables[MO_FEM_TETRAHEDRA];
    int64_t from, to;
    (void)last;
    mo_element_table_runs(t, first, &from, &to);
    for (int64_t n = from; n < to; ++n) {
        function(pass, t, &t->runs[n], first);
    }
}

/* Rows of prescribed nodes have no equation. */
static void clear_fixed(const element_pass *pass, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        if (pass->step->inverse_mass[row] == 0) {
            memset(pass->out + 3 * row, 0, 3 * sizeof(double));
        }
    }
}

/* ---- rotations and stretch ---- */

/* beta W R with W = skew(dF/dt R^T), the spin of the element: damping acts on the stretch alone. */
MO_INLINE void subtract_spin(const mo_d4 rate[9], const mo_d4 r[9], double beta, mo_d4 p[9])
{
    mo_d4 l[9];
    mo_d4_times_transposed(rate, r, l);
    mo_d4 z = 0.5 * (l[3] - l[1]), y = 0.5 * (l[2] - l[6]), x = 0.5 * (l[7] - l[5]);
    for (int j = 0; j < 3; ++j) {
        mo_d4 a = r[j], b = r[3 + j], c = r[6 + j];
        p[j] -= beta * (y * c - z * b);
        p[3 + j] -= beta * (z * a - x * c);
        p[6 + j] -= beta * (x * b - y * a);
    }
}

/* R g_k of a batch, and its volume factor. */
MO_INLINE void store_rotated(const mo_fem_batch *b, const mo_d4 r[9], double lambda, double *to)
{
    for (int k = 0; k < 3; ++k) {
        const mo_d4 *g = b->g + 3 * k;
        for (int i = 0; i < 3; ++i) {
            mo_d4_store(to + 4 * (3 * k + i),
                        r[3 * i] * g[0] + r[3 * i + 1] * g[1] + r[3 * i + 2] * g[2]);
        }
    }
    mo_d4_store(to + 36, lambda * b->volume);
}

static void stretch_run(const element_pass *pass, const mo_element_table *t,
                        const mo_element_run *run, int64_t first)
{
    const mo_fem_group *group = &pass->fast->fem.groups[run->group];
    double mu = group->material.mu, lambda = group->material.lambda, beta = group->damping;
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_fem_batch batch;
        mo_d4 rate[9], turned[9], r[9], p[9], trace = mo_d4_set(-3);
        mo_fem_load(t, run->first + b, pass->step->x, &batch);
        mo_fem_gradient(t, run->first + b, pass->step->v, batch.g, rate);
        if (pass->predicted != pass->step->v) {
            mo_fem_gradient(t, run->first + b, pass->predicted, batch.g, turned);
        } else {
            memcpy(turned, rate, sizeof turned);
        }
        for (int n = 0; n < 9; ++n) {
            turned[n] = batch.f[n] + pass->along * turned[n];
        }
        mo_polar3_d4_of(turned, r);
        for (int n = 0; n < 9; ++n) {
            mo_d4 f = batch.f[n] + (pass->h + beta) * rate[n];
            p[n] = f - r[n];
            trace += r[n] * f;
        }
        if (beta > 0) {
            subtract_spin(rate, r, beta, p);
        }
        for (int n = 0; n < 9; ++n) {
            p[n] = pass->h * (2 * mu * p[n] + (pass->volume ? lambda * trace * r[n] : 0 * r[n]));
        }
        mo_fem_scatter(t, run, b, &batch, p, pass->out, first);
        store_rotated(&batch, r, lambda, pass->fast->rotated + 4 * STORED * (run->first + b));
    }
}

static void stretch_range(void *context, int64_t first, int64_t last)
{
    const element_pass *pass = context;
    memset(pass->out + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    for_runs(pass, first, last, stretch_run);
}

void mo_fast_corotated_stretch(mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                               const double *predicted, double along, bool volume, double *rhs)
{
    element_pass pass = {.fast = fast,
                         .step = step,
                         .predicted = predicted,
                         .along = along,
                         .h = step->h,
                         .volume = volume,
                         .out = rhs};
    mo_parallel_for(step->pool, step->rows, MO_FORCE_GRAIN, stretch_range, &pass);
}

/* ---- volume ---- */

/* sum_k R g_k . (u_k - u_0), the rate of tr(R^T F). */
MO_INLINE mo_d4 divergence(const mo_element_table *t, int64_t batch, const double *rotated,
                           const double *u)
{
    mo_d4 o[3], d[3], sum = mo_d4_set(0);
    mo_d4_load3(u, mo_element_nodes(t, batch, 0), &o[0], &o[1], &o[2]);
    for (int k = 0; k < 3; ++k) {
        mo_d4_load3(u, mo_element_nodes(t, batch, k + 1), &d[0], &d[1], &d[2]);
        for (int i = 0; i < 3; ++i) {
            sum += mo_d4_load(rotated + 4 * (3 * k + i)) * (d[i] - o[i]);
        }
    }
    return sum;
}

/* Adds s R g_k to the nodes. */
MO_INLINE void add_volume(const mo_element_table *t, const mo_element_run *run, int64_t b,
                          const double *rotated, mo_d4 s, double *out, int64_t first)
{
    mo_d4 force[3], at_first[3] = {{0}};
    int lanes = mo_element_lanes(run, b);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            force[i] = s * mo_d4_load(rotated + 4 * (3 * k + i));
            at_first[i] -= force[i];
        }
        mo_element_scatter(out, force, mo_element_nodes(t, run->first + b, k + 1), lanes,
                           run->inner, first);
    }
    mo_element_scatter(out, at_first, mo_element_nodes(t, run->first + b, 0), lanes, run->inner,
                       first);
}

static void volume_run(const element_pass *pass, const mo_element_table *t,
                       const mo_element_run *run, int64_t first)
{
    double beta = pass->fast->fem.groups[run->group].damping;
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        int64_t batch = run->first + b;
        const double *rotated = pass->fast->rotated + 4 * STORED * batch;
        mo_d4 trace = divergence(t, batch, rotated, pass->step->x) +
                      (pass->h + beta) * divergence(t, batch, rotated, pass->v) - 3;
        add_volume(t, run, b, rotated, -pass->h * mo_d4_load(rotated + 36) * trace, pass->out,
                   first);
    }
}

static void volume_range(void *context, int64_t first, int64_t last)
{
    const element_pass *pass = context;
    memset(pass->out + 3 * first, 0, (size_t)(last - first) * 3 * sizeof(double));
    for_runs(pass, first, last, volume_run);
    clear_fixed(pass, first, last);
}

void mo_fast_corotated_volume(const mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                              const double *v, double *rhs)
{
    element_pass pass = {
        .fast = (mo_fast_corotated *)fast, .step = step, .v = v, .h = step->h, .out = rhs};
    mo_parallel_for(step->pool, step->rows, MO_FORCE_GRAIN, volume_range, &pass);
}

/* ---- products ---- */

static void product_run(const element_pass *pass, const mo_element_table *t,
                        const mo_element_run *run, int64_t first)
{
    double factor = pass->h * (pass->h + pass->fast->fem.groups[run->group].damping);
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        int64_t batch = run->first + b;
        const double *rotated = pass->fast->rotated + 4 * STORED * batch;
        mo_d4 s = factor * mo_d4_load(rotated + 36) * divergence(t, batch, rotated, pass->p);
        add_volume(t, run, b, rotated, s, pass->out, first);
    }
}

static void product_range(void *context, int64_t first, int64_t last)
{
    const element_pass *pass = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        pass->out[k] = pass->v ? pass->v[k] : pass->fast->factor_mass[k / 3] * pass->p[k];
    }
    for_runs(pass, first, last, product_run);
    clear_fixed(pass, first, last);
}

void mo_fast_corotated_product(const mo_fast_corotated *fast, const mo_fast_corotated_step *step,
                               const double *other, const double *p, double *y)
{
    element_pass pass = {.fast = (mo_fast_corotated *)fast,
                         .step = step,
                         .v = other,
                         .p = p,
                         .h = fast->factor_h,
                         .out = y};
    mo_parallel_for(step->pool, step->rows, MO_FORCE_GRAIN, product_range, &pass);
}
