/*
 * The springs of a system, shared by the files that evaluate forces and Jacobians: a table of
 * elements of two nodes. The value of an element is 1/L; the first node of a spring across blocks
 * is owned by the block, and only that one receives the force.
 */
#ifndef MO_SOLID_MODEL_SPRING_STATE_H
#define MO_SOLID_MODEL_SPRING_STATE_H

#include "solid/model/element_table.h"

/* The parameters of one group of springs. */
typedef struct mo_spring_material {
    double stiffness;
    bool per_length;
    double along, viscous; /* damping */
} mo_spring_material;

typedef struct mo_springs {
    mo_memory *memory;
    int64_t material_count, material_capacity;
    mo_spring_material *materials; /* groups of the table */
    mo_element_table table;
} mo_springs;

/* The ends of four springs: four first nodes, then four second nodes. */
MO_INLINE const int32_t *mo_spring_ends(const mo_element_table *t, int64_t batch)
{
    return t->nodes + 2 * MO_LANES * batch;
}

/* 1/L of four springs. */
MO_INLINE mo_d4 mo_spring_inverse_rest(const mo_element_table *t, int64_t batch)
{
    return mo_d4_load(t->numbers + MO_LANES * batch);
}

/* Four springs: d = x_j - x_i, |d|^2, 1/|d|, and the factor a of the head of spring.c. */
typedef struct mo_spring_batch {
    mo_d4 dx, dy, dz, square, inverse_length, factor;
} mo_spring_batch;

MO_INLINE mo_spring_batch mo_spring_load(const mo_element_table *t, const mo_spring_material *m,
                                         const double *x, int64_t batch)
{
    static const double TINY = 1e-280; /* avoids 0/0 for springs of length 0: their d is 0 */
    const int32_t *ends = mo_spring_ends(t, batch);
    mo_d4 xi, yi, zi, xj, yj, zj;
    mo_spring_batch b;
    mo_d4_load3(x, ends, &xi, &yi, &zi);
    mo_d4_load3(x, ends + MO_LANES, &xj, &yj, &zj);
    b.dx = xj - xi;
    b.dy = yj - yi;
    b.dz = zj - zi;
    b.square = b.dx * b.dx + b.dy * b.dy + b.dz * b.dz + TINY;
    b.inverse_length = 1 / mo_d4_sqrt(b.square);
    b.factor = mo_d4_set(m->stiffness);
    if (m->per_length) {
        b.factor /= mo_spring_inverse_rest(t, batch);
    }
    return b;
}

extern const mo_force_jacobian mo_spring_jacobian;
unsigned mo_spring_derivatives(const mo_springs *springs); /* MO_DF_DV only if some are damped */

#endif
