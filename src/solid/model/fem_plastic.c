/*
 * Plasticity of finite elements: E = E_e + E_p. After a step of h, if |E_e| > yield: E_p += min(h
 * creep, 1) E_e, and E_p is scaled down to |E_p| <= plastic_max (M. Mueller, M. Gross 2004,
 * Graphics Interface, section 4.1).
 *
 * E_p is stored in a nodal column, so that checkpoints, resuming and the removal of rows need no
 * extra code. Each element has a slot in the row of one of its nodes, the one with the fewest so
 * far; about six elements share a row. The element's tag is the node and the slot.
 */
#include "solid/model/fem_state.h"

#include <math.h>

enum { STRAIN = 6 };

static const double *strain_of(const mo_fem *fem, const mo_element_table *t, int64_t batch,
                               int lane)
{
    int32_t tag = t->tags[batch * MO_LANES + lane];
    int64_t row = mo_element_nodes(t, batch, tag % MO_ELEMENT_WIDTH)[lane];
    return mo_f64(fem->plastic) + STRAIN * (fem->row_capacity * row + tag / MO_ELEMENT_WIDTH);
}

const mo_d4 *mo_fem_load_plastic(const mo_fem *fem, const mo_fem_group *group,
                                 const mo_element_table *t, int64_t batch, mo_fem_batch *b)
{
    if (!group->plastic) {
        return NULL;
    }
    for (int lane = 0; lane < MO_LANES; ++lane) {
        const double *strain = strain_of(fem, t, batch, lane);
        for (int k = 0; k < STRAIN; ++k) {
            b->plastic[k][lane] = strain[k];
        }
    }
    return b->plastic;
}

/* Assigns tags to the plastic elements of a table. */
static void assign(const mo_fem *fem, mo_element_table *t, int32_t *used, int32_t *most)
{
    for (int64_t e = 0; e < t->count; ++e) {
        const int32_t *node = t->node + t->width * e;
        int best = 0;
        if (!fem->groups[t->group[e]].plastic) {
            continue;
        }
        for (int k = 1; k < t->width; ++k) {
            best = used[node[k]] < used[node[best]] ? k : best;
        }
        t->tag[e] = MO_ELEMENT_WIDTH * used[node[best]]++ + best;
        *most = used[node[best]] > *most ? used[node[best]] : *most;
    }
}

mote_status mo_fem_attach(void *instance, mo_store *store, mote_error *error)
{
    mo_fem *fem = instance;
    bool wanted = false;
    int32_t most = 0;
    void *used;
    for (int64_t k = 0; k < fem->group_count; ++k) {
        wanted = wanted || fem->groups[k].plastic;
    }
    if (!wanted) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(fem->memory, mo_store_rows(store), sizeof(int32_t), &used, error));
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        assign(fem, &fem->tables[k], used, &most);
    }
    mo_release(fem->memory, used);
    mo_column *column;
    mo_column_spec spec = {
        "plastic_strain",
        MOTE_F64,
        STRAIN * most,
        MO_STATE,
        "1",
        "plastic strain of the elements stored in this row: 11 22 33 12 13 23 of each"};
    MO_TRY(mo_store_declare(store, &spec, &column, error));
    fem->plastic = column;
    fem->row_capacity = most;
    return MOTE_OK;
}

static double norm_of(const double e[STRAIN])
{
    return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] +
                2 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
}

static void flow(const mo_fem_group *group, const double total[STRAIN], double h,
                 double plastic[STRAIN])
{
    double elastic[STRAIN], share = h * group->creep < 1 ? h * group->creep : 1;
    for (int k = 0; k < STRAIN; ++k) {
        elastic[k] = total[k] - plastic[k];
    }
    if (!(norm_of(elastic) > group->yield)) {
        return;
    }
    for (int k = 0; k < STRAIN; ++k) {
        plastic[k] += share * elastic[k];
    }
    double size = norm_of(plastic);
    for (int k = 0; k < STRAIN && size > group->most; ++k) {
        plastic[k] *= group->most / size;
    }
}

typedef struct pass {
    const mo_fem *fem;
    const double *x;
    double h;
} pass;

static void flow_run(const pass *p, const mo_element_table *t, const mo_element_run *run,
                     int64_t first)
{
    const mo_fem_group *group = &p->fem->groups[run->group];
    for (int64_t b = 0; b * MO_LANES < run->count && group->plastic; ++b) {
        mo_fem_batch batch;
        mo_d4 strain[STRAIN];
        mo_fem_load(t, run->first + b, p->x, &batch);
        mo_material_strain(&group->material, batch.f, strain);
        for (int lane = 0; lane < mo_element_lanes(run, b); ++lane) {
            int32_t tag = t->tags[(run->first + b) * MO_LANES + lane];
            int64_t row = mo_element_nodes(t, run->first + b, tag % MO_ELEMENT_WIDTH)[lane];
            if (row >= first &&
                /* the strain is written by the owner of the row */
                row < first + MO_FORCE_GRAIN) {
                double total[STRAIN];
                for (int k = 0; k < STRAIN; ++k) {
                    total[k] = strain[k][lane];
                }
                flow(group, total, p->h, (double *)strain_of(p->fem, t, run->first + b, lane));
            }
        }
    }
}

static void flow_range(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    (void)last;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &p->fem->tables[k];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            flow_run(p, t, &t->runs[n], first);
        }
    }
}

mote_status mo_fem_advance(void *instance, const mo_force_args *args, double h, mo_pool *pool,
                           mote_error *error)
{
    pass p = {instance, args->x, h};
    (void)error;
    if (!p.fem->plastic) {
        return MOTE_OK;
    }
    mo_parallel_for(pool, args->rows, MO_FORCE_GRAIN, flow_range, &p);
    return MOTE_OK;
}
