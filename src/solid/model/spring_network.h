/* The springs of a world as they are evaluated, shared by the forces and their Jacobians. */
#ifndef MO_SOLID_SPRING_NETWORK_H
#define MO_SOLID_SPRING_NETWORK_H

#include "integrate/force.h"
#include "math/wide.h"

/* Springs evaluated at once. */
enum { MO_SPRING_LANES = 4 };

/* What the springs of one run have in common. */
typedef struct mo_spring_material {
    double stiffness;
    bool per_length;
    double along, viscous;
} mo_spring_material;

/* Springs of one block of rows with one material. `inner` ones have both ends in the block; of the others the
   first end is the block's and only that receives the force. */
typedef struct mo_spring_run {
    int64_t first, count; /* first is a multiple of MO_SPRING_LANES in the arrays below */
    int32_t material;
    bool inner;
} mo_spring_run;

typedef struct mo_spring_network {
    mo_memory *memory;
    /* as collected from the bodies */
    int64_t count, row_capacity, rest_capacity, kind_capacity, number_capacity;
    int32_t *rows; /* pairs */
    double *inverse_rest;
    int32_t *material_of;
    int64_t *number_of; /* in the order of the scene; it decides in which order forces are added */
    int64_t material_count, material_capacity;
    mo_spring_material *materials;
    /* as evaluated: copies, by block, padded to whole batches */
    int64_t block_count;
    int64_t *block_runs; /* block b has the runs [block_runs[b], block_runs[b + 1]) */
    mo_spring_run *runs;
    int32_t *from, *to;
    double *inverse;
    int64_t *number;
    /* of the Jacobian: the slots of the blocks (from, to), (to, from) of every place; -1: not in the matrix */
    int64_t slot_capacity;
    int32_t *slot;
    struct mo_spring_network *next; /* once rows are removed; NULL: no removal is under way */
} mo_spring_network;

/* Four springs: d = x_j - x_i, |d|^2, 1/|d|, and the factor a of the head. */
typedef struct mo_spring_batch {
    mo_d4 dx, dy, dz, square, inverse_length, factor;
} mo_spring_batch;

MO_INLINE mo_spring_batch mo_spring_load(const mo_spring_network *net, const mo_spring_material *m,
                                         const double *x, int64_t at)
{
    static const double TINY = 1e-280; /* keeps 0/0 away from springs squeezed to a point: their d is 0 */
    mo_d4 xi, yi, zi, xj, yj, zj;
    mo_spring_batch b;
    mo_d4_load3(x, net->from + at, &xi, &yi, &zi);
    mo_d4_load3(x, net->to + at, &xj, &yj, &zj);
    b.dx = xj - xi;
    b.dy = yj - yi;
    b.dz = zj - zi;
    b.square = b.dx * b.dx + b.dy * b.dy + b.dz * b.dz + TINY;
    b.inverse_length = 1 / mo_d4_sqrt(b.square);
    b.factor = mo_d4_set(m->stiffness);
    if (m->per_length) {
        b.factor /= mo_d4_load(net->inverse + at);
    }
    return b;
}

extern const mo_force_jacobian mo_spring_jacobian;
unsigned mo_spring_derivatives(const mo_spring_network *net); /* MO_DF_DV only if some are damped */

#endif
