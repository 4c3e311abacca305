/*
 * Stresses of finite elements for output: Cauchy's, sigma = P F^T/det F, the elastic part alone (no
 * damping). For a membrane det F is the ratio of areas at the rest thickness. In plane strain the
 * stress is that of the material in space with F_33 = 1. For `linear` sigma = P. det F is clamped
 * from below to 0.01, so that the stress of strongly compressed and inverted elements stays finite.
 */
#include "solid/model/fem_state.h"

#include <math.h>

static const double LEAST = 0.01;

/* The divisor det F of a batch. */
static mo_d4 size_of(const mo_d4 f[9], mo_space space)
{
    mo_d4 a = f[3] * f[7] - f[6] * f[4], b = f[6] * f[1] - f[0] * f[7],
          c = f[0] * f[4] - f[3] * f[1];
    if (space == MO_PLANE) {
        return mo_d4_max(c, mo_d4_set(LEAST));
    }
    if (space == MO_MEMBRANE) {
        return mo_d4_max(mo_d4_sqrt(a * a + b * b + c * c), mo_d4_set(LEAST));
    }
    return mo_d4_max(f[2] * a + f[5] * b + f[8] * c, mo_d4_set(LEAST));
}

/* sigma: 11 22 33 12 13 23 */
static void stress_of(const mo_fem *fem, const mo_fem_group *group, const mo_element_table *t,
                      int64_t batch, const double *x, mo_d4 *volume, mo_d4 sigma[6])
{
    static const int8_t AT[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const mo_material *m = &group->material;
    mo_fem_batch b;
    mo_d4 p[9], planar[9];
    mo_fem_load(t, batch, x, &b);
    const mo_d4 *plastic = mo_fem_load_plastic(fem, group, t, batch, &b);
    mo_material_stress(m, b.f, plastic, p);
    mo_d4 size = size_of(b.f, m->space);
    if (group->full) {
        b.f[8] = mo_d4_set(1);
        mo_material_stress(&group->solid, b.f, plastic, planar);
        p[8] = planar[8];
    }
    bool small = m->type->small && m->space != MO_MEMBRANE;
    for (int n = 0; n < 6; ++n) {
        int i = AT[n][0], j = AT[n][1];
        mo_d4 tau =
            p[3 * i] * b.f[3 * j] + p[3 * i + 1] * b.f[3 * j + 1] + p[3 * i + 2] * b.f[3 * j + 2];
        sigma[n] = small ? 0.5 * (p[3 * i + j] + p[3 * j + i]) : tau / size;
    }
    *volume = b.volume;
}

static void add_run(const mo_fem *fem, const mo_element_table *t, const mo_element_run *run,
                    const double *x, int64_t first, double *volume, double *stress)
{
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_d4 size, sigma[6];
        stress_of(fem, &fem->groups[run->group], t, run->first + b, x, &size, sigma);
        for (int lane = 0; lane < mo_element_lanes(run, b); ++lane) {
            for (int k = 0; k < t->width; ++k) {
                int64_t row = mo_element_nodes(t, run->first + b, k)[lane];
                bool owned = run->inner || (row >= first && row < first + MO_FORCE_GRAIN);
                if (owned) {
                    volume[row] += size[lane];
                }
                for (int n = 0; n < 6 && owned; ++n) {
                    stress[6 * row + n] += size[lane] * sigma[n][lane];
                }
            }
        }
    }
}

static void fem_stress_nodes(const void *instance, const mo_force_args *args, int64_t first,
                             int64_t last, double *volume, double *stress)
{
    const mo_fem *fem = instance;
    (void)last;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            add_run(fem, t, &t->runs[n], args->x, first, volume, stress);
        }
    }
}

/* The elements of a run that the block writes: those whose first node it owns. */
static int64_t write_run(const mo_fem *fem, const mo_element_table *t, const mo_element_run *run,
                         int64_t first, const double *x, int64_t count, int32_t *rows,
                         double *stress)
{
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_d4 size, sigma[6];
        if (rows) {
            stress_of(fem, &fem->groups[run->group], t, run->first + b, x, &size, sigma);
        }
        for (int lane = 0; lane < mo_element_lanes(run, b); ++lane) {
            int64_t row = mo_element_nodes(t, run->first + b, 0)[lane];
            if (row < first || row >= first + MO_FORCE_GRAIN) {
                continue;
            }
            for (int k = 0; k < MO_ELEMENT_WIDTH && rows; ++k) {
                rows[4 * count + k] =
                    k < t->width ? mo_element_nodes(t, run->first + b, k)[lane] : -1;
            }
            for (int n = 0; n < 6 && rows; ++n) {
                stress[6 * count + n] = sigma[n][lane];
            }
            ++count;
        }
    }
    return count;
}

static int64_t fem_cells(const void *instance, const mo_force_args *args, int32_t *rows,
                         double *stress)
{
    const mo_fem *fem = instance;
    int64_t count = 0;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        for (int64_t block = 0; block < t->block_count; ++block) {
            for (int64_t n = t->block_runs[block]; n < t->block_runs[block + 1]; ++n) {
                count = write_run(fem, t, &t->runs[n], block * MO_FORCE_GRAIN, args->x, count, rows,
                                  stress);
            }
        }
    }
    return count;
}

const mo_force_stress mo_fem_stress = {.nodes = fem_stress_nodes, .cells = fem_cells};
