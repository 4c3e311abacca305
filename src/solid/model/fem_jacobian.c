/*
 * Jacobians of finite elements. With T the derivative of stress, the block of nodes a and b is
 *     df_a/dx_b = -V d(P g_a)/dx_b,   df_a/dv_b = -beta V (the same of the damping's T) - alpha m
 *                                     on the diagonal,
 * and those of node 0 are minus the sums of the others. The derivative of the damping's T with
 * respect to x is neglected.
 */
#include "solid/model/fem_state.h"

#include <string.h>

/* The requested blocks of all pairs of nodes of four elements. */
typedef struct blocks {
    mo_d4 b[MO_ELEMENT_WIDTH][MO_ELEMENT_WIDTH][9];
} blocks;

/* Factor times the blocks of one tangent, for the nodes 1 .. width - 1; `more`: added. */
static void add_tangent(const mo_material *m, const mo_tangent *t, const mo_fem_batch *batch,
                        int width, mo_d4 factor, bool more, blocks *out)
{
    mo_d4 g[MO_ELEMENT_WIDTH][3];
    for (int a = 1; a < width; ++a) {
        mo_tangent_turn(t, batch->g + 3 * (a - 1), g[a]);
    }
    for (int a = 1; a < width; ++a) {
        for (int b = a; b < width; ++b) {
            mo_d4 block[9];
            mo_tangent_block(m, t, g[a], g[b], block);
            for (int n = 0; n < 9; ++n) {
                mo_d4 scaled = factor * block[n];
                out->b[a][b][n] = more ? out->b[a][b][n] + scaled : scaled;
            }
        }
    }
}

/* The lower half, and the blocks of node 0. */
static void complete(int width, blocks *out)
{
    for (int a = 1; a < width; ++a) {
        for (int b = 1; b < a; ++b) {
            for (int n = 0; n < 9; ++n) {
                out->b[a][b][n] = out->b[b][a][3 * (n % 3) + n / 3];
            }
        }
    }
    for (int n = 0; n < 9; ++n) {
        out->b[0][0][n] = mo_d4_set(0);
        for (int a = 1; a < width; ++a) {
            out->b[a][0][n] = mo_d4_set(0);
            for (int b = 1; b < width; ++b) {
                out->b[a][0][n] -= out->b[a][b][n];
            }
            out->b[0][0][n] -= out->b[a][0][n];
        }
    }
    for (int a = 1; a < width; ++a) {
        for (int n = 0; n < 9; ++n) {
            out->b[0][a][n] = out->b[a][0][3 * (n % 3) + n / 3];
        }
    }
}

static void blocks_of(const mo_fem *fem, const mo_fem_group *group, const mo_element_table *t,
                      int64_t batch, const mo_force_args *args, const mo_jacobian_ask *ask,
                      blocks *out)
{
    mo_fem_batch b;
    mo_tangent tangent;
    mo_fem_load(t, batch, args->x, &b);
    const mo_d4 *plastic = mo_fem_load_plastic(fem, group, t, batch, &b);
    bool elastic = ask->along_x != 0, damped = ask->along_v != 0 && group->damping > 0;
    if (elastic) {
        if (args->before) {
            mo_d4 before[9];
            mo_fem_gradient(t, batch, args->before, b.g, before);
            mo_material_mixed_tangent(&group->material, b.f, before, plastic,
                                      ask->definite ? MO_PROJECTED : MO_EXACT, &tangent);
        } else {
            mo_material_tangent(&group->material, b.f, plastic,
                                ask->definite ? MO_PROJECTED : MO_EXACT, &tangent);
        }
        add_tangent(&group->material, &tangent, &b, t->width, -ask->along_x * b.volume, false, out);
    }
    if (damped) {
        mo_material_tangent(&group->material, b.f, plastic, MO_DAMPING, &tangent);
        add_tangent(&group->material, &tangent, &b, t->width,
                    -ask->along_v * group->damping * b.volume, elastic, out);
    }
    if (!elastic && !damped) {
        memset(out, 0, sizeof *out);
    }
    complete(t->width, out);
    if (ask->along_a != 0 && group->consistent) {
        mo_d4 share = ask->along_a * mo_fem_share(group, t, batch);
        for (int n = 0; n < t->width * t->width; ++n) {
            int i = n / t->width, j = n % t->width;
            for (int k = 0; k < 9; k += 4) {
                out->b[i][j][k] += i == j ? (t->width - 1) * share : -share;
            }
        }
    }
}

static void fill_run(const mo_fem *fem, const mo_element_table *t, const mo_element_run *run,
                     const mo_force_args *args, const mo_jacobian_ask *ask, mo_block_matrix *matrix)
{
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        blocks all;
        blocks_of(fem, &fem->groups[run->group], t, run->first + b, args, ask, &all);
        for (int k = 0; k < t->width; ++k) {
            for (int j = 0; j < t->width; ++j) {
                mo_element_fill(t, matrix, run->first + b, k, j, all.b[k][j]);
            }
        }
    }
}

/* The rows of a range that lie in [first, last). */
static void overlap(const mo_fem_range *r, int64_t first, int64_t last, int64_t *from, int64_t *to)
{
    *from = r->first > first ? r->first : first;
    *to = r->first + r->count < last ? r->first + r->count : last;
}

static void fem_fill(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                     mo_block_matrix *matrix, int64_t first, int64_t last)
{
    const mo_fem *fem = instance;
    int64_t from, to;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            fill_run(fem, t, &t->runs[n], args, ask, matrix);
        }
    }
    for (int64_t k = 0; k < fem->range_count; ++k) {
        overlap(&fem->ranges[k], first, last, &from, &to);
        for (int64_t row = from; row < to; ++row) {
            double *block = matrix->value + 9 * matrix->diagonal[row];
            for (int i = 0; i < 9; i += 4) {
                block[i] -= ask->along_v * fem->ranges[k].damping * args->mass[row];
            }
        }
    }
}

static void multiply_run(const mo_fem *fem, const mo_element_table *t, const mo_element_run *run,
                         const mo_force_args *args, const mo_jacobian_ask *ask, const double *p,
                         double *y, int64_t first)
{
    const mo_fem_group *group = &fem->groups[run->group];
    if (ask->along_a != 0 && group->consistent) {
        mo_fem_couple_run(group, t, run, -ask->along_a, p, y, first);
    }
    if (ask->along_x == 0 && ask->along_v == 0) {
        return;
    }
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_fem_batch batch;
        mo_tangent tangent;
        mo_d4 df[9], dp[9], sum[9] = {{0}};
        mo_fem_load(t, run->first + b, args->x, &batch);
        const mo_d4 *plastic = mo_fem_load_plastic(fem, group, t, run->first + b, &batch);
        mo_fem_gradient(t, run->first + b, p, batch.g, df);
        if (ask->along_x != 0) {
            mo_material_tangent(&group->material, batch.f, plastic,
                                ask->definite ? MO_PROJECTED : MO_EXACT, &tangent);
            mo_tangent_apply(&group->material, &tangent, df, dp);
            for (int n = 0; n < 9; ++n) {
                sum[n] = ask->along_x * dp[n];
            }
        }
        if (ask->along_v != 0 && group->damping > 0) {
            mo_material_tangent(&group->material, batch.f, plastic, MO_DAMPING, &tangent);
            mo_tangent_apply(&group->material, &tangent, df, dp);
            for (int n = 0; n < 9; ++n) {
                sum[n] += ask->along_v * group->damping * dp[n];
            }
        }
        mo_fem_scatter(t, run, b, &batch, sum, y, first);
    }
}

static void fem_multiply(const void *instance, const mo_force_args *args,
                         const mo_jacobian_ask *ask, const double *p, double *y, int64_t first,
                         int64_t last)
{
    const mo_fem *fem = instance;
    int64_t from, to;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            multiply_run(fem, t, &t->runs[n], args, ask, p, y, first);
        }
    }
    for (int64_t k = 0; k < fem->range_count; ++k) {
        overlap(&fem->ranges[k], first, last, &from, &to);
        for (int64_t n = 3 * from; n < 3 * to; ++n) {
            y[n] -= ask->along_v * fem->ranges[k].damping * args->mass[n / 3] * p[n];
        }
    }
}

static mote_status fem_couple(const void *instance, const mo_force_args *args, mo_memory *memory,
                              mo_block_pattern *pattern, mote_error *error)
{
    const mo_fem *fem = instance;
    (void)args;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        MO_TRY(mo_element_table_couple(&fem->tables[k], memory, pattern, error));
    }
    return MOTE_OK;
}

static mote_status fem_find_slots(void *instance, const mo_block_matrix *matrix, mote_error *error)
{
    mo_fem *fem = instance;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        MO_TRY(mo_element_table_find_slots(&fem->tables[k], matrix, error));
    }
    return MOTE_OK;
}

/* ---- the bound for the stability advisor ---- */

static void bound_run(const mo_fem *fem, const mo_element_table *t, const mo_element_run *run,
                      const mo_force_args *args, const mo_jacobian_ask *ask, int64_t first,
                      double *bound)
{
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        blocks all;
        blocks_of(fem, &fem->groups[run->group], t, run->first + b, args, ask, &all);
        for (int k = 0; k < t->width; ++k) {
            mo_d4 sum[3] = {{0}};
            for (int j = 0; j < t->width; ++j) {
                for (int n = 0; n < 9; ++n) {
                    sum[n / 3] += mo_d4_abs(all.b[k][j][n]);
                }
            }
            for (int n = 0; n < 3 && fem->groups[run->group].consistent; ++n) {
                /* M is smaller than the lumped mass by this factor, in some directions */
                sum[n] *= t->width + 1;
            }
            mo_element_scatter(bound, sum, mo_element_nodes(t, run->first + b, k),
                               mo_element_lanes(run, b), run->inner, first);
        }
    }
}

static void bound_runs(const mo_fem *fem, const mo_force_args *args, const mo_jacobian_ask *ask,
                       int64_t first, double *bound)
{
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            bound_run(fem, t, &t->runs[n], args, ask, first, bound);
        }
    }
}

void mo_fem_stiffness(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound)
{
    (void)last;
    bound_runs(instance, args, &(mo_jacobian_ask){.along_x = 1, .definite = true}, first, bound);
}

void mo_fem_damping(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double *bound)
{
    (void)last;
    bound_runs(instance, args, &(mo_jacobian_ask){.along_v = 1, .definite = true}, first, bound);
}

unsigned mo_fem_derivatives(const mo_fem *fem)
{
    bool damped = fem->range_count > 0, mixed = true, consistent = false;
    for (int64_t k = 0; k < fem->group_count; ++k) {
        const mo_fem_group *group = &fem->groups[k];
        mixed = mixed && group->material.type->green;
        damped = damped || group->damping > 0;
        consistent = consistent || group->consistent;
    }
    return MO_DF_DX | (damped ? MO_DF_DV : 0) | (consistent ? MO_DF_DA : 0) |
           (mixed ? MO_DF_MIXED : 0);
}

const mo_force_jacobian mo_fem_jacobian = {
    .derivatives = MO_DF_DX | MO_DF_DV | MO_DF_DA | MO_DF_MIXED,
    .couple = fem_couple,
    .find_slots = fem_find_slots,
    .fill = fem_fill,
    .multiply = fem_multiply,
};
