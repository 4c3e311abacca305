/*
 * Internals of the model of scalar elements, shared by its files.
 */
#ifndef MO_SOLID_MODEL_ELEMENTS_STATE_H
#define MO_SOLID_MODEL_ELEMENTS_STATE_H

#include "solid/model/cut.h"
#include "solid/model/element_table.h"
#include "store/store.h"

enum { MO_ELEMENTS_KINDS = 3 }; /* edges, triangles, tetrahedra: tables of width 2, 3, 4 */

typedef struct mo_elements_group {
    double stiffness[MO_ELEMENTS_KINDS], damping[MO_ELEMENTS_KINDS];
} mo_elements_group;

typedef struct mo_elements {
    mo_memory *memory;
    int64_t group_count, group_capacity;
    mo_elements_group *groups;
    mo_element_table tables[MO_ELEMENTS_KINDS]; /* the value of an element: its rest size */
    const mo_column *column; /* of S at nodes, three components; NULL in unit tests of a force */
} mo_elements;

/* Four elements of one width: size, its gradient at each node. */
typedef struct mo_sizes {
    mo_d4 rest, size, gradient[MO_ELEMENT_WIDTH][3];
    mo_d4 edge[3][3];              /* x_k - x_0 */
    mo_d4 unit[3], inverse_length; /* of the edge, or of the triangle's normal (twice the area) */
} mo_sizes;

MO_INLINE void mo_d4_cross(const mo_d4 a[3], const mo_d4 b[3], mo_d4 out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void mo_sizes_load(const mo_element_table *t, int64_t batch, const double *x, mo_sizes *s);

extern const mo_force_stress mo_elements_stress;
/* The forces that elements transmit through a plane, elastic ones. */
void mo_elements_cut(const mo_elements *elements, const double *x, const mo_cut *cut);

extern const mo_force_jacobian mo_elements_jacobian;
unsigned
mo_elements_derivatives(const mo_elements *elements); /* MO_DF_DV only if some are damped */
void mo_elements_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                           int64_t last, double *bound);
void mo_elements_damping(const void *instance, const mo_force_args *args, int64_t first,
                         int64_t last, double *bound);

#endif
