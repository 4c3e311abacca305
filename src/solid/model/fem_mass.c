/* Consistent masses of finite elements: their difference to the lumped masses, and its contribution
 * to energy and momentum. fem_state.h has the formula. The total mass and the momentum of uniform
 * motion are the same. */
#include "math/vec3.h"
#include "solid/model/fem_state.h"

void mo_fem_couple_run(const mo_fem_group *group, const mo_element_table *t,
                       const mo_element_run *run, double factor, const double *p, double *y,
                       int64_t first)
{
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        int64_t batch = run->first + b;
        mo_d4 u[MO_ELEMENT_WIDTH][3], sum[3] = {{0}},
                                      share = factor * mo_fem_share(group, t, batch);
        for (int k = 0; k < t->width; ++k) {
            mo_d4_load3(p, mo_element_nodes(t, batch, k), &u[k][0], &u[k][1], &u[k][2]);
            for (int i = 0; i < 3; ++i) {
                sum[i] += u[k][i];
            }
        }
        for (int k = 0; k < t->width; ++k) {
            mo_d4 part[3];
            for (int i = 0; i < 3; ++i) {
                part[i] = share * (sum[i] - t->width * u[k][i]);
            }
            mo_element_scatter(y, part, mo_element_nodes(t, batch, k), mo_element_lanes(run, b),
                               run->inner, first);
        }
    }
}

/* 1/2 v . C v and x x C v of the nodes of one element owned by the block. */
static void measure_element(const mo_element_table *t, int64_t batch, int lane, double share,
                            const mo_force_args *args, int64_t first, double sum[4])
{
    mo_vec3 all = mo_vec3_make(0, 0, 0);
    for (int k = 0; k < t->width; ++k) {
        all = mo_add(all, mo_vec3_load(args->v + 3 * (int64_t)mo_element_nodes(t, batch, k)[lane]));
    }
    for (int k = 0; k < t->width; ++k) {
        int64_t row = mo_element_nodes(t, batch, k)[lane];
        if (row >= first && row < first + MO_FORCE_GRAIN) {
            mo_vec3 v = mo_vec3_load(args->v + 3 * row),
                    more = mo_scale(share, mo_add_scaled(all, -t->width, v));
            mo_vec3 turn = mo_cross(mo_vec3_load(args->x + 3 * row), more);
            sum[0] += 0.5 * mo_dot(v, more);
            sum[1] += turn.x;
            sum[2] += turn.y;
            sum[3] += turn.z;
        }
    }
}

void mo_fem_inertia(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double sum[4])
{
    const mo_fem *fem = instance;
    (void)last;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            const mo_element_run *run = &t->runs[n];
            const mo_fem_group *group = &fem->groups[run->group];
            for (int64_t at = 0; group->consistent && at < run->count; ++at) {
                int64_t batch = run->first + at / MO_LANES;
                mo_d4 share = mo_fem_share(group, t, batch);
                measure_element(t, batch, (int)(at % MO_LANES), share[at % MO_LANES], args, first,
                                sum);
            }
        }
    }
}

/* Sets the bodies' densities when their rows have masses. */
mote_status mo_fem_begin(void *instance, const mo_force_args *args, int64_t first, mo_pool *pool,
                         mote_error *error)
{
    mo_fem *fem = instance;
    (void)pool, (void)error;
    for (int64_t g = 0; g < fem->group_count && first == 0; ++g) {
        mo_fem_group *group = &fem->groups[g];
        double mass = 0;
        for (int64_t row = group->first; group->consistent && row < group->first + group->count;
             ++row) {
            mass += args->mass[row];
        }
        group->density = mass / group->volume;
    }
    return MOTE_OK;
}

void mo_fem_volumes(mo_fem *fem)
{
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        for (int64_t e = 0; e < t->count; ++e) {
            fem->groups[t->group[e]].volume += t->number[t->size * e];
        }
    }
}
