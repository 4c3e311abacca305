/*
 * The internals of the finite-element model, shared by its files.
 *
 * Linear shape functions: with the rest positions X_k, Dm = (X_1 - X_0, X_2 - X_0, X_3 - X_0), Ds
 * the same of x,
 *     F = Ds Dm^-1 = sum_k (x_k - x_0) g_k^T,   g_k row k - 1 of Dm^-1,
 *     f_k = -V P(F) g_k,  f_0 = -(f_1 + f_2 + f_3),
 * which is H = -V P Dm^-T. Triangles have two gradients and V = area times thickness; the third
 * column of F is 0. An element's numbers are V and its gradients: 10 of a tetrahedron, 5 of a
 * triangle.
 */
#ifndef MO_SOLID_MODEL_FEM_STATE_H
#define MO_SOLID_MODEL_FEM_STATE_H

#include "geometry/mesh/mesh.h"
#include "solid/material/material.h"
#include "solid/model/element_table.h"

typedef struct mo_fem_group {
    mo_material material;
    /* plane strain: the stress is that of `solid`, with the third axis */
    bool full;
    mo_material solid; /* the three-dimensional material */
    double damping;    /* beta [s] */
    bool consistent;
    int64_t first, count; /* the body's rows */
    double volume, density;
    bool plastic;
    double yield, creep, most;
} mo_fem_group;

/* Rows with mass-proportional damping. */
typedef struct mo_fem_range {
    int64_t first, count;
    double damping; /* alpha [1/s] */
} mo_fem_range;

enum { MO_FEM_TETRAHEDRA, MO_FEM_TRIANGLES, MO_FEM_TABLES };

typedef struct mo_fem {
    mo_memory *memory;
    int64_t group_count, group_capacity, range_count, range_capacity;
    mo_fem_group *groups;
    mo_fem_range *ranges;
    mo_element_table tables[MO_FEM_TABLES];
    /* strains of up to `row_capacity` elements per row; NULL: elastic */
    const mo_column *plastic;
    int64_t row_capacity;
} mo_fem;

/* Four elements: F, gradients, volume. */
typedef struct mo_fem_batch {
    mo_d4 f[9], g[9], volume; /* the gradient of node k is at g + 3 (k - 1) */
    mo_d4 plastic[6];
} mo_fem_batch;

/* sum_k (x_k - x_0) g_k^T of any vector at the nodes. */
MO_INLINE void mo_fem_gradient(const mo_element_table *t, int64_t batch, const double *x,
                               const mo_d4 g[9], mo_d4 f[9])
{
    mo_d4 o[3];
    mo_d4_load3(x, mo_element_nodes(t, batch, 0), &o[0], &o[1], &o[2]);
    for (int n = 0; n < 9; ++n) {
        f[n] = mo_d4_set(0);
    }
    for (int k = 1; k < t->width; ++k) {
        mo_d4 d[3];
        mo_d4_load3(x, mo_element_nodes(t, batch, k), &d[0], &d[1], &d[2]);
        for (int i = 0; i < 3; ++i) {
            d[i] -= o[i];
            for (int j = 0; j < t->width - 1; ++j) {
                f[3 * i + j] += d[i] * g[3 * (k - 1) + j];
            }
        }
    }
}

MO_INLINE void mo_fem_load(const mo_element_table *t, int64_t batch, const double *x,
                           mo_fem_batch *b)
{
    int n = t->width - 1;
    b->volume = mo_element_number(t, batch, 0);
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) {
            b->g[3 * k + j] =
                k < n && j < n ? mo_element_number(t, batch, 1 + n * k + j) : mo_d4_set(0);
        }
    }
    mo_fem_gradient(t, batch, x, b->g, b->f);
}

/* Adds tetrahedron e of a mesh whose first node is row `first`, with V and its gradients. */
mote_status mo_fem_add_tetrahedron(mo_element_table *table, const mo_mesh *mesh, int64_t e,
                                   int64_t first, int32_t group, mote_error *error);

/* The forces of the elements (with stiffness-proportional damping) and their energy, for the block
 * of rows that starts at `first`. */
void mo_fem_add_elastic(const mo_fem *fem, const mo_force_args *args, int64_t first);
double mo_fem_elastic_energy(const mo_fem *fem, const mo_force_args *args, int64_t first);

/* The plastic strains of four elements, into b; NULL if the group has none. */
const mo_d4 *mo_fem_load_plastic(const mo_fem *fem, const mo_fem_group *group,
                                 const mo_element_table *t, int64_t batch, mo_fem_batch *b);

/* Adds -V P g_k to the nodes' forces, as far as the rows from `first` on own them. */
void mo_fem_scatter(const mo_element_table *t, const mo_element_run *run, int64_t b,
                    const mo_fem_batch *batch, const mo_d4 p[9], double *f, int64_t first);

/* Assigns slots of plastic strain to elements, and updates it after a step. */
mote_status mo_fem_attach(void *instance, mo_store *store, mote_error *error);
mote_status mo_fem_advance(void *instance, const mo_force_args *args, double h, mo_pool *pool,
                           mote_error *error);

/* Consistent masses: with m the mass of an element and n its nodes, M has 2 m/(n (n + 1)) on the
 * diagonal and m/(n (n + 1)) beside it (O. C. Zienkiewicz, R. L. Taylor, "The Finite Element
 * Method", linear simplices), so its difference to the lumped m/n is C u_k = m/(n (n + 1)) sum_j
 * (u_j - u_k). The factor of four elements: */
MO_INLINE mo_d4 mo_fem_share(const mo_fem_group *group, const mo_element_table *t, int64_t batch)
{
    return group->density / (t->width * (t->width + 1)) * mo_element_number(t, batch, 0);
}
mote_status mo_fem_begin(void *instance, const mo_force_args *args, int64_t first, mo_pool *pool,
                         mote_error *error);
void mo_fem_inertia(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double sum[4]);
void mo_fem_volumes(mo_fem *fem); /* of the groups, before the tables are laid out */
/* Adds factor C p to y, as far as the rows from `first` on own them. */
void mo_fem_couple_run(const mo_fem_group *group, const mo_element_table *t,
                       const mo_element_run *run, double factor, const double *p, double *y,
                       int64_t first);

extern const mo_force_stress mo_fem_stress;
extern const mo_force_jacobian mo_fem_jacobian;
/* MO_DF_DX, MO_DF_DV if damped, MO_DF_DA with consistent masses, MO_DF_MIXED if all materials
 * are. */
unsigned mo_fem_derivatives(const mo_fem *fem);
void mo_fem_stiffness(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                      double *bound);
void mo_fem_damping(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                    double *bound);

#endif
