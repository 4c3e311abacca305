/*
 * Jacobians of springs. With d = x_j - x_i, l = |d|, n = d/l and a as in spring.c
 *     df_i/dx_j = -df_i/dx_i = c 1 + (a/L - c) n n^T,  c = a (1/L - 1/l),
 *     df_i/dv_j = -df_i/dv_i = g_v 1 + g_s n n^T.
 * c, the stiffness across, is below 0 where a spring is squeezed; a definite Jacobian has 0 there (K.-J. Choi, H.-S. Ko 2002,
 * "Stable but responsive cloth", section 4). What the damping along the edge gives to df/dx through the turning of n is left
 * out, as usual: it is not symmetric.
 */
#include "solid/model/spring_network.h"

/* w = t 1 + s n n^T of four springs: t, and the products of s n n^T. */
typedef struct four_blocks {
    mo_d4 xx, xy, xz, yy, yz, zz;
} four_blocks;

/* t and s with s n n^T = (s/l^2) d d^T. */
MO_INLINE void weigh(const mo_spring_network *net, const mo_spring_material *m, const mo_spring_batch *b,
                     const mo_jacobian_ask *ask, int64_t at, mo_d4 *t, mo_d4 *s)
{
    mo_d4 inverse = mo_d4_load(net->inverse + at);
    mo_d4 across = b->factor * (inverse - b->inverse_length);
    if (ask->definite) {
        across = mo_d4_max(across, mo_d4_set(0));
    }
    mo_d4 along = b->factor * inverse - across;
    *t = ask->along_x * across + ask->along_v * m->viscous;
    *s = (ask->along_x * along + ask->along_v * m->along) / b->square;
}

MO_INLINE four_blocks blocks_of(const mo_spring_network *net, const mo_spring_material *m,
                                const mo_force_args *args, const mo_jacobian_ask *ask, int64_t at)
{
    mo_spring_batch b = mo_spring_load(net, m, args->x, at);
    mo_d4 t, s;
    weigh(net, m, &b, ask, at, &t, &s);
    mo_d4 sx = s * b.dx, sy = s * b.dy, sz = s * b.dz;
    return (four_blocks){sx * b.dx + t, sx * b.dy, sx * b.dz, sy * b.dy + t, sy * b.dz, sz * b.dz + t};
}

/* Adds a block, its first eight numbers and its last. */
MO_INLINE void add_block(double *value, int64_t slot, mo_d4 a, mo_d4 b, double last)
{
    if (slot >= 0) {
        double *to = value + 9 * slot;
        mo_d4_store(to, mo_d4_load(to) + a);
        mo_d4_store(to + 4, mo_d4_load(to + 4) + b);
        to[8] += last;
    }
}

MO_INLINE void fill_run(const mo_spring_network *net, const mo_spring_run *r, const mo_force_args *args,
                        const mo_jacobian_ask *ask, mo_block_matrix *matrix, bool inner)
{
    const mo_spring_material m = net->materials[r->material];
    double *value = matrix->value;
    for (int64_t done = 0; done < r->count; done += MO_SPRING_LANES) {
        int64_t at = r->first + done;
        int lanes = r->count - done < MO_SPRING_LANES ? (int)(r->count - done) : MO_SPRING_LANES;
        four_blocks w = blocks_of(net, &m, args, ask, at);
        mo_d4 a[4], b[4];
        mo_d4_transpose(w.xx, w.xy, w.xz, w.xy, a);
        mo_d4_transpose(w.yy, w.yz, w.xz, w.yz, b);
        for (int k = 0; k < lanes; ++k) {
            add_block(value, matrix->diagonal[net->from[at + k]], -a[k], -b[k], -w.zz[k]);
            add_block(value, net->slot[2 * (at + k)], a[k], b[k], w.zz[k]);
            if (inner) {
                add_block(value, matrix->diagonal[net->to[at + k]], -a[k], -b[k], -w.zz[k]);
                add_block(value, net->slot[2 * (at + k) + 1], a[k], b[k], w.zz[k]);
            }
        }
    }
}

static void spring_fill(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                        mo_block_matrix *matrix, int64_t first, int64_t last)
{
    const mo_spring_network *net = instance;
    int64_t block = first / MO_FORCE_GRAIN;
    (void)last;
    for (int64_t k = block < net->block_count ? net->block_runs[block] : 0;
         block < net->block_count && k < net->block_runs[block + 1]; ++k) {
        const mo_spring_run *r = &net->runs[k];
        r->inner ? fill_run(net, r, args, ask, matrix, true) : fill_run(net, r, args, ask, matrix, false);
    }
}

MO_INLINE void multiply_run(const mo_spring_network *net, const mo_spring_run *r, const mo_force_args *args,
                            const mo_jacobian_ask *ask, const double *p, double *y, bool inner)
{
    const mo_spring_material m = net->materials[r->material];
    for (int64_t done = 0; done < r->count; done += MO_SPRING_LANES) {
        int64_t at = r->first + done;
        int lanes = r->count - done < MO_SPRING_LANES ? (int)(r->count - done) : MO_SPRING_LANES;
        mo_spring_batch b = mo_spring_load(net, &m, args->x, at);
        mo_d4 t, s, xi, yi, zi, xj, yj, zj, rows[4];
        weigh(net, &m, &b, ask, at, &t, &s);
        mo_d4_load3(p, net->from + at, &xi, &yi, &zi);
        mo_d4_load3(p, net->to + at, &xj, &yj, &zj);
        mo_d4 px = xj - xi, py = yj - yi, pz = zj - zi;
        s *= px * b.dx + py * b.dy + pz * b.dz;
        mo_d4_rows3(t * px + s * b.dx, t * py + s * b.dy, t * pz + s * b.dz, rows);
        for (int k = 0; k < lanes; ++k) {
            mo_d4_add3(y + 3 * (int64_t)net->from[at + k], rows[k]);
            if (inner) {
                mo_d4_add3(y + 3 * (int64_t)net->to[at + k], -rows[k]);
            }
        }
    }
}

static void spring_multiply(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                            const double *p, double *y, int64_t first, int64_t last)
{
    const mo_spring_network *net = instance;
    int64_t block = first / MO_FORCE_GRAIN;
    (void)last;
    for (int64_t k = block < net->block_count ? net->block_runs[block] : 0;
         block < net->block_count && k < net->block_runs[block + 1]; ++k) {
        const mo_spring_run *r = &net->runs[k];
        r->inner ? multiply_run(net, r, args, ask, p, y, true) : multiply_run(net, r, args, ask, p, y, false);
    }
}

static mote_status spring_couple(const void *instance, const mo_force_args *args, mo_memory *memory,
                                 mo_block_pattern *pattern, mote_error *error)
{
    const mo_spring_network *net = instance;
    (void)args;
    for (int64_t k = 0; k < net->block_runs[net->block_count]; ++k) {
        const mo_spring_run *r = &net->runs[k];
        for (int64_t at = r->first; at < r->first + r->count; ++at) {
            MO_TRY(mo_block_pattern_couple(memory, pattern, net->from[at], net->to[at], error));
        }
    }
    return MOTE_OK;
}

static mote_status spring_find_slots(void *instance, const mo_block_matrix *matrix, mote_error *error)
{
    mo_spring_network *net = instance;
    int64_t runs = net->block_runs[net->block_count], places = 0;
    if (runs > 0) {
        places = net->runs[runs - 1].first + net->runs[runs - 1].count;
    }
    void *slot = net->slot;
    mote_status status =
        mo_grow(net->memory, &slot, &net->slot_capacity, places + 1, 2 * sizeof(int32_t), error);
    net->slot = slot;
    MO_TRY(status);
    for (int64_t k = 0; k < runs; ++k) {
        const mo_spring_run *r = &net->runs[k];
        for (int64_t at = r->first; at < r->first + r->count; ++at) {
            net->slot[2 * at] = (int32_t)mo_block_matrix_slot(matrix, net->from[at], net->to[at]);
            net->slot[2 * at + 1] = (int32_t)mo_block_matrix_slot(matrix, net->to[at], net->from[at]);
        }
    }
    return MOTE_OK;
}

unsigned mo_spring_derivatives(const mo_spring_network *net)
{
    bool damped = false;
    for (int64_t k = 0; k < net->material_count; ++k) {
        damped = damped || net->materials[k].along > 0 || net->materials[k].viscous > 0;
    }
    return MO_DF_DX | (damped ? MO_DF_DV : 0);
}

const mo_force_jacobian mo_spring_jacobian = {
    .derivatives = MO_DF_DX | MO_DF_DV,
    .couple = spring_couple,
    .find_slots = spring_find_slots,
    .fill = spring_fill,
    .multiply = spring_multiply,
};
