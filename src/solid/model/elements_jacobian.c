/*
 * Jacobians of the elements of elements.c. With the size s and the rest size V,
 *     df/dx = -(k/V) (grad s grad s^T + (s - V) hess s),   df/dv = -(c/V) grad s grad s^T.
 * hess s of an edge is (1 - n n^T)/l. Of a triangle, with n its normal (|n| twice the area), m =
 * n/|n| and N_k = dn/dx_k = [w_k]x, w_0 = x_2 - x_1, w_1 = x_0 - x_2, w_2 = x_1 - x_0, it is
 *     1/2 N_k^T (1 - m m^T) N_l/|n|,   and   -+ 1/2 [m]x  for l next (before) k.
 * Of a tetrahedron it has cross products of edges. The semidefinite part is grad s grad s^T, for a
 * stretched edge the complete matrix. The contribution of damping to df/dx is neglected.
 */
#include "solid/model/elements_state.h"

#include <string.h>

typedef struct blocks {
    mo_d4 b[MO_ELEMENT_WIDTH][MO_ELEMENT_WIDTH][9];
} blocks;

/* out += factor [a]x */
static void add_cross(const mo_d4 a[3], mo_d4 factor, mo_d4 out[9])
{
    out[1] -= factor * a[2];
    out[2] += factor * a[1];
    out[3] += factor * a[2];
    out[5] -= factor * a[0];
    out[6] -= factor * a[1];
    out[7] += factor * a[0];
}

static void add_edge_hessian(const mo_sizes *s, mo_d4 factor, blocks *out)
{
    factor *= s->inverse_length;
    for (int n = 0; n < 9; ++n) {
        mo_d4 across = factor * ((n % 4 == 0 ? 1.0 : 0.0) - s->unit[n / 3] * s->unit[n % 3]);
        out->b[0][0][n] += across;
        out->b[1][1][n] += across;
        out->b[0][1][n] -= across;
        out->b[1][0][n] -= across;
    }
}

/* N_k^T (1 - m m^T) N_l for cross products: [w_k]^T Q [w_l] with Q = 1 - m m^T. */
static void add_projected(const mo_d4 w[3], const mo_d4 u[3], const mo_d4 m[3], mo_d4 factor,
                          mo_d4 out[9])
{
    mo_d4 wm[3], um[3], dot = w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
    mo_d4_cross(w, m, wm);
    mo_d4_cross(u, m, um);
    /* [w]^T [u] = (w.u) 1 - u w^T;  [w]^T m = -(w x m) */
    for (int n = 0; n < 9; ++n) {
        int i = n / 3, j = n % 3;
        out[n] += factor * ((i == j ? dot : mo_d4_set(0)) - u[i] * w[j] - wm[i] * um[j]);
    }
}

static void add_triangle_hessian(const mo_sizes *s, mo_d4 factor, blocks *out)
{
    const mo_d4 *a = s->edge[0], *b = s->edge[1];
    const mo_d4 w[3][3] = {
        {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, {-b[0], -b[1], -b[2]}, {a[0], a[1], a[2]}};
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            add_projected(w[k], w[l], s->unit, 0.5 * factor * s->inverse_length, out->b[k][l]);
        }
        add_cross(s->unit, -0.5 * factor, out->b[k][(k + 1) % 3]);
        add_cross(s->unit, 0.5 * factor, out->b[(k + 1) % 3][k]);
    }
}

/* grad_1 = b x c/6 and so on: d grad_1 = ([b] dc - [c] db)/6; node 0 by the sums. */
static void add_tetrahedron_hessian(const mo_sizes *s, mo_d4 factor, blocks *out)
{
    mo_d4 h[4][4][9];
    memset(h, 0, sizeof h);
    for (int k = 0; k < 3; ++k) {
        int l = (k + 1) % 3, m = (k + 2) % 3; /* grad_k = edge_l x edge_m/6 */
        add_cross(s->edge[l], factor / 6, h[k + 1][m + 1]);
        add_cross(s->edge[m], -factor / 6, h[k + 1][l + 1]);
    }
    for (int n = 0; n < 9; ++n) {
        for (int k = 1; k < 4; ++k) {
            h[k][0][n] = -(h[k][1][n] + h[k][2][n] + h[k][3][n]);
        }
        for (int l = 0; l < 4; ++l) {
            h[0][l][n] = -(h[1][l][n] + h[2][l][n] + h[3][l][n]);
        }
    }
    for (int k = 0; k < 16; ++k) {
        for (int n = 0; n < 9; ++n) {
            out->b[k / 4][k % 4][n] += h[k / 4][k % 4][n];
        }
    }
}

/* `pull` is (k/V) (s - V), negative in compression. */
static void add_hessian(int width, const mo_sizes *s, const mo_jacobian_ask *ask, mo_d4 pull,
                        blocks *out)
{
    bool definite = ask->definite;
    mo_d4 factor = -ask->along_x * pull;
    if (width == 2) {
        add_edge_hessian(s, definite ? -ask->along_x * mo_d4_max(pull, mo_d4_set(0)) : factor, out);
    } else if (width == 3 && !definite) {
        add_triangle_hessian(s, factor, out);
    } else if (width == 4 && !definite) {
        add_tetrahedron_hessian(s, factor, out);
    }
}

static void blocks_of(const mo_elements *m, const mo_element_table *t, const mo_element_run *run,
                      int64_t batch, const double *x, const mo_jacobian_ask *ask, blocks *out)
{
    const mo_elements_group *g = &m->groups[run->group];
    double stiffness = g->stiffness[t->width - 2], damping = g->damping[t->width - 2];
    mo_sizes s;
    mo_sizes_load(t, batch, x, &s);
    mo_d4 inverse = 1 / s.rest,
          factor = -(ask->along_x * stiffness + ask->along_v * damping) * inverse;
    for (int k = 0; k < t->width; ++k) {
        for (int l = 0; l < t->width; ++l) {
            for (int n = 0; n < 9; ++n) {
                out->b[k][l][n] = factor * s.gradient[k][n / 3] * s.gradient[l][n % 3];
            }
        }
    }
    if (ask->along_x != 0) {
        add_hessian(t->width, &s, ask, stiffness * inverse * (s.size - s.rest), out);
    }
}

/* The operation on the blocks of a batch of elements. */
typedef struct visit {
    const mo_element_table *table;
    const mo_element_run *run;
    int64_t batch;
    int lanes;
    int64_t first; /* row of the block that owns them */
    blocks blocks;
} visit;

typedef void visitor(const visit *v, void *context);

static void walk(const mo_elements *m, const double *x, const mo_jacobian_ask *ask, int64_t first,
                 visitor *see, void *context)
{
    for (int kind = 0; kind < MO_ELEMENTS_KINDS; ++kind) {
        const mo_element_table *t = &m->tables[kind];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            const mo_element_run *run = &t->runs[n];
            for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
                visit v;
                v.table = t;
                v.run = run;
                v.batch = run->first + b;
                v.lanes = mo_element_lanes(run, b);
                v.first = first;
                blocks_of(m, t, run, v.batch, x, ask, &v.blocks);
                see(&v, context);
            }
        }
    }
}

static void scatter(const visit *v, int k, const mo_d4 numbers[3], double *to)
{
    mo_element_scatter(to, numbers, mo_element_nodes(v->table, v->batch, k), v->lanes,
                       v->run->inner, v->first);
}

static void fill_batch(const visit *v, void *matrix)
{
    int width = v->table->width;
    for (int k = 0; k < width * width; ++k) {
        mo_element_fill(v->table, matrix, v->batch, k / width, k % width,
                        v->blocks.b[k / width][k % width]);
    }
}

static void elements_fill(const void *instance, const mo_force_args *args,
                          const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                          int64_t last)
{
    (void)last;
    walk(instance, args->x, ask, first, fill_batch, matrix);
}

/* The blocks times p, row k. */
static void multiply_row(const mo_element_table *t, int64_t batch, const blocks *all, int k,
                         const double *p, mo_d4 out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int l = 0; l < t->width; ++l) {
        mo_d4 u[3];
        mo_d4_load3(p, mo_element_nodes(t, batch, l), &u[0], &u[1], &u[2]);
        for (int n = 0; n < 9; ++n) {
            out[n / 3] += all->b[k][l][n] * u[n % 3];
        }
    }
}

typedef struct product {
    const double *p;
    double *y;
} product;

static void multiply_batch(const visit *v, void *context)
{
    const product *c = context;
    for (int k = 0; k < v->table->width; ++k) {
        mo_d4 out[3];
        multiply_row(v->table, v->batch, &v->blocks, k, c->p, out);
        scatter(v, k, out, c->y);
    }
}

static void elements_multiply(const void *instance, const mo_force_args *args,
                              const mo_jacobian_ask *ask, const double *p, double *y, int64_t first,
                              int64_t last)
{
    product c = {p, y};
    (void)last;
    walk(instance, args->x, ask, first, multiply_batch, &c);
}

static mote_status elements_couple(const void *instance, const mo_force_args *args,
                                   mo_memory *memory, mo_block_pattern *pattern, mote_error *error)
{
    const mo_elements *m = instance;
    (void)args;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        MO_TRY(mo_element_table_couple(&m->tables[k], memory, pattern, error));
    }
    return MOTE_OK;
}

static mote_status elements_find_slots(void *instance, const mo_block_matrix *matrix,
                                       mote_error *error)
{
    mo_elements *m = instance;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        MO_TRY(mo_element_table_find_slots(&m->tables[k], matrix, error));
    }
    return MOTE_OK;
}

static void bound_batch(const visit *v, void *bound)
{
    for (int k = 0; k < v->table->width; ++k) {
        mo_d4 sum[3] = {{0}};
        for (int l = 0; l < 9 * v->table->width; ++l) {
            sum[l % 9 / 3] += mo_d4_abs(v->blocks.b[k][l / 9][l % 9]);
        }
        scatter(v, k, sum, bound);
    }
}

void mo_elements_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                           int64_t last, double *bound)
{
    (void)last;
    walk(instance, args->x, &(mo_jacobian_ask){.along_x = 1, .definite = true}, first, bound_batch,
         bound);
}

void mo_elements_damping(const void *instance, const mo_force_args *args, int64_t first,
                         int64_t last, double *bound)
{
    (void)last;
    walk(instance, args->x, &(mo_jacobian_ask){.along_v = 1, .definite = true}, first, bound_batch,
         bound);
}

unsigned mo_elements_derivatives(const mo_elements *m)
{
    bool damped = false;
    for (int64_t k = 0; k < m->group_count; ++k) {
        for (int n = 0; n < MO_ELEMENTS_KINDS; ++n) {
            damped = damped || m->groups[k].damping[n] > 0;
        }
    }
    return MO_DF_DX | (damped ? MO_DF_DV : 0);
}

const mo_force_jacobian mo_elements_jacobian = {
    .derivatives = MO_DF_DX | MO_DF_DV,
    .couple = elements_couple,
    .find_slots = elements_find_slots,
    .fill = elements_fill,
    .multiply = elements_multiply,
};
