/*
 * Stresses of scalar elements for output: S = k C (M. Teschner et al. 2004), the tension of an edge
 * [N] or triangle [N/m], or the isotropic Cauchy stress of a tetrahedron [Pa]; without damping.
 * Nodes have the mean of their edges, triangles and tetrahedra, weighted by rest size.
 */
#include "solid/model/elements_state.h"

#include <string.h>

/* S of a batch. */
static mo_d4 stress_of(const mo_elements *m, const mo_element_table *t, const mo_element_run *run,
                       int64_t batch, const double *x, mo_d4 *rest)
{
    mo_sizes s;
    mo_sizes_load(t, batch, x, &s);
    *rest = s.rest;
    return m->groups[run->group].stiffness[t->width - 2] * (s.size - s.rest) / s.rest;
}

/* Sums of rest size and of S times it, at the nodes of the block from `first` on. */
static void add_run(const mo_elements *m, const mo_element_table *t, const mo_element_run *run,
                    const double *x, int64_t first, double *size, double *sum)
{
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_d4 rest, s = stress_of(m, t, run, run->first + b, x, &rest);
        for (int lane = 0; lane < mo_element_lanes(run, b); ++lane) {
            for (int k = 0; k < t->width; ++k) {
                int64_t row = mo_element_nodes(t, run->first + b, k)[lane];
                if (run->inner || (row >= first && row < first + MO_FORCE_GRAIN)) {
                    size[row - first] += rest[lane];
                    sum[MO_ELEMENTS_KINDS * row + t->width - 2] += rest[lane] * s[lane];
                }
            }
        }
    }
}

static void elements_stress_nodes(const void *instance, const mo_force_args *args, int64_t first,
                                  int64_t last, double *volume, double *stress)
{
    const mo_elements *m = instance;
    double *to = m->column ? mo_f64(m->column) : NULL, size[MO_FORCE_GRAIN];
    (void)volume, (void)stress;
    if (!to) {
        return;
    }
    memset(to + MO_ELEMENTS_KINDS * first, 0,
           (size_t)(MO_ELEMENTS_KINDS * (last - first)) * sizeof(double));
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        const mo_element_table *t = &m->tables[k];
        int64_t from, end;
        memset(size, 0, sizeof size);
        mo_element_table_runs(t, first, &from, &end);
        for (int64_t n = from; n < end; ++n) {
            add_run(m, t, &t->runs[n], args->x, first, size, to);
        }
        for (int64_t row = first; row < last; ++row) {
            to[MO_ELEMENTS_KINDS * row + k] /= size[row - first] > 0 ? size[row - first] : 1;
        }
    }
}

const mo_force_stress mo_elements_stress = {.nodes = elements_stress_nodes};

/* ---- sections ---- */

/* The force that element e of a batch transmits through the plane. */
static void cut_element(const mo_element_table *t, int64_t batch, int lane, const double *x,
                        double stress, const mo_cut *cut)
{
    mo_vec3 at[MO_ELEMENT_WIDTH], way;
    double area = 0, length = 0;
    for (int k = 0; k < t->width; ++k) {
        at[k] = mo_vec3_load(x + 3 * (int64_t)mo_element_nodes(t, batch, k)[lane]);
    }
    if (t->width == 2 && mo_cut_edge(cut, at, &way)) {
        cut->add(cut->context, 0, mo_scale(stress, way));
    } else if (t->width == 3 && (length = mo_cut_length(cut, at, &way)) > 0) {
        cut->add(cut->context, 0, mo_scale(stress * length, way));
    } else if (t->width == 4 && (area = mo_cut_area(cut, at)) > 0) {
        cut->add(cut->context, area, mo_scale(stress * area, cut->normal));
    }
}

void mo_elements_cut(const mo_elements *m, const double *x, const mo_cut *cut)
{
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        const mo_element_table *t = &m->tables[k];
        for (int64_t block = 0; block < t->block_count; ++block) {
            for (int64_t n = t->block_runs[block]; n < t->block_runs[block + 1]; ++n) {
                const mo_element_run *run = &t->runs[n];
                for (int64_t e = 0; e < run->count; ++e) {
                    int64_t batch = run->first + e / MO_LANES, first = block * MO_FORCE_GRAIN;
                    int lane = (int)(e % MO_LANES);
                    int64_t row = mo_element_nodes(t, batch, 0)[lane];
                    mo_d4 rest, s = stress_of(m, t, run, batch, x, &rest);
                    if (row >= first && row < first + MO_FORCE_GRAIN) { /* stored by one block */
                        cut_element(t, batch, lane, x, s[lane], cut);
                    }
                }
            }
        }
    }
}
